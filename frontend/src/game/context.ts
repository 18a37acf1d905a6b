/** What every part of the game screen needs, without passing it through all of them. */

import { createContext } from "svelte";

import type { Board } from "../state/boards.svelte";
import type { Game } from "../state/game.svelte";
import type { RollSeries } from "./shown_roll.svelte";
import type { Turn } from "./turn.svelte";

export interface Table {
  readonly game: Game;
  readonly turn: Turn;
  readonly board: Board;
  readonly series: RollSeries;
}

export const [useTable, setTable] = createContext<Table>();
