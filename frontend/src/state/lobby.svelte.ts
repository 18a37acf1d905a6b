/** One table before its game, as its host, a guest or a visitor sees it. */

import { api, Refused, type Answer } from "../api/client";

export type TableView = Answer<"/api/v1/tables/{game}", "get">;
export type TableSeat = TableView["seats"][number];
export type Invites = Answer<"/api/v1/tables/{game}/invite", "get">;

const KINDS = ["lobby", "begin", "changed", "events", "over", "decision"];

export class Lobby {
  readonly id: string;
  readonly invite: string | null;
  table = $state.raw<TableView | null>(null);
  invites = $state.raw<Invites | null>(null);
  busy = $state(false);
  refusal = $state.raw<Error | null>(null);
  #stream: EventSource | null = null;
  /** Of each seat that was taken here: the deposit for its part in the dice. */
  readonly #sealed = new Map<string, Promise<void>>();

  constructor(id: string, invite: string | null) {
    this.id = id;
    this.invite = invite;
  }

  get begun(): boolean {
    return this.table !== null && this.table.state !== "lobby";
  }

  get me(): TableSeat | undefined {
    return this.table?.seats.find((seat) => seat.yours);
  }

  get host(): boolean {
    return this.table?.you_host === true;
  }

  /** Load the table, then follow it; Refused where it may not be seen. */
  async open(): Promise<void> {
    await this.load();
    if (!this.begun) this.#follow();
  }

  close(): void {
    this.#stream?.close();
    this.#stream = null;
  }

  async load(): Promise<void> {
    const asked = { path: { game: this.id }, query: { invite: this.invite } };
    const table = await api.get("/api/v1/tables/{game}", asked);
    const told = table.you_host || table.access === "open" || (table.access === "link" && this.invite !== null);
    this.invites = told && table.state === "lobby" ? await api.get("/api/v1/tables/{game}/invite", asked) : null;
    this.table = table;
    if (table.state === "lobby" && this.me !== undefined) void this.#seal(this.me.colour);
  }

  /** Take part in the dice from their first line on. */
  #seal(seat: string): Promise<void> {
    const sealed = this.#sealed.get(seat) ?? import("./dice.svelte").then(({ sealInLobby }) => sealInLobby(this.id, seat));
    this.#sealed.set(seat, sealed);
    return sealed;
  }

  #follow(): void {
    const query = new URLSearchParams({ games: this.id });
    if (this.invite !== null) query.set("invite", this.invite);
    this.close();
    this.#stream = new EventSource(`/api/v1/events?${query}`);
    for (const kind of [...KINDS, "open"]) {
      this.#stream.addEventListener(kind, () => void this.load().catch((error: Error) => (this.refusal = error)));
    }
  }

  /** Take a seat: any, the one of the invite, or the one of a colour. */
  join(colour: string | null = null): Promise<boolean> {
    const body = { colour, invite: this.invite };
    return this.#send(async () => {
      await api.post("/api/v1/tables/{game}/join", { path: { game: this.id }, body });
      this.#follow(); // as somebody who sits here
    });
  }

  leave(): Promise<boolean> {
    return this.#send(() => api.post("/api/v1/tables/{game}/leave", { path: { game: this.id } }));
  }

  seatBot(colour: string, bot: string): Promise<boolean> {
    const path = { game: this.id };
    return this.#send(() => api.post("/api/v1/tables/{game}/bot", { path, body: { colour, bot } }));
  }

  /** Take the bot or the person off a seat. */
  clear(seat: TableSeat): Promise<boolean> {
    const sent = { path: { game: this.id }, body: { colour: seat.colour } };
    return this.#send(() =>
      seat.bot === null ? api.post("/api/v1/tables/{game}/kick", sent) : api.post("/api/v1/tables/{game}/free", sent),
    );
  }

  changeColour(colour: string): Promise<boolean> {
    const path = { game: this.id };
    return this.#send(() => api.post("/api/v1/tables/{game}/colour", { path, body: { colour } }));
  }

  changeAccess(access: string): Promise<boolean> {
    const path = { game: this.id };
    return this.#send(() => api.patch("/api/v1/tables/{game}", { path, body: { access } }));
  }

  /** Start the game; bots take the free seats. */
  start(bot: string): Promise<boolean> {
    const path = { game: this.id };
    return this.#send(async () => {
      for (const seat of this.table?.seats ?? []) {
        if (seat.free) await api.post("/api/v1/tables/{game}/bot", { path, body: { colour: seat.colour, bot } });
      }
      if (this.me !== undefined) await this.#seal(this.me.colour);
      await api.post("/api/v1/tables/{game}/start", { path });
    });
  }

  closeTable(): Promise<boolean> {
    return this.#send(() => api.post("/api/v1/tables/{game}/close", { path: { game: this.id } }));
  }

  /** Send something, and show the table as it is then; false if it was refused. */
  async #send(request: () => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    this.refusal = null;
    try {
      await request();
      return true;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.refusal = error;
      return false;
    } finally {
      await this.load().catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
      });
      this.busy = false;
    }
  }
}
