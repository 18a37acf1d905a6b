/** Rolls of the log, as they are drawn. */

import { fatedDice, type FatedDie } from "../parts/dice";
import type { GameEvent, LogLine } from "../state/game.svelte";

export interface ShownRoll {
  /** The place of its line in the log. */
  readonly index: number;
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
export function rollOf(event: GameEvent, index = 0): ShownRoll | null {
  if (event.event !== "rolled" || event.roll == null) return null;
  const roll = event.roll as { attack: number[]; defence: number[] };
  const winners = (event.winners ?? []) as string[];
  const attack = fatedDice(roll.attack, winners, "attacker");
  const defend = fatedDice(roll.defence, winners, "defender");
  return {
    index,
    attacker: String(event.attacker),
    defender: String(event.defender),
    source: String(event.source),
    target: String(event.target),
    attack,
    defend,
    signs: winners.map((winner, index) => {
      const even = attack[index]?.face === defend[index]?.face;
      return winner === "attacker" ? ">" : even ? "=" : "<";
    }),
    attackerLost: Number(event.attacker_lost),
    defenderLost: Number(event.defender_lost),
  };
}

/** The rolls of a log that are shown, the oldest first. */
export function allRolls(log: readonly LogLine[]): ShownRoll[] {
  const rolls = log.flatMap((line) => line.events.map((event) => rollOf(event, line.index)));
  return rolls.filter((roll) => roll !== null);
}
