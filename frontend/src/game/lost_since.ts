/** What others took from a player since the last own turn. */

import type { LogLine } from "../state/game.svelte";

/** The territories, the first taken first. */
export function lostSince(log: readonly LogLine[], me: string): string[] {
  const lost = new Set<string>();
  let turns = 0; // own turns begun, from the newest event back
  for (const event of log.flatMap((line) => line.events).reverse()) {
    if (event.event === "turn_began" && event.seat === me && ++turns === 2) break;
    if (event.event === "captured" && event.before === me) lost.add(String(event.territory));
  }
  return [...lost].reverse();
}
