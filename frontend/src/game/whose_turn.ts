/** Whose decisions a game waits for. */

import type { Game, GameView } from "../state/game.svelte";
import { texts } from "../texts/texts.svelte";
import { phaseText } from "./decision_title";

type Known = Pick<GameView, "phase" | "turn" | "deadlines" | "waiting_for" | "you">;

/** Whether all decide at the same time, and not in turns: then nobody has the turn. */
export function allAtOnce({ phase }: Pick<Known, "phase">): boolean {
  return phase === "sealed";
}

/** The seats that must still decide, where all decide at the same time; an opening is no decision. */
export function undecided(view: Known): ReadonlySet<string> {
  if (!allAtOnce(view) || view.waiting_for === "openings") return new Set();
  return new Set(Object.keys(view.deadlines));
}

/** Names in a sentence: "Ann, Bob and Cy". */
export function inSentence(names: readonly string[], join: (most: string, last: string) => string): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : join(names.slice(0, -1).join(", "), last);
}

/** The seats to highlight: whose turn it is; where all decide at once the own seat, then the others that are waited for. */
export function highlighted(view: Known): ReadonlySet<string> {
  if (!allAtOnce(view)) return new Set(view.turn === null ? [] : [view.turn]);
  const waited = undecided(view);
  return view.you !== null && waited.has(view.you) ? new Set([view.you]) : waited;
}

/** Whose turn it is; where all decide at the same time, for whom the game waits. */
export function whoseTurn(game: Game): string {
  const { view } = game;
  if (view === null) return "";
  const text = texts().game;
  const names = [...undecided(view)].map((colour) => game.nameOf(colour));
  if (names.length > 0) return text.waitsFor(inSentence(names, text.andLast));
  return allAtOnce(view) || view.turn === null ? beginning(phaseText(view.position)) : text.turnOf(game.nameOf(view.turn));
}

/** Words that stand alone, as a title. */
function beginning(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
