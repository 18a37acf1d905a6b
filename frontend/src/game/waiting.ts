/** What a game waits for besides a decision, in a sentence: whom, how long, and what happens then. */

import { durationText } from "../state/clock.svelte";
import type { GameView } from "../state/game.svelte";
import type { Catalogue } from "../texts/texts.svelte";

/** Seconds. The own browser is seldom so late that the end of its time matters. */
const SOON = 60;

type Waiting = Pick<GameView, "waiting_for" | "links_pending" | "deadlines" | "you">;

/** `now` is the server's time; "" where the game waits for nothing but decisions. */
export function waitingText(view: Waiting, name: (colour: string) => string, now: number, text: Catalogue["waiting"]): string {
  const { waiting_for: what, links_pending: pending, deadlines, you } = view;
  const named = (colours: readonly string[]) => colours.map(name).join(text.or);
  const others = (seats: Readonly<Record<string, unknown>>) => named(Object.keys(seats).filter((colour) => colour !== you));
  switch (what) {
    case "links": {
      const seconds = Math.max(0, Math.ceil((Math.max(...Object.values(pending)) - now) / 1000));
      const names = others(pending);
      if (names !== "") return text.links(names, seconds);
      return seconds > SOON ? text.ownLinkComes : text.ownLink(seconds);
    }
    case "openings": {
      const names = others(deadlines);
      return withTime(names === "" ? text.ownOpening : text.openings(names), deadlines, now, text);
    }
    case "typed":
      // Who enters them has a form of their own for it.
      return you !== null && you in deadlines ? "" : withTime(text.typed(others(deadlines)), deadlines, now, text);
    case "dice":
    case "dice-refused":
    case "lines-lost":
      return text[what];
    default:
      return "";
  }
}

function withTime(words: string, deadlines: Waiting["deadlines"], now: number, text: Catalogue["waiting"]): string {
  const times = Object.values(deadlines).filter((time) => time !== null);
  return times.length === 0 ? words : `${words} ${text.timeLeft(durationText(Math.max(...times) - now))}`;
}
