/** The bots of the server: what they are called, and a line on how each of them plays. */

import { api } from "../api/client";
import { texts } from "../texts/texts.svelte";

/** The levels, from the weakest to the strongest; all other bots are characters. */
export const LEVELS: readonly string[] = ["beginner", "easy", "medium", "hard", "expert"];

/** Where nobody has chosen; also until the server has said which bots it has. */
export const USUAL_BOT = "medium";

/** Of the first game on a device. */
export const FIRST_BOT = "easy";

let asked: Promise<readonly string[]> | null = null;

/** The names of all bots, the levels first; asked for again after a failure. */
export function bots(): Promise<readonly string[]> {
  if (asked === null) {
    asked = api.get("/api/v1/bots").then((names) => [...names].sort((one, other) => rank(one) - rank(other)));
    asked.catch(() => (asked = null));
  }
  return asked;
}

/** Levels by strength; the characters stay as the server has them. */
const rank = (name: string) => (LEVELS.includes(name) ? LEVELS.indexOf(name) : LEVELS.length);

/** Name and line of a bot in the language of the app; a bot that is not known here has its name alone. */
export function botTexts(name: string): [label: string, line: string] {
  return texts().bots[name] ?? [name, ""];
}

/** A bot's seat: `greedy 2` is the second one of its kind, and has that number in every language. */
export function botName(name: string, bot: string): string {
  return name.startsWith(bot) ? botTexts(bot)[0] + name.slice(bot.length) : name;
}
