/** The tables of the start page, kept up to date: one's own, those to join, and games to watch. */

import { api, type Answer } from "../api/client";
import { account } from "./account.svelte";

export type ListedTable = Answer<"/api/v1/tables/search", "get">["tables"][number];

const KINDS = ["tables", "table", "gone", "rematch", "following", "events", "decision", "over", "lobby", "begin"];
const PAUSE = 1000; // milliseconds between two questions, however much happens
const RETRY = 4000; // milliseconds until the server is asked again that could not be reached
const MINE_SHOWN = 6;
const OPEN_SHOWN = 8;
const WATCH_SHOWN = 3;

export class Tables {
  /** Null until the server has answered; of a stranger for ever. */
  mine = $state.raw<readonly ListedTable[] | null>(null);
  open = $state.raw<readonly ListedTable[] | null>(null);
  watch = $state.raw<readonly ListedTable[]>([]);
  /** Whether the server cannot be reached; the lists are those of the time `loaded` (ms since 1970). */
  lost = $state(false);
  loaded = $state(0);
  #stream: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #asked = false;

  /** Load the lists, then follow them until `close`, also where the server comes back later. */
  async follow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      if (!this.#asked) await account.load(); // who may have signed in or out meanwhile
      this.#asked = true;
      await this.#load();
    } catch {
      this.lost = true;
      if (!this.#closed) this.#timer = setTimeout(() => void this.follow(), RETRY);
      return;
    }
    if (this.#closed) return;
    this.lost = false;
    this.#stream ??= this.#listen();
  }

  close(): void {
    this.#closed = true;
    this.#stream?.close();
    clearTimeout(this.#timer);
  }

  #listen(): EventSource {
    const stream = new EventSource(`/api/v1/events?tables=open${account.profile ? "&mine=true" : ""}`);
    for (const kind of KINDS) stream.addEventListener(kind, () => this.#loadSoon());
    // It connects again by itself; what it says then comes with the answer of the server.
    stream.addEventListener("error", () => this.#loadSoon());
    return stream;
  }

  #loadSoon(): void {
    this.#timer ??= setTimeout(() => {
      if (!this.#closed) void this.follow();
    }, PAUSE);
  }

  async #load(): Promise<void> {
    const search = (which: "mine" | "open" | "watch", limit: number, owners: boolean) =>
      api.get("/api/v1/tables/search", { query: { which, limit, owners } });
    const [mine, open, watch] = await Promise.all([
      account.profile ? search("mine", MINE_SHOWN, true) : null,
      search("open", OPEN_SHOWN, false),
      search("watch", WATCH_SHOWN, false),
    ]);
    this.mine = mine === null ? null : [...mine.tables].sort((one, other) => urgency(one) - urgency(other));
    this.open = open.tables.filter((table) => table.your_seat === null);
    this.watch = watch.tables.filter((table) => table.your_seat === null);
    this.loaded = Date.now();
  }
}

/** Until when I must decide at a table (ms since 1970, by the server); null where no clock runs. */
export function deadline(table: ListedTable): number | null {
  return table.game?.moving.find((move) => move.colour === table.your_seat)?.until ?? null;
}

/** What waits for me comes first, by its deadline; the server has ordered the rest by its last change. */
export function urgency(table: ListedTable): number {
  if (!table.needs_you) return Number.MAX_VALUE;
  return deadline(table) ?? Number.MAX_SAFE_INTEGER;
}
