/** The part of one seat in the dice of one game: what it keeps, and what it sends. */

import { OwnChain } from "./own_chain";
import { Participant } from "./participant";
import type { JournalLine, JournalStore } from "./journal";
import { proofOfLoss, stillShown } from "./lost_lines";
import { bytesOf, H, hex } from "../../../docs/check_dice.js";
import { publicKey, sign } from "./keys";

const FEW_LINKS = 64; // below that a new chain is deposited
const CHUNK = 20; // lines that are checked between two breaths of the page

/** What the server refuses: a code, or "" where no answer came at all. */
export class NotTaken extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, cause?: unknown) {
    super(code, { cause });
    this.code = code;
    this.status = status;
  }

  /** The same message counts later: a request waits, or the server is away. */
  get later(): boolean {
    return [0, 409, 429, 503].includes(this.status);
  }

  get notBegun(): boolean {
    return this.code === "game/not-begun" || this.code === "game/unknown";
  }
}

/** How the part reaches the server; it throws NotTaken. */
export interface Wire {
  /** The lines of the transcript behind a number. */
  shown(after: number): Promise<string[]>;
  send(what: "deposit" | "link" | "presence" | "ahead" | "sealed" | "opened", body: object): Promise<Record<string, unknown>>;
}

/** Its methods are called one after the other, never two at once. */
export class DicePart {
  readonly participant: Participant;
  readonly #store: JournalStore;
  readonly #wire: Wire;
  #alarmsKept: number;
  #certificate: string | null = null;

  private constructor(participant: Participant, store: JournalStore, wire: Wire, alarmsKept: number) {
    this.participant = participant;
    this.#store = store;
    this.#wire = wire;
    this.#alarmsKept = alarmsKept;
  }

  /** Go on with the journal, or begin a new one. */
  static async open(table: string, seat: string, store: JournalStore, wire: Wire): Promise<DicePart> {
    const journal = await store.read();
    if (journal.some((line) => "chain" in line)) {
      const alarms = journal.filter((line) => "alarm" in line).length;
      return new DicePart(Participant.restored(journal), store, wire, alarms);
    }
    const participant = new Participant(table, seat);
    await store.add([{ chain: participant.chainLine() }], true);
    return new DicePart(participant, store, wire, 0);
  }

  get takesPart(): boolean {
    return this.participant.takesPart;
  }

  /** Whether another device of the seat is certified, and nobody has vouched for this one. */
  get otherDevice(): boolean {
    const { participant } = this;
    return participant.count > 0 && participant.me === undefined && participant.otherDevice && this.#certificate === null;
  }

  /** Let an earlier device's key vouch for this one; false where it is no certified key of the seat. */
  certify(privateKey: string): boolean {
    const { own, checker } = this.participant;
    const key = bytesOf(privateKey);
    const known = checker.keys.get(hex(publicKey(key)));
    if (known?.seat !== own.kept.seat || !known.certified) return false;
    this.#certificate = hex(sign(key, H("device", own.kept.table, own.kept.seat, bytesOf(own.key))));
    return true;
  }

  /** Deposit the chain: in the lobby for the first line, or in the running game. */
  async deposit(): Promise<void> {
    const { participant } = this;
    const own = participant.next ?? participant.own;
    const { seat: _, sig: signature, ...body } = own.deposit;
    const { begun } = await this.#wire.send("deposit", { ...body, signature, certificate: this.#certificate });
    if (begun === true) await this.read();
    else if (!participant.inLobby) {
      participant.inLobby = true;
      participant.furtherDevice = false;
      await this.#store.add([{ chain: participant.chainLine() }], true);
    }
  }

  /** Read and check the new lines of the transcript, unless its head is known already. */
  async read(witness = ""): Promise<void> {
    const { participant } = this;
    if (participant.alarms.length > 0 || (witness !== "" && witness === participant.witness)) return;
    const first = participant.count === 0;
    let shown: string[];
    try {
      shown = await this.#wire.shown(Math.max(-1, participant.count - 2));
      if (!first && !stillShown(participant.lastLine, shown[0])) return await this.#showLostLines();
    } catch (error) {
      if (first || !(error instanceof NotTaken && error.notBegun)) throw error;
      this.#linesLost(0);
      return this.#keep();
    }
    const fresh = first ? shown : shown.slice(1);
    for (let at = 0; at < fresh.length; at++) {
      if (!participant.follow(fresh[at]!)) break;
      if (at % CHUNK === CHUNK - 1) await new Promise((done) => setTimeout(done));
    }
    if (first && participant.count > 0) await this.#store.add([{ genesis: participant.genesis }], false);
    await this.#keep();
  }

  /** Prove to the server that it has lost lines, which stops the game; and raise an alarm. */
  async #showLostLines(): Promise<void> {
    const { participant } = this;
    await this.#keep();
    const known = (await this.#store.read()).flatMap((line) => ("line" in line ? [line.line] : []));
    const proof = proofOfLoss(known, await this.#wire.shown(-1));
    if (proof.length === 0) return; // they are there
    try {
      await this.#wire.send("ahead", { lines: proof });
    } catch (error) {
      if (!(error instanceof NotTaken) || error.later) throw error; // it is shown again
      participant.note(`the server takes no proof of the lines that it has lost: ${error.message}`);
    }
    this.#linesLost((JSON.parse(proof[0]!) as { seq: number }).seq);
    await this.#keep();
  }

  #linesLost(first: number): void {
    const last = this.participant.count - 1;
    const message = `The server has signed this line and later ones up to ${last}, and no longer has them, or has others.`;
    this.participant.alarm("lines-lost", message, first);
  }

