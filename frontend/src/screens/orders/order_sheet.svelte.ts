/** The text of a turn while it is written: what it means, what may come of it, what is wrong with it. */

import { Refused, Unreachable, type Answer } from "../../api/client";
import type { Game } from "../../state/game.svelte";
import { plannedArrows, plannedPlacements, type Explanation, type Preview } from "./plan";

export type Candidate = Answer<"/api/v1/games/{game}/orders/complete", "post">["candidates"][number];

export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly code: string;
  readonly message: string;
  readonly suggestion: string;
}

const PAUSE = 300; // milliseconds after the last key
const key = (game: Game) => `rubicon.orders.${game.id}.${game.me ?? ""}`; // of one seat: others must not read it

export class OrderSheet {
  readonly game: Game;
  text = $state("");
  /** Where the cursor stands, in characters; the editor keeps it. */
  cursor = $state(0);
  explanation = $state.raw<Explanation | null>(null);
  preview = $state.raw<Preview | null>(null);
  problems = $state.raw<readonly Problem[]>([]);
  /** The text as far as the server has understood it; "" where nothing is wrong. */
  corrected = $state("");
  candidates = $state.raw<readonly Candidate[]>([]);
  /** Why there is no preview, in the server's words. */
  hindrance = $state("");
  /** The text and the position that the answers are for. */
  asked = $state("");
  #timer: ReturnType<typeof setTimeout> | undefined;
  #working = false;
  #asked = false;
  #closed = false;

  constructor(game: Game) {
    this.game = game;
    this.text = localStorageOr("", () => localStorage.getItem(key(game)) ?? "");
    this.cursor = this.text.length;
    this.#askSoon(0);
  }

  get orders() {
    return this.explanation?.each ?? [];
  }

  get arrows() {
    return plannedArrows(this.orders);
  }

  get placed() {
    return plannedPlacements(this.orders);
  }

  /** Replace the text; what it means is asked for once nothing has changed for a moment. */
  write(text: string, cursor = text.length): void {
    this.text = text;
    this.cursor = cursor;
    this.candidates = [];
    localStorageOr(null, () => (text === "" ? localStorage.removeItem(key(this.game)) : localStorage.setItem(key(this.game), text)));
    this.#askSoon(PAUSE);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** The cursor was moved, and with it what may be written. */
  moveTo(cursor: number): void {
    if (cursor === this.cursor) return;
    this.cursor = cursor;
    this.candidates = [];
    this.#askSoon(PAUSE);
  }

  /** The game has gone on: the same text may mean something else. */
  askAgain(): void {
    this.#asked = false;
    this.#askSoon(PAUSE);
  }

  #askSoon(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#work(), pause);
  }

  /** One question after another: the server works on one of an account at a time. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    try {
      for (let asked: string | null = null; !this.#closed && asked !== this.#state; ) {
        asked = this.#state;
        await this.#ask();
      }
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error instanceof Refused)) throw error;
    } finally {
      this.#working = false;
    }
  }

  get #state(): string {
    return `${this.cursor} ${this.text}`;
  }

  async #ask(): Promise<void> {
    const state = this.#state;
    const { text, game } = this;
    const sent = { path: { game: game.id }, body: { text } };
    const known = this.current && this.#asked;
    if (!known) await this.#explain(text);
    if (state !== this.#state || this.#closed) return;
    await this.#complete();
    if (state !== this.#state || this.#closed || known || this.problems.length > 0) return;
    this.hindrance = "";
    try {
      const found = this.orders.length === 0 ? null : await game.api.post("/api/v1/games/{game}/orders/preview", sent);
      if (text === this.text) this.preview = found;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.preview = null;
      this.hindrance = error.message;
    }
  }

  async #explain(text: string): Promise<void> {
    try {
      this.explanation = await this.game.api.post("/api/v1/games/{game}/orders/explain", { path: { game: this.game.id }, body: { text } });
      this.problems = [];
      this.corrected = "";
    } catch (error) {
      if (!(error instanceof Refused) || !Array.isArray(error.details.problems)) throw error;
      this.problems = error.details.problems as Problem[];
      this.corrected = typeof error.details.corrected === "string" ? error.details.corrected : "";
      this.preview = null;
    }
    this.asked = text;
    this.#asked = true;
  }

  /** What may be written at the cursor. */
  async #complete(): Promise<void> {
    const { text, cursor, game } = this;
    const { candidates } = await game.api.post("/api/v1/games/{game}/orders/complete", { path: { game: game.id }, body: { text, cursor } });
    // What stands there already is no news.
    const news = candidates.filter((each) => each.text.trim().toLowerCase() !== text.slice(each.start, each.stop).trim().toLowerCase());
    if (this.text === text && this.cursor === cursor) this.candidates = news;
  }

  /** Write a candidate in place of what stands there. */
  take(candidate: Candidate): void {
    const before = this.text.slice(0, candidate.start) + candidate.text;
    this.write(before + this.text.slice(candidate.stop), before.length);
  }

  /** Whether the answers are for the text as it is now. */
  get current(): boolean {
    return this.asked === this.text;
  }
}

/** What the browser's storage gives; a private window may have none. */
function localStorageOr<Value>(otherwise: Value, read: () => Value | void): Value {
  try {
    return read() ?? otherwise;
  } catch {
    return otherwise;
  }
}
