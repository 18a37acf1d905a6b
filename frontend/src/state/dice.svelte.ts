/** The own seat's part in the dice of the game on the screen; it works by itself. */

import { api, Refused, Unreachable, type Answer } from "../api/client";
import type { Alarm } from "../dice/journal";
import { NoStorage, openJournal, Overtaken, readJournal } from "../dice/journal_store";
import { DicePart, NotTaken, type Wire } from "../dice/part";
import { readRecoveryCode } from "../dice/recovery_code";
import { texts } from "../texts/texts.svelte";

/** What a player is told about it. */
export type DiceStatus = "starting" | "in" | "out" | "off" | "no-storage" | "other-tab" | "other-device" | "alarm";

/** The own placement that a program has sealed and not opened yet: whether this browser has its text. */
export type SealedPlacement = "none" | "here" | "elsewhere";
type Receipt = Answer<"/api/v1/games/{game}/dice/sealed", "post">;

const LOOK = 10_000; // milliseconds after which the transcript is read again when something happens
const RETRY = 2_000; // milliseconds until the next attempt where the server is away or busy

export class OwnDice {
  readonly game: string;
  readonly seat: string;
  status = $state<DiceStatus>("starting");
  alarm = $state.raw<Alarm | null>(null);
  /** Dice that were rolled with a link of this device. */
  dice = $state(0);
  placement = $state<SealedPlacement>("none");
  /** What this tab has sealed, one action `place …` a line. */
  placed = $state("");
  #part: DicePart | null = null;
  #work: Promise<void> = Promise.resolve();
  #lookedAt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** The journal is open, or another tab has it. */
  readonly #begun: Promise<void>;
  readonly #closed = new AbortController();
  readonly #leave = () => this.#farewell();

  constructor(game: string, seat: string) {
    this.game = game;
    this.seat = seat;
    let begun = (): void => undefined;
    this.#begun = new Promise((done) => (begun = done));
    const held = setTimeout(() => {
      this.status = "other-tab";
      void this.#askOtherTab();
      begun();
    }, RETRY);
    this.#run(async () => {
      try {
        const store = await openJournal(game, seat, this.#closed.signal);
        this.#part = await DicePart.open(game, seat, store, wire(game));
      } finally {
        clearTimeout(held);
        begun();
      }
      addEventListener("pagehide", this.#leave);
      await this.#look();
    });
  }

  /** The stream has told something of the game. */
  hear(kind: string, body: unknown): void {
    if (this.status === "other-tab") void this.#askOtherTab();
    if (kind === "link") this.#run((part) => part?.give((body as { witness: string }).witness));
    else if (kind === "over" || kind === "fork") this.#run((part) => part?.read());
    else if (this.status !== "in" || Date.now() - this.#lookedAt > LOOK || this.#concerns(kind, body)) this.look();
  }

  /** Whether the own part has changed. */
  #concerns(kind: string, body: unknown): boolean {
    const told = kind === "events" ? (body as { event: string; seat?: string }[]) : [];
    if (this.placement === "here") return true; // the last one may have sealed
    return told.some(({ event, seat }) => (event === "presence" || event === "silent") && seat === this.seat);
  }

  /** Catch up: give a link that waits, join again. */
  look(): void {
    this.#run(() => this.#look());
  }

  async #look(): Promise<void> {
    const part = this.#part;
    if (part === null || this.#closed.signal.aborted) return;
    await part.give();
    await part.openPlacement();
    await part.stay();
    part.participant.connected = part.takesPart;
    this.#lookedAt = Date.now();
  }

  /** The stream is gone: who is not connected may be left out. */
  lost(): void {
    if (this.#part !== null) this.#part.participant.connected = false;
  }

  /** The signature of a decision; null where this device takes no part. */
  async sign(decision: number, words: string): Promise<{ id: string; head: string; signature: string } | null> {
    try {
      return (await this.#part?.signed(decision, words)) ?? null;
    } catch (error) {
      this.#failed(error); // unsigned, as it cannot be kept
      return null;
    }
  }

  accepted(decision: number, words: string): void {
    this.#run((part) => part?.accepted(decision, words));
  }

  /** Whether a hidden placement is to be sealed here, and not by the server. */
  get seals(): boolean {
    return this.status === "in" || this.status === "starting" || this.status === "other-tab";
  }

  /** Wait until it is known whether this tab takes part. */
  async ready(): Promise<void> {
    await this.#begun;
    if (this.status !== "other-tab") await this.#work.catch(() => undefined);
  }

  /**
   * Seal the whole placement, one action `place …` a line (null: it is not whole); Refused where this
   * tab cannot, Unreachable.
   */
  async seal(decision: number, text: string | null): Promise<Receipt> {
    if (text === null) throw notWhole();
    if (this.#part === null) throw notSealed(this.status === "other-tab");
    return new Promise((done, fail) => {
      this.#run(async (part) => {
        try {
          const receipt = await part?.seal(decision, text);
          if (receipt == null) fail(notSealed(false));
          else done(receipt as unknown as Receipt);
        } catch (error) {
          fail(error instanceof NotTaken && error.cause instanceof Error ? error.cause : notSealed(false));
          if (!(error instanceof NotTaken)) throw error;
        }
        await this.#look(); // it may have been the last one
      });
    });
  }

  /** What another tab of this browser, which takes part, has sealed. */
  async #askOtherTab(): Promise<void> {
    const journal = await readJournal(this.game, this.seat).catch(() => []);
    const opened = journal.some((line) => "opened" in line);
    if (this.status !== "other-tab") return;
    this.placement = !opened && journal.some((line) => "seal-accepted" in line) ? "here" : "none";
  }

