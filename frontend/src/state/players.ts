/** The public pages of the people at a table, for links from their names. */

import { api } from "../api/client";

const asked = new Map<string, Promise<ReadonlyMap<string, string>>>();

/** The ids of the pages by the colour of the seat; none where they cannot be had. */
export function playerPages(game: string, invite: string | null): Promise<ReadonlyMap<string, string>> {
  const known = asked.get(game);
  if (known !== undefined) return known;
  const found = api.get("/api/v1/tables/{game}/people", { path: { game }, query: { invite } }).then(
    (people) => new Map(people.flatMap(({ colour, player }) => (player === null ? [] : [[colour, player] as const]))),
    () => {
      asked.delete(game); // the names stand without links, until something asks again
      return new Map<string, string>();
    },
  );
  asked.set(game, found);
  return found;
}
