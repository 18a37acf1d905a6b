/** One game as its player, or a spectator, sees it: state, legal actions, log, connection. */

import { apiOf, forgetEarly, Refused, Unreachable, type Answer, type Api } from "../api/client";
import type { components } from "../api/schema";
import { listen } from "../api/stream";
import type { Owner } from "../map/types";
import { texts } from "../texts/texts.svelte";
import { botName } from "./bots";
import type { OwnDice } from "./dice.svelte";
import { withLines } from "./log_lines";
import { beforeNextFrame } from "./next_frame";
import { Toasts } from "./toasts.svelte";

export type GameView = Answer<"/api/v1/games/{game}", "get">;
export type Legal = Answer<"/api/v1/games/{game}/legal", "get">;
export type ActionRange = Legal["ranges"][number];
/** What an answer and an event of the stream carry: what the own seat sees next. */
export type Next = NonNullable<Answer<"/api/v1/games/{game}/submit", "post">["next"]>;
/** A question about the attacks from one territory. */
export type OddsQuestion = components["schemas"]["AskOdds"];
export type Odds = Answer<"/api/v1/games/{game}/odds", "post">;

/** An event of the rules, as the server words it; docs/api.md lists the kinds. */
export interface GameEvent {
  readonly event: string;
  readonly text: string;
  readonly [field: string]: unknown;
}

export interface LogLine {
  readonly index: number;
  readonly at: number;
  readonly events: readonly GameEvent[];
}

export interface ChatLine {
  readonly id: number;
  /** Its author's colour; empty where the author has left. */
  readonly seat: string;
  readonly to: string;
  readonly text: string;
  /** The name of a set phrase; empty for words of one's own. */
  readonly phrase: string;
  readonly at: number;
}

export type Connection = "connecting" | "live" | "lost";

interface StreamEvent {
  readonly game: string;
  readonly index: number;
  readonly kind: string;
  readonly at: number;
  readonly body: unknown;
}

const KINDS = ["events", "decision", "opening", "deadline", "over", "fork", "lobby", "changed", "chat", "link", "begin", "next"];
const LOG_KEPT = 400; // lines; replay has them all
const PACE = 60; // milliseconds from one drawing of news to the next, at least
const OWED = 2000; // milliseconds within which the stream brings what follows its events
const NEXT = { next: true } as const; // of a request: what the seat sees next comes with the answer
const SEND_AGAIN = [500, 1500, 4000]; // milliseconds, where no answer came; then the last one

export class Game {
  readonly id: string;
  readonly invite: string | null;
  readonly api: Api;
  readonly #token: string | null;
  view = $state.raw<GameView | null>(null);
  legal = $state.raw<Legal | null>(null);
  log = $state.raw<readonly LogLine[]>([]);
  chat = $state.raw<readonly ChatLine[]>([]);
  connection = $state<Connection>("connecting");
  /** When the data is from, in milliseconds since 1970 by the server's clock. */
  heardAt = $state(0);
  /** An order is on its way, since this moment of the page's clock. */
  sentAt = $state<number | null>(null);
  /** What the server said against the last order, until the next one. */
  refusal = $state.raw<Refused | null>(null);
  /** What became of the last order. */
  receipt = $state.raw<Answer<"/api/v1/games/{game}/submit", "post"> | null>(null);
  /** Short news for whoever looks at the game. */
  readonly toasts = new Toasts();
  /** What news speak of, for the map: territories, or (an empty list) what the decision is about. */
  pointedAt = $state.raw<readonly string[] | null>(null);
  /** Whether the menu of the table is open: news lead to it. */
  tableOpen = $state(false);
  /** What the own seat may do without a decision, as last asked for. */
  outOfTurnRanges = $state.raw<readonly ActionRange[]>([]);
  /** The own seat's part in the dice, once it is loaded. */
  dice = $state.raw<OwnDice | null>(null);
  /** The server's clock less this device's, in milliseconds. */
  clockOffset = 0;
  #joining: Promise<void> = Promise.resolve();
  #unfollow: () => void = () => undefined;
  /** What the stream has brought since the last frame. */
  #heard: StreamEvent[] = [];
  #callOff: () => void = () => undefined;
  #tookAt = -Infinity;
  #refreshing: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #closed = false;
  /** Asks for what the stream owes, if it does not come. */
  #owed: ReturnType<typeof setTimeout> | undefined;
  /** How often the state was taken from an answer or an event. */
  #taken = 0;
  /** Odds in the position at `#oddsAt`, by their question. */
  readonly #odds = new Map<string, Odds>();
  #oddsAt = -1;

