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
const KEY = "rubicon.orders.";

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
  #request = new AbortController();

  constructor(game: Game) {
    this.game = game;
    this.text = localStorageOr("", () => localStorage.getItem(KEY + game.id) ?? "");
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
    localStorageOr(null, () => (text === "" ? localStorage.removeItem(KEY + this.game.id) : localStorage.setItem(KEY + this.game.id, text)));
    this.#askSoon(PAUSE);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
  }

  #askSoon(pause: number): void {
    clearTimeout(this.#timer);
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    this.#timer = setTimeout(() => void this.#ask(signal).catch((error: unknown) => this.#ignore(error)), pause);
  }

  #ignore(error: unknown): void {
    const aborted = error instanceof DOMException && error.name === "AbortError";
    if (!aborted && !(error instanceof Unreachable) && !(error instanceof Refused)) throw error;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { text, game } = this;
    const sent = { path: { game: game.id }, body: { text }, signal };
    void this.complete(signal).catch((error: unknown) => this.#ignore(error));
    try {
      this.explanation = await game.api.post("/api/v1/games/{game}/orders/explain", sent);
      this.problems = [];
      this.corrected = "";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.problems = (error.details.problems ?? []) as Problem[];
      this.corrected = typeof error.details.corrected === "string" ? error.details.corrected : "";
      this.preview = null;
      return;
    } finally {
      if (!signal.aborted) this.asked = text;
    }
    if (this.orders.length === 0) {
      this.preview = null;
      return;
    }
    try {
      this.preview = await game.api.post("/api/v1/games/{game}/orders/preview", sent);
      this.hindrance = "";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.preview = null;
      this.hindrance = error.message;
    }
  }

  /** Ask what may be written at the cursor. */
  async complete(signal?: AbortSignal): Promise<void> {
    const { text, cursor, game } = this;
    const sent = { path: { game: game.id }, body: { text, cursor }, ...(signal === undefined ? {} : { signal }) };
    const { candidates } = await game.api.post("/api/v1/games/{game}/orders/complete", sent);
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
