/** The roll that is shown: new rolls of the log come one after another. */

import type { Game } from "../state/game.svelte";
import { allRolls, type ShownRoll } from "./rolls";
import { schedule } from "./series";

export class RollSeries {
  readonly #game: Game;
  #known: number;
  #timers: ReturnType<typeof setTimeout>[] = [];
  #waiting: ShownRoll[] = [];
  roll = $state.raw<ShownRoll | null>(null);
  /** The place of the shown roll in its series, from 1. */
  number = $state(1);
  /** Counts the rolls shown: each falls anew. */
  shown = $state(0);

  constructor(game: Game) {
    this.#game = game;
    const rolls = allRolls(game.log);
    this.#known = rolls.at(-1)?.index ?? -1;
    this.roll = rolls.at(-1) ?? null;
  }

  /** Show the rolls that the log has got; an older series is given up. */
  follow(speed: number): void {
    const rolls = allRolls(this.#game.log).filter((roll) => roll.index > this.#known);
    if (rolls.length === 0) return;
    this.#known = rolls.at(-1)!.index;
    this.skip();
    this.#waiting = rolls;
    const times = schedule(rolls.length, speed);
    rolls.forEach((roll, index) => {
      if (times[index] === 0) this.#show(roll, index + 1);
      else this.#timers.push(setTimeout(() => this.#show(roll, index + 1), times[index]));
    });
  }

  #show(roll: ShownRoll, number: number): void {
    this.roll = roll;
    this.number = number;
    this.shown += 1;
  }

  /** Show the last roll of the series at once. */
  skip(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    const last = this.#waiting.at(-1);
    if (this.#timers.length > 0 && last !== undefined) this.#show(last, this.#waiting.length);
    this.#timers = [];
  }
}