  /** The token says who asks, as in `apiOf`; with one, the seat takes no part in the dice. */
  constructor(id: string, invite: string | null = null, token: string | null = null) {
    this.id = id;
    this.invite = invite;
    this.api = apiOf(token);
    this.#token = token;
  }

  /** The asker's colour; null for a spectator. */
  get me(): Owner | null {
    return (this.view?.you ?? null) as Owner | null;
  }

  get deciding(): boolean {
    return this.view?.decision != null && this.view.result === null;
  }

  get over(): boolean {
    return this.view?.result != null;
  }

  /** Whether several people pass this device on. */
  get isPassed(): boolean {
    return this.#token !== null;
  }

  nameOf(colour: string): string {
    const seat = this.view?.seats.find((each) => each.colour === colour);
    if (seat === undefined) return (texts().common.seats as Record<string, string>)[colour] ?? colour;
    return seat.bot === null ? seat.name : botName(seat.name, seat.bot);
  }

  /** Whether the own seat still plays: it is not out of the game, and has not resigned. */
  get plays(): boolean {
    return !this.over && this.view?.position.seats.find((seat) => seat.colour === this.me)?.status === "playing";
  }

  /** Who has a seat, for sentences: the asker is "you". */
  whoIs(colour: string): { readonly name: string; readonly me: boolean } {
    return { name: this.nameOf(colour), me: colour === this.me };
  }

  /** Load the game, then follow it; Refused where it may not be seen. */
  async open(): Promise<void> {
    await this.refresh();
    forgetEarly();
    if (this.#closed) return;
    this.#follow();
    void this.#loadLog().catch(() => undefined); // the map does not wait for it
    this.#joining = this.#takePart();
  }

  close(): void {
    this.#closed = true;
    this.#unfollow();
    this.#callOff();
    clearTimeout(this.#owed);
    this.dice?.close();
  }

  /** Take part in the dice of the own seat. */
  async #takePart(): Promise<void> {
    const me = this.me;
    if (me === null || this.over || this.#token !== null) return;
    const { OwnDice } = await import("./dice.svelte");
    if (!this.#closed) this.dice = new OwnDice(this.id, me);
  }

  /** Ask for the state as it is now; calls in between are answered together, by one more request. */
  refresh(): Promise<void> {
    if (this.#refreshing === null) {
      this.#refreshing = this.#load().finally(() => (this.#refreshing = null));
      return this.#refreshing;
    }
    // What was asked before the call may be answered with an older state.
    this.#next ??= this.#refreshing
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        return this.#closed ? undefined : this.refresh();
      });
    return this.#next;
  }

  async #load(): Promise<void> {
    const asked = { path: { game: this.id }, query: { invite: this.invite } };
    const taken = this.#taken;
    const view = await this.api.get("/api/v1/games/{game}", asked);
    const mine = view.decision !== null && view.result === null;
    if (this.#closed) return;
    const legal = mine ? await this.api.get("/api/v1/games/{game}/legal", { path: { game: this.id } }) : null;
    if (this.#closed) return; // somebody else may have the device by now
    if (this.#taken === taken) this.#show(view, legal); // else something newer has come meanwhile
  }

  #show(view: GameView, legal: Legal | null): void {
    this.clockOffset = view.now - Date.now();
    this.heardAt = view.now;
    this.view = view;
    // Between two answers the game may have gone on: then an event is on its way.
    this.legal = legal?.decision === view.decision ? legal : null;
  }

  /** Show what came with an answer or an event, with the odds that were asked for; nothing older than what is shown. */
  #take(next: Next, questions: readonly OddsQuestion[] = []): void {
    if (this.#closed || next.view.index < (this.view?.index ?? -1)) return;
    clearTimeout(this.#owed);
    this.#owed = undefined;
    this.#taken += 1;
    questions.forEach((question, place) => this.#keepOdds(next.view.index, question, next.odds[place] ?? null));
    this.#show(next.view, next.legal);
  }

  /** The odds of the attacks from a territory, from what is known or from the server. */
  async odds(question: OddsQuestion, signal: AbortSignal): Promise<Odds> {
    const index = this.view?.index ?? -1;
    const known = this.#oddsAt === index ? this.#odds.get(JSON.stringify(question)) : undefined;
    if (known !== undefined) return known;
    const found = await this.api.post("/api/v1/games/{game}/odds", { path: { game: this.id }, body: question, signal });
    if (this.view?.index === index) this.#keepOdds(index, question, found);
    return found;
  }

  #keepOdds(index: number, question: OddsQuestion, found: Odds | null): void {
    if (this.#oddsAt !== index) this.#odds.clear();
    this.#oddsAt = index;
    if (found !== null) this.#odds.set(JSON.stringify(question), found);
  }

  async #loadLog(): Promise<void> {
    const last = this.view?.index ?? 0;
    const after = Math.max(-1, last - LOG_KEPT);
    const query = { after, invite: this.invite };
    const events = await this.api.get("/api/v1/games/{game}/events", { path: { game: this.id }, query });
    this.#note(events as StreamEvent[]);
    await this.loadChat();
  }

  /** Ask for the chat anew: what is muted goes. */
  async loadChat(): Promise<void> {
    const asked = { path: { game: this.id }, query: { invite: this.invite } };
    this.chat = await this.api.get("/api/v1/games/{game}/chat", asked).catch(() => this.chat);
  }

  #follow(): void {
    const query = new URLSearchParams({ games: this.id, next: "true" });
    if (this.invite !== null) query.set("invite", this.invite);
    const wish = { address: `/api/v1/events?${query}`, after: `${this.id}:${this.view?.index ?? 0}`, seat: this.me ?? "", kinds: KINDS, token: this.#token };
    this.#unfollow = listen(wish, (message) => {
      if ("data" in message) this.#hear(message.data);
      else if (message.state === "lost") {
        this.connection = "lost";
        this.dice?.lost();
      } else this.#live(message.joined);
    });
  }

  /** The stream is open; what was missed before is asked for. */
  #live(joined: boolean): void {
    const back = this.connection === "lost";
    this.connection = "live";
    if (back || joined) void this.refresh().catch(() => undefined);
    if (back || joined) this.dice?.look();
    if (joined) void this.#loadLog().catch(() => undefined);
  }

