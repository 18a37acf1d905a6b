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

/** Those that somebody is for come first; the server refuses a vote that is not allowed now. */
export function motionsOf({ votes, paused, settings, seats, position, you }: Pick<GameView, "votes" | "paused" | "settings" | "seats" | "position" | "you">): Motion[] {
  const clocked = settings.clock !== "none";
  const playing = new Set(position.seats.filter((seat) => seat.status === "playing").map((seat) => seat.colour));
  const late = settings.timeout_policy === "wait" ? seats.filter((seat) => seat.bot === null && seat.substitute === null && playing.has(seat.colour)) : [];
  const possible = [
    "draw",
    paused ? "resume" : "pause",
    ...(clocked ? ["extend"] : []),
    ...late.filter((seat) => seat.colour !== you && seats.length > 2).map((seat) => REPLACE + seat.colour),
  ];
  const all = [...new Set([...Object.keys(votes), ...possible])];
  return all.map((motion) => ({ motion, seats: votes[motion] ?? [], mine: you !== null && (votes[motion] ?? []).includes(you) }));
}
