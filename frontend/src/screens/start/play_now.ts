/** A table against bots that starts at once. */

import { api } from "../../api/client";
import { account } from "../../state/account.svelte";
import { route } from "../../state/route.svelte";
import { quickOptions } from "../../state/rulesets.svelte";
import { texts } from "../../texts/texts.svelte";

/** What is played, against whom, and whether the set-up is the ruleset's own or a quick one. */
export interface Wish {
  ruleset: string;
  opponents: number;
  quick: boolean;
}

/** Open and start a table with so many bots, and show its game. */
export async function playNow({ ruleset, opponents, quick }: Wish): Promise<void> {
  await account.required(texts().common.guestName);
  const bots = Object.fromEntries(
    Array.from({ length: opponents }, (_, index) => [String(index + 1), "greedy"]),
  );
  const options = quick ? await quickOptions(ruleset) : {};
  const opened = await api.post("/api/v1/tables", {
    body: { ruleset, options, seats: opponents + 1, bots, access: "private", title: texts().start.against(opponents) },
  });
  const path = { game: opened.game };
  const [table, { sealInLobby }] = await Promise.all([
    api.get("/api/v1/tables/{game}", { path }),
    import("../../state/dice.svelte"),
  ]);
  if (table.your_seat !== null) await sealInLobby(opened.game, table.your_seat);
  await api.post("/api/v1/tables/{game}/start", { path });
  route.go(`/games/${opened.game}`);
}
