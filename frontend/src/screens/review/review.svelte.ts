/** What a finished game shows: its turns, its luck, and the board at any turn. */

import { api, type Answer } from "../../api/client";
import type { Holdings } from "../../map/types";
import { holdingsOf } from "../../game/holdings";

export type Turn = Answer<"/api/v1/games/{game}/turns", "get">[number];
export type Luck = Answer<"/api/v1/games/{game}/luck", "get">;
type GameView = Answer<"/api/v1/games/{game}", "get">;

const STEP = 900; // milliseconds a turn while the replay plays
const KEPT = 60; // positions

export class Review {
  readonly id: string;
  readonly game: GameView;
  readonly turns: readonly Turn[];
  readonly luck: Luck;
  /** The turn that is shown: a place in `turns`. */
  place = $state(0);
  playing = $state(false);
  holdings = $state.raw<Holdings>({});
  #known = new Map<number, Holdings>();
  #timer: ReturnType<typeof setInterval> | undefined;

  private constructor(game: GameView, turns: readonly Turn[], luck: Luck) {
    this.id = game.id;
    this.game = game;
    this.turns = turns;
    this.luck = luck;
  }

  /** Load a finished game, and show the turn at a log index or the end. */
  static async open(id: string, at: number | null): Promise<Review> {
    const path = { game: id };
    const [game, turns, luck] = await Promise.all([
      api.get("/api/v1/games/{game}", { path }),
      api.get("/api/v1/games/{game}/turns", { path }),
      api.get("/api/v1/games/{game}/luck", { path }),
    ]);
    const review = new Review(game, turns, luck);
    const wanted = at === null ? -1 : turns.findLastIndex((turn) => turn.index <= at);
    await review.show(wanted < 0 ? turns.length - 1 : wanted);
    return review;
  }

  get turn(): Turn | undefined {
    return this.turns[this.place];
  }

  /** Show the board as it stood at the beginning of a turn. */
  async show(place: number): Promise<void> {
    this.place = Math.max(0, Math.min(this.turns.length - 1, place));
    const index = this.turns[this.place]?.index ?? 0;
    const known = this.#known.get(index) ?? (await this.#fetch(index));
    if (this.turns[this.place]?.index === index) this.holdings = known;
  }

  async #fetch(index: number): Promise<Holdings> {
    const path = { game: this.id, index };
    const found = await api.get("/api/v1/games/{game}/at/{index}", { path });
    const holdings = holdingsOf(found.position.territories);
    if (this.#known.size >= KEPT) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(index, holdings);
    return holdings;
  }

  /** Play the turns one after another, or stop. */
  toggle(): void {
    this.playing = !this.playing;
    clearInterval(this.#timer);
    if (!this.playing) return;
    if (this.place >= this.turns.length - 1) void this.show(0);
    this.#timer = setInterval(() => {
      if (this.place >= this.turns.length - 1) this.toggle();
      else void this.show(this.place + 1);
    }, STEP);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** The territories that the mover of a turn has won in it. */
  taken(place: number): number {
    const [turn, next] = [this.turns[place], this.turns[place + 1]];
    if (turn === undefined || next === undefined) return 0;
    return (next.seats[turn.seat]?.territories ?? 0) - (turn.seats[turn.seat]?.territories ?? 0);
  }
}
