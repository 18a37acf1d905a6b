/** What a finished game shows: its turns, its luck, its key moments, and the board at any moment. */

import { api, type Answer } from "../../api/client";
import { holdingsOf } from "../../game/holdings";
import type { Holdings } from "../../map/types";
import { botName } from "../../state/bots";
import { Winning } from "./winning.svelte";

export type Turn = Answer<"/api/v1/games/{game}/turns", "get">[number];
export type Luck = Answer<"/api/v1/games/{game}/luck", "get">;
export type KeyMoment = Answer<"/api/v1/games/{game}/key-moments", "get">[number];
export type Moment = Answer<"/api/v1/games/{game}/moments", "get">[number];
type GameView = Answer<"/api/v1/games/{game}", "get">;

const KEPT = 60; // positions
const WHOLE_REPLAY = 75_000; // milliseconds at most, but
const STEPS = { longest: 900, shortest: 150 }; // milliseconds a turn
const PAGE = 1000; // moments that one answer has

export class Review {
  readonly id: string;
  readonly invite: string | null;
  readonly game: GameView;
  readonly turns: readonly Turn[];
  readonly luck: Luck;
  readonly keys: readonly KeyMoment[];
  readonly winning: Winning;
  /** The log index that is shown. */
  index = $state(0);
  holdings = $state.raw<Holdings>({});
  playing = $state(false);
  /** The position could not be fetched. */
  failed = $state(false);
  /** The turn that is shown: a place in `turns`. */
  place = $derived.by(() => this.placeOf(this.index));
  #known = new Map<number, Holdings>();
  #moments = new Map<number, readonly Moment[]>();
  #fetching: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(invite: string | null, game: GameView, turns: readonly Turn[], luck: Luck, keys: readonly KeyMoment[]) {
    this.id = game.id;
    this.invite = invite;
    this.game = game;
    this.turns = turns;
    this.luck = luck;
    this.keys = keys;
    this.winning = new Winning(game.id, invite);
  }

  /** Load a finished game, and show the moment at a log index or the end. */
  static async open(id: string, at: number | null, invite: string | null): Promise<Review> {
    const asked = { path: { game: id }, query: { invite } };
    const [game, turns, luck, keys] = await Promise.all([
      api.get("/api/v1/games/{game}", asked),
      api.get("/api/v1/games/{game}/turns", asked),
      api.get("/api/v1/games/{game}/luck", asked),
      api.get("/api/v1/games/{game}/key-moments", asked),
    ]);
    const review = new Review(invite, game, turns, luck, keys);
    const wanted = at !== null && Number.isSafeInteger(at) && at >= 0 ? at : null;
    await review.showAt(wanted ?? turns.at(-1)?.index ?? game.index); // without a turn: as it ended
    return review;
  }

  get turn(): Turn | undefined {
    return this.turns[this.place];
  }

  nameOf(colour: string): string {
    const seat = this.game.seats.find((each) => each.colour === colour);
    if (seat === undefined) return colour;
    return seat.bot === null ? seat.name : botName(seat.name, seat.bot);
  }

  /** The turn that a log index belongs to. */
  placeOf(index: number): number {
    let [low, high] = [0, this.turns.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.turns[middle]?.index ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Show the board as it stood at the beginning of a turn. */
  show(place: number): Promise<void> {
    const found = Math.max(0, Math.min(this.turns.length - 1, place));
    return this.showAt(this.turns[found]?.index ?? 0);
  }

  /** Show the board after a log index. While one position is fetched, only the last wish is kept. */
  showAt(index: number): Promise<void> {
    this.index = index;
    this.#fetching ??= this.#catchUp().finally(() => (this.#fetching = null));
    return this.#fetching;
  }

  async #catchUp(): Promise<void> {
    this.failed = false;
    let shown = -1;
    try {
      while (shown !== this.index) {
        shown = this.index;
        this.holdings = this.#known.get(shown) ?? (await this.#fetch(shown));
      }
    } catch {
      this.failed = true;
      this.stop();
    }
  }

  async #fetch(index: number): Promise<Holdings> {
    const asked = { path: { game: this.id, index }, query: { invite: this.invite } };
    const found = await api.get("/api/v1/games/{game}/at/{index}", asked);
    const holdings = holdingsOf(found.position.territories);
    if (this.#known.size >= KEPT) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(index, holdings);
    return holdings;
  }

  /** The decisions and rolls of a turn, fetched in pages. */
  async momentsOf(place: number): Promise<readonly Moment[]> {
    const known = this.#moments.get(place);
    if (known !== undefined) return known;
    const [first, last] = [this.turns[place]?.index ?? 0, this.turns[place + 1]?.index ?? 0];
    const found: Moment[] = [];
    let after = first;
    while (after < last) {
      const limit = Math.min(PAGE, last - after);
      const query = { after, limit, invite: this.invite };
      const page = await api.get("/api/v1/games/{game}/moments", { path: { game: this.id }, query });
      found.push(...page.filter((moment) => moment.index <= last));
      after = page.at(-1)?.index ?? last;
    }
    this.#moments.set(place, found);
    return found;
  }

  /** Play the turns one after another, or stop. */
  toggle(): void {
    if (this.playing) return this.stop();
    this.playing = true;
    void this.#play(this.place >= this.turns.length - 1 ? 0 : this.place + 1);
  }

  async #play(place: number): Promise<void> {
    const step = Math.max(STEPS.shortest, Math.min(STEPS.longest, WHOLE_REPLAY / this.turns.length));
    await this.show(place);
    if (!this.playing) return;
    if (place >= this.turns.length - 1) this.playing = false;
    else this.#timer = setTimeout(() => void this.#play(this.place + 1), step);
  }

  stop(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  /** The territories that the mover of a turn has won in it. */
  taken(place: number): number {
    const [turn, next] = [this.turns[place], this.turns[place + 1]];
    if (turn === undefined || next === undefined) return 0;
    return (next.seats[turn.seat]?.territories ?? 0) - (turn.seats[turn.seat]?.territories ?? 0);
  }
}
