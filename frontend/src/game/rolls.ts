/** Rolls of the log, as they are drawn. */

import { fates, type FatedDie } from "../parts/fates";
import type { GameEvent, LogLine } from "../state/game.svelte";

export interface ShownRoll {
  readonly attacker: string;
  readonly defender: string;
  readonly source: string;
  readonly target: string;
  readonly attack: readonly FatedDie[];
  readonly defend: readonly FatedDie[];
  /** What stands between the dice of each pair: > or = or <. */
  readonly signs: readonly string[];
  readonly attackerLost: number;
  readonly defenderLost: number;
}

/** The roll of an event; null where it is none, or its dice are hidden. */
export function rollOf(event: GameEvent): ShownRoll | null {
  if (event.event !== "rolled" || event.roll == null) return null;
  const roll = event.roll as { attack: number[]; defence: number[] };
  const drawn = fates(roll.attack, roll.defence);
  return {
    attacker: String(event.attacker),
    defender: String(event.defender),
    source: String(event.source),
    target: String(event.target),
    attack: drawn.attack,
    defend: drawn.defend,
    signs: drawn.attack.map((die, index) => {
      const other = drawn.defend[index];
      if (other === undefined) return "";
      return die.face > other.face ? ">" : die.face === other.face ? "=" : "<";
    }),
    attackerLost: Number(event.attacker_lost),
    defenderLost: Number(event.defender_lost),
  };
}

/** The newest roll of a log that is shown. */
export function lastRoll(log: readonly LogLine[]): ShownRoll | null {
  for (const line of log.toReversed()) {
    for (const event of line.events.toReversed()) {
      const roll = rollOf(event);
      if (roll !== null) return roll;
    }
  }
  return null;
}
