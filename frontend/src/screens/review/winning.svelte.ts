/** The review by the value model: the server makes it in some seconds, so it is asked for until it is ready. */

import { api, Refused, type Answer } from "../../api/client";

export type WinningReview = NonNullable<Answer<"/api/v1/games/{game}/review", "get">["review"]>;

const PAUSE = 1500; // milliseconds between two requests

export class Winning {
  found = $state.raw<WinningReview | null>(null);
  failed = $state(false);
  #game: string;
  #invite: string | null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(game: string, invite: string | null) {
    this.#game = game;
    this.#invite = invite;
  }

  /** Ask until the review is ready. */
  async ask(): Promise<void> {
    this.failed = false;
    try {
      const asked = { path: { game: this.#game }, query: { invite: this.#invite } };
      const answer = await api.get("/api/v1/games/{game}/review", asked);
      this.found = answer.review;
    } catch (error) {
      // Too many reviews are being made: this one's turn comes later.
      this.failed = !(error instanceof Refused) || !["work/busy", "work/overloaded"].includes(error.code);
    }
    if (this.found === null && !this.failed && !this.#stopped) this.#timer = setTimeout(() => void this.ask(), PAUSE);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
