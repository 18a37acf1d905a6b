/** What the pages read from the events of a game: rolls by turn, cards dealt and traded. */

import { rollOf, type ShownRoll } from "../../game/rolls";
import type { LogLine } from "../../state/game.svelte";

export interface TurnOfRolls {
  readonly key: string;
  readonly round: number;
  readonly seat: string;
  /** The newest first; `number` counts all rolls of the game from 1. */
  readonly rolls: readonly ShownRoll[];
}

/** The turns with rolls, the newest first. */
export function rollsByTurn(log: readonly LogLine[]): TurnOfRolls[] {
  const turns: { key: string; round: number; seat: string; rolls: ShownRoll[] }[] = [];
  let round = 0;
  let number = 0;
  for (const line of log) {
    for (const event of line.events) {
      if (event.event === "turn_began") {
        round = Number(event.round);
        turns.push({ key: String(line.index), round, seat: String(event.seat), rolls: [] });
      }
      if (event.event !== "rolled") continue;
      number += 1;
      const roll = rollOf(event, line.index);
      if (roll === null) continue;
      if (turns.length === 0) turns.push({ key: String(line.index), round, seat: roll.attacker, rolls: [] });
      turns.at(-1)!.rolls.unshift({ ...roll, number });
    }
  }
  return turns.filter((turn) => turn.rolls.length > 0).reverse();
}

export interface DealtOrTraded {
  readonly key: string;
  readonly round: number;
  readonly kind: "drew" | "traded";
  /** Ids of cards; empty for one that is hidden. */
  readonly cards: readonly string[];
  readonly armies: number;
}

/** What a seat was dealt and has traded, the newest first. */
export function dealtAndTraded(log: readonly LogLine[], seat: string): DealtOrTraded[] {
  const found: DealtOrTraded[] = [];
  let round = 0;
  for (const line of log) {
    line.events.forEach((event, place) => {
      if (event.event === "turn_began") round = Number(event.round);
      if (event.seat !== seat) return;
      const key = `${line.index}.${place}`;
      if (event.event === "drew") found.push({ key, round, kind: "drew", cards: event.card == null ? [] : [String(event.card)], armies: 0 });
      if (event.event === "traded") found.push({ key, round, kind: "traded", cards: event.cards as string[], armies: Number(event.armies) });
    });
  }
  return found.reverse();
}
