/** One table before its game, as its host, a guest or a visitor sees it. */

import { api, Refused, type Answer } from "../api/client";
import { rememberBots } from "./last_time";

export type TableView = Answer<"/api/v1/tables/{game}", "get">;
export type TableSeat = TableView["seats"][number];
export type TablePerson = Answer<"/api/v1/tables/{game}/people", "get">[number];
export type Invites = Answer<"/api/v1/tables/{game}/invite", "get">;

export interface TableChange {
  title?: string;
  access?: string;
  ruleset?: string;
  options?: Readonly<Record<string, string>>;
  seats?: number;
  settings?: Readonly<Record<string, unknown>>;
  rebels?: Readonly<Record<string, number>>;
}

const KINDS = ["lobby", "begin", "changed", "events", "over", "decision"];

export class Lobby {
  readonly id: string;
  readonly invite: string | null;
  table = $state.raw<TableView | null>(null);
  invites = $state.raw<Invites | null>(null);
  /** Of the people who sit here, by colour: when they were last seen, and their public pages. */
  people = $state.raw<ReadonlyMap<string, TablePerson>>(new Map());
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
    const people = await api.get("/api/v1/tables/{game}/people", asked);
    this.people = new Map(people.map((person) => [person.colour, person]));
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

  /** Change the table: its rules, seats, time, name or access. What is not named stays. */
  change(body: TableChange): Promise<boolean> {
    return this.#send(() => api.patch("/api/v1/tables/{game}", { path: { game: this.id }, body }));
  }

  /** Name the game master: the colour of a seat, or a player's name. */
  nameMaster(player: string): Promise<boolean> {
    return this.#send(() => api.post("/api/v1/tables/{game}/master", { path: { game: this.id }, body: { player } }));
  }

  /** Start the game; bots take the free seats, or without a bot (null) those seats go. */
  start(bot: string | null): Promise<boolean> {
    const path = { game: this.id };
    return this.#send(async () => {
      const seats = this.table?.seats ?? [];
      const free = seats.filter((seat) => seat.free);
      if (bot === null) await api.patch("/api/v1/tables/{game}", { path, body: { seats: seats.length - free.length } });
      for (const seat of bot === null ? [] : free) {
        await api.post("/api/v1/tables/{game}/bot", { path, body: { colour: seat.colour, bot: bot ?? "" } });
      }
      rememberBots(this.id, Object.fromEntries(seats.flatMap((seat) => (seat.bot !== null ? [[seat.number, seat.bot]] : seat.free && bot !== null ? [[seat.number, bot]] : []))));
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
