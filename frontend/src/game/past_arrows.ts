/** The arrows of the last turn of somebody else, and of attacks on oneself since the own last turn. */

import type { Arrow } from "../map/types";
import type { GameEvent, LogLine } from "../state/game.svelte";

/** One arrow for each way that was attacked or moved along, the oldest first; they stay until the own turn ends. */
export function pastArrows(log: readonly LogLine[], me: string | null): Arrow[] {
  const found = new Map<string, Arrow>();
  let others = 0; // turns of others, from the newest event back
  for (let line = log.length - 1; line >= 0; line--) {
    for (const event of log[line]!.events.toReversed()) {
      if (event.event === "turn_began") {
        if (event.seat !== me) others++;
        else if (others > 0) return [...found.values()].reverse();
      }
      const seat = event.seat ?? event.attacker;
      const shown = seat !== me && (others === 0 || (me !== null && event.defender === me));
      const arrow = shown ? arrowOf(event) : null;
      if (arrow !== null && !found.has(`${arrow.from} ${arrow.to}`)) found.set(`${arrow.from} ${arrow.to}`, arrow);
    }
    if (others > 0 && me === null) break;
  }
  return [...found.values()].reverse();
}

function arrowOf(event: GameEvent): Arrow | null {
  if (event.event === "rolled") return { from: String(event.source), to: String(event.target), kind: "past" };
  const [verb, from = "", sign, to = ""] = event.event === "decided" ? String(event.action).split(" ") : [];
  return verb === "fortify" && sign === "->" ? { from, to, kind: "past" } : null;
}