  /** Let another device of the seat vouch for this one; false where the code is another one's. */
  recover(code: string): boolean {
    const key = readRecoveryCode(this.game, this.seat, code);
    const good = key !== null && this.#part?.certify(key) === true;
    if (good) this.look();
    return good;
  }

  close(): void {
    this.#closed.abort();
    clearTimeout(this.#retry);
    removeEventListener("pagehide", this.#leave);
    this.#farewell();
    void this.#work.then(() => this.#part?.close());
  }

  /** No roll waits for a page that is gone; where this does not arrive, the server notices it. */
  #farewell(): void {
    const body = this.#part?.farewell() ?? null;
    if (body === null) return;
    this.lost();
    const headers = { "content-type": "application/json" };
    const address = `/api/v1/games/${encodeURIComponent(this.game)}/dice/presence`;
    void fetch(address, { method: "POST", body: JSON.stringify(body), headers, keepalive: true }).catch(() => undefined);
  }

  /** One thing after the other. */
  #run(task: (part: DicePart | null) => Promise<void> | undefined): void {
    this.#work = this.#work.then(() => task(this.#part)).catch((error: unknown) => this.#failed(error)).then(() => this.#show());
  }

  #failed(error: unknown): void {
    if (this.#closed.signal.aborted) return;
    if (error instanceof NotTaken && error.later) {
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.look(), RETRY);
    } else if (error instanceof NotTaken) this.#stop("off");
    else if (error instanceof NoStorage) this.#stop("no-storage");
    else if (error instanceof Overtaken) this.#stop("other-tab");
    else reportError(error); // thrown, it would end every later task, and the game could send nothing more
  }

  #stop(status: DiceStatus): void {
    this.#part?.close();
    this.#part = null;
    this.status = status;
  }

  #show(): void {
    const part = this.#part;
    if (part === null) return;
    const { participant } = part;
    this.alarm = participant.alarms[0] ?? null;
    this.dice = participant.diceWithLink;
    this.placement = participant.sealed;
    this.placed = this.placement === "here" ? participant.placement.text(participant.checker) : "";
    if (this.alarm !== null) this.status = "alarm";
    else if (participant.takesPart) this.status = "in";
    else if (participant.out || participant.replaced) this.status = "out";
    else this.status = part.otherDevice ? "other-device" : "starting";
  }
}

/** Deposit a chain in the lobby, for the first line of the transcript; silent where that fails. */
export async function sealInLobby(game: string, seat: string): Promise<void> {
  try {
    const store = await openJournal(game, seat, AbortSignal.timeout(RETRY));
    try {
      await (await DicePart.open(game, seat, store, wire(game))).deposit();
    } finally {
      store.close();
    }
  } catch (error) {
    // The game's screen says where a device takes no part, and why.
    const known = error instanceof NotTaken || error instanceof NoStorage || error instanceof Overtaken;
    if (!known && !(error instanceof DOMException)) throw error;
  }
}

/** This tab cannot seal a placement: nothing of it can be read by the server. */
function notSealed(otherTab: boolean): Refused {
  const { notSealed, otherTabSeals, notSealedHint } = texts().sealing;
  return new Refused(409, { code: "dice/not-sealed", message: notSealed, suggestion: otherTab ? otherTabSeals : notSealedHint });
}

function notWhole(): Refused {
  const { notWhole, notWholeHint } = texts().sealing;
  return new Refused(409, { code: "dice/incomplete-placement", message: notWhole, suggestion: notWholeHint });
}

function wire(game: string): Wire {
  const path = { game };
  return {
    shown: async (after) => {
      const text = await taken(api.get("/api/v1/games/{game}/transcript", { path, query: { after } }));
      return text.split("\n").filter((line) => line !== "");
    },
    send: async (what, body) => {
      const sent = { path, body: body as never };
      return (await taken(api.post(`/api/v1/games/{game}/dice/${what}`, sent))) as Record<string, unknown>;
    },
  };
}

async function taken<Found>(answer: Promise<Found>): Promise<Found> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refused) throw new NotTaken(error.code, error.status, error);
    if (error instanceof Unreachable) throw new NotTaken("", 0, error);
    throw error;
  }
}
