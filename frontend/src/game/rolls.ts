/** Rolls of the log, as they are drawn. */

import { fatedDice, type FatedDie } from "../parts/dice";
import type { GameEvent, LogLine } from "../state/game.svelte";

export interface ShownRoll {
  /** The place of its line in the log. */
  readonly index: number;
  /** Its place among the rolls of one battle in one turn, from 1. */
  readonly number: number;
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
    number: 1,
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

/** Whether two rolls are of the same territory against the same other. */
export function sameBattle(one: Pick<ShownRoll, "source" | "target">, other: Pick<ShownRoll, "source" | "target">): boolean {
  return one.source === other.source && one.target === other.target;
}

/** Reads the rolls of a log, line after line, and numbers those of each battle. */
export class RollReader {
  #last: ShownRoll | null = null;

  /** The rolls of the lines that follow those read before, the oldest first. */
  read(lines: readonly LogLine[]): ShownRoll[] {
    const found: ShownRoll[] = [];
    for (const line of lines) {
      for (const event of line.events) {
        if (event.event === "turn_began") this.#last = null;
        const roll = rollOf(event, line.index);
        if (roll === null) continue;
        const goesOn = this.#last !== null && sameBattle(this.#last, roll);
        this.#last = { ...roll, number: goesOn ? this.#last!.number + 1 : 1 };
        found.push(this.#last);
      }
    }
    return found;
  }
}
