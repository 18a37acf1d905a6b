/** The motions that a player can vote for at a table. */

import type { GameView } from "../state/game.svelte";
import type { Catalogue } from "../texts/texts.svelte";

export interface Motion {
  readonly motion: string;
  /** The seats that are for it. */
  readonly seats: readonly string[];
  /** Whether the own seat is one of them. */
  readonly mine: boolean;
}

const REPLACE = "replace ";
const FORK = "fork ";

/** What a motion asks for, in a few words. */
export function motionText(motion: string, text: Catalogue["table"], person: (colour: string) => string): string {
  if (motion.startsWith(REPLACE)) return text.replace(person(motion.slice(REPLACE.length)));
  if (motion.startsWith(FORK)) return text.fork(motion.slice(FORK.length));
  const words: Record<string, string> = { draw: text.draw, pause: text.pause, resume: text.resume, extend: text.extend };
  return words[motion] ?? motion;
}

/** Those that somebody is for come first, then those that the server offers. */
export function motionsOf({ votes, motions, you }: Pick<GameView, "votes" | "motions" | "you">): Motion[] {
  const all = [...new Set([...Object.keys(votes), ...motions])];
  return all.map((motion) => ({ motion, seats: votes[motion] ?? [], mine: you !== null && (votes[motion] ?? []).includes(you) }));
}
