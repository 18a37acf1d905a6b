/** The arrows of the last turn of somebody else: they stay until the own turn ends. */

import type { Arrow } from "../map/types";
import type { GameEvent, LogLine } from "../state/game.svelte";

/** One arrow for each way that was attacked or moved along, the oldest first. */
export function pastArrows(log: readonly LogLine[], me: string | null): Arrow[] {
  const found = new Map<string, Arrow>();
  for (let line = log.length - 1; line >= 0; line--) {
    for (const event of log[line]!.events.toReversed()) {
      const seat = event.seat ?? event.attacker;
      if (event.event === "turn_began" && event.seat !== me) return [...found.values()].reverse();
      const arrow = seat === me ? null : arrowOf(event);
      if (arrow !== null && !found.has(`${arrow.from} ${arrow.to}`)) found.set(`${arrow.from} ${arrow.to}`, arrow);
    }
  }
  return [...found.values()].reverse();
}

function arrowOf(event: GameEvent): Arrow | null {
  if (event.event === "rolled") return { from: String(event.source), to: String(event.target), kind: "past" };
  const [verb, from = "", sign, to = ""] = event.event === "decided" ? String(event.action).split(" ") : [];
  return verb === "fortify" && sign === "->" ? { from, to, kind: "past" } : null;
}
