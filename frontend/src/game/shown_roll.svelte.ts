/** The roll that is shown: new rolls of the log come one after another. */

import type { Game } from "../state/game.svelte";
import { RollReader, sameBattle, type ShownRoll } from "./rolls";
import { pause } from "./series";

const SLOW = 600; // milliseconds from one roll to the next
const FRESH = 5000; // milliseconds for which a roll is news

export class RollSeries {
  readonly #game: Game;
  /** The last line that was looked at. */
  #heard = -1;
  readonly #reader = new RollReader();
  #waiting: ShownRoll[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #series = { shown: 0, began: 0 };
  #shownAt = -Infinity;
  #stale: ReturnType<typeof setTimeout> | undefined;
  roll = $state.raw<ShownRoll | null>(null);
  /** Counts the rolls shown: each falls anew. */
  shown = $state(0);
  /** Whether the dice of the roll fall: not where one roll quickly follows another, or they would never lie. */
  falls = $state(false);
  /** Whether the roll is news. */
  fresh = $state(false);
  /** What happened before the page was opened does not fall again. */
  readonly #opened: number;

  constructor(game: Game) {
    this.#game = game;
    this.#opened = game.view?.index ?? -1;
  }

  /** Show the rolls that the log has got. */
  follow(speed: number): void {
    const lines = linesAfter(this.#game.log, this.#heard);
    if (lines.length === 0) return;
    this.#heard = lines.at(-1)!.index;
    const rolls = this.#reader.read(lines);
    const newest = rolls.at(-1);
    if (newest === undefined) return;
    const fallen = rolls.filter((roll) => roll.index > this.#opened);
    if (fallen.length === 0) this.roll = newest;
    else this.#queue(fallen, newest, speed);
  }

  /** A newer battle is what matters: what still waits of an older one stands in the log. */
  #queue(rolls: readonly ShownRoll[], newest: ShownRoll, speed: number): void {
    const another = this.roll !== null && !sameBattle(this.roll, newest);
    this.#waiting = [...this.#waiting, ...rolls].filter((roll) => sameBattle(roll, newest));
    if (speed === 0) this.#waiting = [newest];
    if (another) this.#end();
    if (this.#timer === undefined) {
      this.#series = { shown: 0, began: performance.now() };
      this.#next(speed);
    }
  }

  #next(speed: number): void {
    const roll = this.#waiting.shift();
    this.#timer = undefined;
    if (roll === undefined) return;
    this.#show(roll);
    this.#series.shown += 1;
    const spent = speed === 0 ? 0 : (performance.now() - this.#series.began) / speed;
    const wait = pause({ shown: this.#series.shown, waiting: this.#waiting.length, spent }, speed);
    this.#timer = setTimeout(() => this.#next(speed), wait);
  }

  #show(roll: ShownRoll): void {
    this.falls = performance.now() - this.#shownAt > SLOW;
    this.#shownAt = performance.now();
    this.roll = roll;
    this.shown += 1;
    this.fresh = true;
    clearTimeout(this.#stale);
    this.#stale = setTimeout(() => (this.fresh = false), FRESH);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Show the last roll of the series at once. */
  skip(): void {
    const last = this.#waiting.at(-1);
    if (last === undefined) return;
    this.#end();
    this.#waiting = [];
    this.#show(last);
  }
}

function linesAfter(log: Game["log"], index: number): Game["log"] {
  let first = log.length;
  while (first > 0 && log[first - 1]!.index > index) first -= 1;
  return log.slice(first);
}
