/** The tables of the start page, kept up to date: one's own, and those that anybody may join. */

import { api, type Answer } from "../api/client";

export type ListedTable = Answer<"/api/v1/tables/search", "get">["tables"][number];

const KINDS = ["tables", "table", "gone", "rematch", "following", "events", "decision", "over", "lobby", "begin"];
const PAUSE = 1000; // milliseconds between two questions, however much happens
const MINE_SHOWN = 6;
const OPEN_SHOWN = 8;

export class Tables {
  /** Null until the server has answered. */
  mine = $state.raw<readonly ListedTable[] | null>(null);
  open = $state.raw<readonly ListedTable[] | null>(null);
  #signedIn: boolean;
  #stream: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(signedIn: boolean) {
    this.#signedIn = signedIn;
  }

  /** Load both lists, then follow them until `close`. */
  async follow(): Promise<void> {
    await this.#load();
    if (this.#closed) return;
    this.#stream = new EventSource(`/api/v1/events?tables=open${this.#signedIn ? "&mine=true" : ""}`);
    for (const kind of KINDS) this.#stream.addEventListener(kind, () => this.#loadSoon());
  }

  close(): void {
    this.#closed = true;
    this.#stream?.close();
    clearTimeout(this.#timer);
  }

  #loadSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#closed) void this.#load().catch(() => undefined);
    }, PAUSE);
  }

  async #load(): Promise<void> {
    const search = (which: "mine" | "open", limit: number, owners: boolean) =>
      api.get("/api/v1/tables/search", { query: { which, limit, owners } });
    const [mine, open] = await Promise.all([
      this.#signedIn ? search("mine", MINE_SHOWN, true) : null,
      search("open", OPEN_SHOWN, false),
    ]);
    // The most urgent first; the server has ordered the rest by their last change.
    this.mine = [...(mine?.tables ?? [])].sort((one, other) => Number(other.needs_you) - Number(one.needs_you));
    this.open = open.tables.filter((table) => table.your_seat === null);
  }
}