  /** Give the link for the request that waits, if it waits for ours; kept before it is sent. */
  async give(witness = ""): Promise<void> {
    const { participant } = this;
    for (let before = -1; before < participant.count; ) {
      before = participant.count; // it shows a part of many lines at once
      await this.read(witness);
    }
    participant.compare(witness);
    participant.lookForPlacement();
    const message = participant.give();
    if (message === null) return this.#keep();
    const { n, head, link, signature, fresh } = message;
    if (fresh) await this.#store.add([{ given: [n, participant.count - 1, head, link] }], true);
    try {
      const receipt = await this.#wire.send("link", { n, link, signature });
      participant.receive(n, String(receipt.signature));
      await this.#store.add([{ receipt: [n, participant.me!.id, link, String(receipt.signature)] }], false);
    } catch (error) {
      // Too late, or answered meanwhile: the transcript tells.
      if (!(error instanceof NotTaken)) throw error;
    }
    await this.#keep();
  }

  /** Deposit, join again or renew the chain, where that is to be done and no request waits. */
  async stay(): Promise<void> {
    const { participant } = this;
    const { me, checker } = participant;
    if (participant.alarms.length > 0 || participant.closed || participant.out || participant.replaced) return;
    if (checker.open !== null || this.otherDevice) return;
    const renew = me === undefined || participant.linksLeft < FEW_LINKS;
    if (!renew && me.present) return;
    try {
      if (renew) await this.#renew();
      else {
        await this.#wire.send("presence", participant.presence("joined"));
        await this.read();
      }
    } catch (error) {
      if (!(error instanceof NotTaken) || error.code === "dice/no-clients") throw error;
    }
  }

  async #renew(): Promise<void> {
    const { participant } = this;
    const { table, seat, private_key } = participant.own.kept;
    if (participant.me !== undefined && participant.next === null) {
      const next = OwnChain.made(table, seat, private_key);
      await this.#store.add([{ chain: participant.chainLine(next) }], true);
      participant.next = next;
    }
    await this.deposit();
  }

  /** Its signature of a decision, kept before anybody sees it; null where it takes no part. */
  async signed(decision: number, words: string): Promise<{ id: string; head: string; signature: string } | null> {
    const signed = this.participant.signed(decision, words.trim());
    if (signed !== null) await this.#store.add([{ signed: [decision, signed.id, signed.signature, words.trim()] }], true);
    return signed;
  }

  /** The server has accepted what was signed. */
  async accepted(decision: number, words: string): Promise<void> {
    await this.#store.add([{ accepted: [decision, words.trim()] }], false);
    this.participant.accepted(decision, words.trim());
    await this.#keep();
  }

  /**
   * Seal the seat's whole placement, one action `place …` a line; the server's receipt, or null
   * where this device takes no part or its seat has nothing to seal. NotTaken: it can be tried again.
   */
  async seal(decision: number, text: string): Promise<Record<string, unknown> | null> {
    const { participant } = this;
    await this.give();
    await this.stay();
    const known = participant.placement.kept.size;
    const message = participant.seal(decision, text);
    if (message === null) return null;
    const { hash } = message;
    const { salt } = participant.placement.kept.get(hash)!;
    if (participant.placement.kept.size > known) await this.#store.add([{ sealed: [hash, decision, salt, text] }], true);
    const receipt = await this.#wire.send("sealed", message);
    participant.placement.accepted = hash;
    await this.#store.add([{ "seal-accepted": hash }], false);
    return receipt;
  }

  /** Open what was sealed, once all seats have sealed; kept before it is sent. */
  async openPlacement(): Promise<void> {
    const { participant } = this;
    const opening = participant.opening();
    if (opening === null) return;
    const { hash, text, salt } = opening;
    if (participant.placement.opened !== hash) {
      participant.placement.opened = hash;
      await this.#store.add([{ opened: hash }], true);
    }
    try {
      await this.#wire.send("opened", { text, salt });
      await this.#store.add([{ "opening-accepted": hash }], false);
      participant.openingAccepted();
    } catch (error) {
      if (!(error instanceof NotTaken) || error.later) throw error; // it is sent again
      participant.note(`the server takes no opening of the placement: ${error.message}`);
    }
    await this.read();
  }

  /** Its farewell, so that no roll waits for it; null where it is not in, or a request waits. */
  farewell(): object | null {
    const { participant } = this;
    if (!participant.takesPart || participant.checker.open !== null || participant.closed) return null;
    return participant.presence("left");
  }

  close(): void {
    this.#store.close();
  }

  /** Write new lines, notes and alarms into the journal. */
  async #keep(): Promise<void> {
    const { newLines, notes, alarms } = this.participant;
    const told: JournalLine[] = newLines.splice(0).map((line) => ({ line }));
    told.push(...notes.splice(0).map((note) => ({ note })));
    const fresh = alarms.slice(this.#alarmsKept);
    told.push(...fresh.map(({ code, message, seq }): JournalLine => ({ alarm: [code, message, seq] })));
    this.#alarmsKept = alarms.length;
    if (told.length > 0) await this.#store.add(told, fresh.length > 0);
  }
}