  #hear(data: string): void {
    const event = JSON.parse(data) as StreamEvent;
    if (event.game !== this.id) return;
    if (event.kind !== "chat" && event.kind !== "next") this.dice?.hear(event.kind, event.body);
    if (this.#heard.length === 0) this.#callOff = beforeNextFrame(() => this.#drawHeard(), this.#tookAt + PACE);
    this.#heard.push(event);
  }

  /** Bots make many moves in a frame: they are drawn once. */
  #drawHeard(): void {
    const heard = this.#heard;
    this.#heard = [];
    this.#tookAt = performance.now();
    this.#note(heard);
    const last = heard.findLastIndex((event) => event.kind === "next");
    if (last >= 0) this.#take(heard[last]!.body as Next);
    // The state comes right after its events. Should it not, ask for it: the board must not stay behind the log.
    if (heard.slice(last + 1).some((event) => event.kind !== "chat")) {
      this.#owed ??= setTimeout(() => {
        this.#owed = undefined;
        void this.refresh().catch(() => undefined);
      }, OWED);
    }
  }

  #note(events: readonly StreamEvent[]): void {
    const said = events.filter((event) => event.kind === "chat").map((event) => event.body as ChatLine);
    if (said.length > 0) this.chat = [...this.chat, ...said].slice(-LOG_KEPT);
    const lines = events.filter((event) => event.kind === "events").map(({ index, at, body }) => ({ index, at, events: body as GameEvent[] }));
    this.log = withLines(this.log, lines, LOG_KEPT);
  }

  /** Take the pending decision by an action's text; true if it was done. `odds` asks about the position that follows. */
  act(text: string, odds: OddsQuestion[] = []): Promise<boolean> {
    return this.#submit(text, false, odds);
  }

  /** Send orders in the order language; true if they were taken. */
  order(text: string, odds: OddsQuestion[] = []): Promise<boolean> {
    return this.#submit(text, true, odds);
  }

  /**
   * A hidden placement, as orders and as one action `place …` a line: sealed by this device, which
   * sends a hash only, or by the server where the device takes no part in the dice.
   */
  async placeHidden(orders: string, lines: string | null): Promise<boolean> {
    const decision = this.view?.decision;
    if (decision == null || this.sentAt !== null) return false;
    this.sentAt = performance.now();
    await this.#joining.catch(() => undefined);
    await this.dice?.ready();
    this.sentAt = null;
    const dice = this.dice;
    if (dice?.seals !== true) return this.order(orders);
    return this.#send(async () => (this.receipt = await dice.seal(decision, lines)));
  }

  async #submit(text: string, orders: boolean, odds: OddsQuestion[]): Promise<boolean> {
    const decision = this.view?.decision;
    if (decision == null || this.sentAt !== null) return false;
    const path = { game: this.id };
    const dice = this.dice;
    this.sentAt = performance.now();
    const signed = (await dice?.sign(decision, text)) ?? null;
    const body = { decision, text, orders, signed, odds };
    return this.#send(async () => {
      this.receipt = await this.api.post("/api/v1/games/{game}/submit", { path, query: NEXT, body });
      if (signed !== null) dice?.accepted(decision, text);
      return this.receipt;
    }, odds);
  }

  /** Take the last decision back, where no die and no secret lies in between. */
  async undo(): Promise<boolean> {
    const decision = this.view?.decision;
    if (decision == null) return false;
    const path = { game: this.id };
    return this.#send(() => this.api.post("/api/v1/games/{game}/undo", { path, query: NEXT, body: { decision } }));
  }

  /** Ask what the own seat may do without a decision. */
  async loadOutOfTurn(): Promise<void> {
    if (this.me === null || this.over) return;
    const asked = { path: { game: this.id }, query: { limit: 1 } };
    this.outOfTurnRanges = (await this.api.get("/api/v1/games/{game}/legal", asked)).out_of_turn;
  }

  /** Vote for a motion, or withdraw the vote; the own device signs it. */
  async vote(motion: string, withdrawn = false): Promise<boolean> {
    const path = { game: this.id };
    const signed = (await this.dice?.sign(0, `vote ${withdrawn ? "-" : ""}${motion}`)) ?? null;
    return this.#send(() => this.api.post("/api/v1/games/{game}/vote", { path, query: NEXT, body: { motion, withdrawn, signed } }));
  }

  /** Take the own seat back from the bot that stands in. */
  takeBack(): Promise<boolean> {
    return this.#send(() => this.api.post("/api/v1/games/{game}/take-back", { path: { game: this.id }, query: NEXT }));
  }

  /** Enter what real dice show, where the table rolls them. */
  async enterDice(outcome: string): Promise<boolean> {
    const body = { index: this.view?.index ?? 0, outcome };
    return this.#send(() => this.api.post("/api/v1/games/{game}/dice", { path: { game: this.id }, query: NEXT, body }));
  }

  /** An action that is no decision: a standing order, resigning. */
  outOfTurn(text: string): Promise<boolean> {
    const path = { game: this.id };
    return this.#send(() => this.api.post("/api/v1/games/{game}/out-of-turn", { path, query: NEXT, body: { text } }));
  }

  async say(text: string, to = ""): Promise<boolean> {
    const path = { game: this.id };
    return this.#send(async () => {
      await this.api.post("/api/v1/games/{game}/chat", { path, body: { text, to } });
      return null; // the stream brings the line
    });
  }

  /**
   * Send something until it is answered: the same decision is never carried out twice. The answer brings
   * what the seat sees next; null where nothing changes that is not in the stream.
   */
  async #send(request: () => Promise<{ readonly next?: Next | null } | null>, odds: readonly OddsQuestion[] = []): Promise<boolean> {
    this.sentAt = performance.now();
    this.refusal = null;
    try {
      const answer = await this.#untilAnswered(request);
      if (answer?.next != null) this.#take(answer.next, odds);
      // Where the server goes away now, the stream brings the state once it is back.
      else if (answer !== null) await this.refresh().catch(() => undefined);
      return true;
    } catch (error) {
      if (error instanceof Unreachable && this.#closed) return false;
      if (!(error instanceof Refused)) throw error;
      this.refusal = error;
      await this.refresh().catch(() => undefined);
      return false;
    } finally {
      this.sentAt = null;
    }
  }

  async #untilAnswered<Found>(request: () => Promise<Found>): Promise<Found> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof Unreachable) || this.#closed) throw error;
        const wait = SEND_AGAIN[Math.min(attempt, SEND_AGAIN.length - 1)]!;
        await new Promise((done) => setTimeout(done, wait));
      }
    }
  }
}
