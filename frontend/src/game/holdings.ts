/** Territories as the API gives them, as the map draws them. */

import type { Holdings, Owner, Seat } from "../map/types";
import type { GameView } from "../state/game.svelte";

type Territories = GameView["position"]["territories"];

export function holdingsOf(territories: Territories): Holdings {
  return Object.fromEntries(
    Object.entries(territories).map(([name, territory]) => [
      name,
      {
        owner: territory.owner as Owner | null,
        armies: territory.armies,
        city: territory.city,
        capital: (territory.capital ?? territory.headquarters) as Seat | null,
        airfield: territory.airfield !== null,
      },
    ]),
  );
}
