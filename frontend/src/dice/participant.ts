/** A seat's own part in the dice: it follows the transcript, gives links and raises alarms. */

import { Bad, bytesOf, Checker, H, hex, indexFor, type Chain } from "../../../docs/check_dice.js";
import type { Alarm, ChainLine, JournalLine } from "./journal";
import { isSigned } from "./keys";
import { OwnChain } from "./own_chain";
import { OwnOrders } from "./own_orders";
import { OwnPlacement } from "./own_placement";

const SILENCES = 2; // of a seat, then it is out

interface Body {
  readonly id?: string;
  readonly key?: string;
  readonly end?: string;
  readonly seat?: string;
  readonly hash?: string | null;
  readonly text?: string | null;
  readonly n?: number;
  readonly table?: string;
  readonly participants?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly links?: Readonly<Record<string, unknown>>;
  readonly draws?: readonly Draw[];
}
interface Draw {
  readonly battle?: readonly (readonly number[])[];
  readonly seats?: readonly unknown[];
}

/** It sends and stores nothing itself. After an alarm it gives no more links. */
export class Participant {
  own: OwnChain;
  /** A chain that follows when the server has taken it. */
  next: OwnChain | null = null;
  readonly checker = new Checker([]);
  /** How many lines of the transcript were found right, and the last of them. */
  count = 0;
  lastLine = "";
  /** Those that the journal does not have yet; it keeps them all, so that a long game needs no more memory. */
  readonly newLines: string[] = [];
  readonly alarms: Alarm[] = [];
  readonly notes: string[] = [];
  readonly orders = new OwnOrders();
  readonly placement: OwnPlacement;
  /** The server's receipts for links, by request. */
  readonly receipts = new Set<number>();
  /** Links that were given, and the head behind which each was. */
  readonly given = new Map<number, { link: string; head: string }>();
  /** Whether being left out is a reason for an alarm. */
  connected = false;
  inLobby = false;
  furtherDevice = true;
  /** Dice that were rolled with a link of this device. */
  diceWithLink = 0;
  #genesis = "";

  constructor(table: string, seat: string, own: OwnChain = OwnChain.made(table, seat)) {
    this.own = own;
    this.placement = new OwnPlacement(seat);
  }

  /** As a journal says that it was; the lines of the transcript in it were checked before. */
  static restored(journal: readonly JournalLine[]): Participant {
    const chains = journal.flatMap((line) => ("chain" in line ? [line.chain] : []));
    const last = chains.at(-1)!;
    const one = new Participant(last.table, last.seat, new OwnChain(last));
    const earlier = chains.slice(0, -1).map((chain) => new OwnChain(chain));
    one.inLobby = last.in_lobby;
    one.furtherDevice = last.further_device;
    for (const line of journal) one.#remember(line);
    for (const line of journal) if ("line" in line) one.#take(line.line, true);
    const taken = one.me === undefined ? earlier.findLast((chain) => one.#chainOf(chain)) : undefined;
    if (taken !== undefined) [one.own, one.next] = [taken, one.own];
    one.notes.length = one.newLines.length = 0; // they stand in the journal
    return one;
  }

  #remember(line: JournalLine): void {
    if ("genesis" in line) this.#genesis = line.genesis;
    else if ("given" in line) this.given.set(line.given[0], { head: line.given[2], link: line.given[3] });
    else if ("receipt" in line) this.receipts.add(line.receipt[0]);
    else if ("signed" in line) this.orders.sign(...line.signed);
    else if ("accepted" in line) this.orders.accept(...line.accepted);
    else if ("sealed" in line) {
      const [hash, decision, salt, text] = line.sealed;
      this.placement.kept.set(hash, { decision, salt, text });
    } else if ("seal-accepted" in line) this.placement.accepted = line["seal-accepted"];
    else if ("opened" in line) this.placement.opened = line.opened;
    else if ("opening-accepted" in line) this.placement.openingAccepted = true;
    else if ("alarm" in line) this.alarms.push({ code: line.alarm[0], message: line.alarm[1], seq: line.alarm[2] });
  }

  /** The line that must be kept before a chain is deposited. */
  chainLine(own = this.own): ChainLine {
    return { ...own.kept, in_lobby: this.inLobby, further_device: this.furtherDevice, deposit: own.deposit };
  }

  get genesis(): string {
    return this.#genesis;
  }

  /** Number and head of the last line, as the server writes it. */
  get witness(): string {
    return `${this.count - 1}:${this.count > 0 ? this.checker.headText : ""}`;
  }

  /** Itself in the transcript. */
  get me(): Chain | undefined {
    return this.#chainOf(this.own);
  }

  #chainOf(own: OwnChain): Chain | undefined {
    const id = hex(own.id);
    return [...this.checker.chains.values()].find((chain) => chain.digits === id);
  }

  get takesPart(): boolean {
    return this.me?.present === true && this.alarms.length === 0;
  }

  get closed(): boolean {
    return this.checker.ended !== null;
  }

  /** Links that its chain has left. */
  get linksLeft(): number {
    const me = this.me;
    return me === undefined ? 0 : indexFor(me, this.checker.requests.length) + 1;
  }

  /** Whether its seat's part in these dice is over. */
  get out(): boolean {
    return (this.checker.bySeat.get(this.own.kept.seat)?.silences.length ?? 0) >= SILENCES;
  }

  /** Whether another chain of its seat is in. */
  get replaced(): boolean {
    const { seat } = this.own.kept;
    return [...this.checker.chains.values()].some((chain) => chain.seat === seat && chain.present && chain !== this.me);
  }

  /** Whether a certified key stands for its seat that is not this device's. */
  get otherDevice(): boolean {
    const { seat } = this.own.kept;
    return [...this.checker.keys].some(([key, of]) => of.seat === seat && of.certified && key !== this.own.key);
  }

  /** Check the next line; false where it is not followed any further. */
  follow(line: string): boolean {
    if (this.alarms.length === 0) this.#take(line, false);
    return this.alarms.length === 0;
  }

  #take(line: string, known: boolean): void {
    const seq = this.count;
    try {
      this.checker.line(seq, line);
      const signed = this.checker.pending.splice(0);
      for (const { what, keys, sig, message } of known ? [] : signed) {
        const good = keys.some((key) => isSigned(bytesOf(key), message, bytesOf(sig)));
        if (!good) throw new Bad(`${what} is wrong`, seq);
      }
    } catch (error) {
      if (!(error instanceof Bad)) throw error;
      if (!known) this.alarm("bad-line", `The server has written a bad line: ${error.why}`, seq);
      return;
    }
    this.count++;
    this.lastLine = line;
    this.newLines.push(line);
    const { kind, body } = JSON.parse(line) as { kind: string; body: Body };
    if (kind === "answer") this.#count(body);
    if (this.next !== null && kind === "deposit" && body.end === this.next.deposit.end) {
      [this.own, this.next] = [this.next, null];
    }
    if (!known || this.alarms.length === 0) this.#look(kind, body);
  }

  /** What only somebody who takes part can see in a line. */
  #look(kind: string, body: Body): void {
    const { seat } = this.own.kept;
    if (kind === "genesis") this.#lookAtGenesis(body);
    else if (kind === "request") this.#lookAtRequest();
    else if (kind === "answer") this.#lookAtAnswer(body);
    else if (kind === "deposit" && body.seat === seat && body.key !== this.own.key) {
      if (this.me === undefined || this.checker.keys.get(body.key!)?.certified) {
        this.note(`another device of ${seat} has deposited a chain: ${body.id}`);
      } else this.alarm("other-key", `Someone else has deposited a chain for ${seat}.`);
    } else if ((kind === "sealed" || kind === "opened") && body.seat === seat) {
      this.#lookAtPlacement(this.placement.fault(kind, body));
      const doubt = this.placement.doubt(kind, body);
      if (doubt !== "") {
        this.placement.denied = true;
        this.note(doubt);
      }
    } else if (kind === "lost" && body.id === this.me?.id && this.connected) {
      this.alarm("left-out", `Line ${this.count - 1} says that your connection is gone.`);
    }
  }

  #lookAtGenesis(body: Body): void {
    const { seat, table } = this.own.kept;
    const head = this.checker.headText;
    if (body.table !== table) this.alarm("other-table", "This is the transcript of another table.");
    if (this.#genesis !== "" && this.#genesis !== head) {
      this.alarm("two-geneses", "The table began earlier with another first line.");
    }
    this.#genesis = head;
    const mine = body.participants?.[seat];
    if (mine !== undefined && mine.key !== this.own.key && !this.furtherDevice) {
      this.alarm("other-key", `Someone else's key represents ${seat}.`);
    } else if (this.inLobby && this.given.size === 0 && mine?.end !== this.own.deposit.end) {
      this.alarm("left-out", "Your deposit was left out of the first line.");
    }
  }

  #lookAtRequest(): void {
    const { n, body, chains } = this.checker.open!;
    if (body.seat === this.own.kept.seat && body.decision > 0) this.#lookAtOrder(n);
    const me = this.me;
    if (me === undefined) return;
    if (!chains.has(me.id)) {
      if (this.connected) this.note(`not in request ${n}: ${me.present ? "its chain is used up" : "not in"}`);
    } else if (this.given.has(n) && this.given.get(n)!.head !== hex(this.checker.open!.head)) {
      this.alarm("two-histories", `Request ${n} stood in another history before.`);
    }
  }

  #lookAtOrder(n: number): void {
    const { body, chains } = this.checker.requests[n]!;
    const own = new Set([...this.checker.chains.values()].filter(({ key }) => key === this.own.key).map(({ id }) => id));
    const fault = this.orders.fault(body, own, chains);
    if (fault !== "" && this.alarms.length === 0) this.alarm("other-order", fault);
  }

  #lookAtPlacement(fault: string): void {
    if (fault !== "" && this.alarms.length === 0) this.alarm("other-placement", fault);
  }

  /** The server has taken the opening; an alarm where the transcript denies it. */
  openingAccepted(): void {
    this.placement.openingAccepted = true;
    if (this.placement.denied) this.#lookAtPlacement(this.placement.fault("opened", {}));
  }

  /** An alarm where all lines are known, and what the server has accepted is not among them. */
  lookForPlacement(): void {
    this.#lookAtPlacement(this.placement.missing(this.checker));
  }

  #lookAtAnswer({ n = -1, links = {} }: Body): void {
    const me = this.me;
    if (me === undefined || links[me.id] !== null) return;
    if (!this.given.has(n)) {
      if (this.connected) this.note(`silent in request ${n}, which it was shown with its answer only`);
    } else if (this.receipts.has(n)) {
      this.alarm("false-silence", `You gave a link for request ${n}; it is missing.`);
    } else this.note(`silent in request ${n}, for which it has no receipt`);
  }

  #count({ links = {}, draws = [] }: Body): void {
    const own = [...this.checker.chains.values()].filter(({ key }) => key === this.own.key);
    if (!own.some(({ id }) => links[id] != null)) return;
    for (const { battle = [] } of draws) this.diceWithLink += battle.flat().length;
  }

  /** An alarm where the server names a line, as `seq:head`, that it does not show. */
  compare(witness: string): void {
    const [seq = "", head = ""] = witness.split(":");
    if (this.alarms.length > 0 || !/^\d+$/.test(seq)) return;
    const known = this.count;
    if (Number(seq) >= known) {
      this.alarm("hidden-lines", `The server asks for a link at line ${seq}, but shows only ${known} lines.`);
    } else if (Number(seq) === known - 1 && head !== this.checker.headText) {
      this.alarm("two-histories", `The server names a different line ${seq} than the one it shows.`);
    }
  }

  /** Its link for the request that waits, once; null where none is wanted, or it has a receipt. */
  give(): { n: number; head: string; link: string; signature: string; fresh: boolean } | null {
    const { open, genesisHead, signedLine } = this.checker;
    const me = this.me;
    if (open === null || me === undefined || this.alarms.length > 0 || !open.chains.has(me.id)) return null;
    if (this.receipts.has(open.n)) return null;
    const head = hex(open.head);
    const before = this.given.get(open.n);
    if (before === undefined) {
      if (open.listed !== null) return null; // the list is closed: this one would only be known too early
      if ([...this.given.keys()].some((n) => n > open.n)) {
        this.alarm("answered", `Request ${open.n} was answered before.`);
        return null;
      }
      if (!signedLine) {
        this.alarm("unsigned", `The server has not signed request ${open.n}.`);
        return null;
      }
    }
    const link = this.own.link(indexFor(me, open.n));
    this.given.set(open.n, { head, link: hex(link) });
    if (before === undefined) this.note(`gave its link for request ${open.n} behind ${head}`);
    const signature = hex(this.own.sign(H("link", genesisHead!, open.n, open.head, link)));
    return { n: open.n, head, link: hex(link), signature, fresh: before === undefined };
  }

  /** The server's receipt for a link; an alarm where it is not signed. */
  receive(n: number, signature: string): void {
    this.receipts.add(n);
    const link = bytesOf(this.given.get(n)!.link);
    const message = H("receipt", bytesOf(this.#genesis), n, this.me!.id, link);
    if (/^([0-9a-f]{2})+$/.test(signature) && isSigned(bytesOf(this.checker.server), message, bytesOf(signature))) {
      this.note(`receipt for request ${n}: ${signature}`);
    } else this.alarm("no-receipt", `The receipt for request ${n} is not signed by the server.`);
  }

  /** The message with which it joins again, or leaves. */
  presence(presence: "joined" | "left") {
    const { id } = this.me!;
    const head = this.checker.headText;
    const signature = hex(this.own.sign(H(presence, this.checker.genesisHead!, id, bytesOf(head))));
    return { presence, id, seen: this.count - 1, head, signature };
  }

  /** Its signature of a decision; null where it takes no part. */
  signed(decision: number, words: string): { id: string; head: string; signature: string } | null {
    if (!this.takesPart) return null;
    const { id } = this.me!;
    const head = this.checker.headText;
    const message = H("order", this.checker.genesisHead!, decision, bytesOf(head), words);
    const signature = hex(this.own.sign(message));
    this.orders.sign(decision, id, signature, words);
    return { id, head, signature };
  }

  /** The server has accepted what was signed; an alarm where it has played something else. */
  accepted(decision: number, words: string): void {
    this.orders.accept(decision, words);
    const { seat } = this.own.kept;
    for (const { n, body } of this.checker.requests) {
      if (body.seat === seat && body.decision === decision) this.#lookAtOrder(n);
    }
  }

  /** The message with the salted hash of the whole placement; null where this device has none to seal. */
  seal(decision: number, text: string): { decision: number; hash: string; id: string; head: string; signature: string } | null {
    if (!this.takesPart) return null;
    const { checker, placement } = this;
    const before = checker.placements.get(placement.seat);
    const sent = before?.hash == null ? undefined : placement.kept.get(before.hash);
    const again = sent?.decision === decision && sent.text === text; // only the answer was lost
    const begun = checker.requests.some(({ body }) => body.seat !== "");
    if (!again && (before !== undefined || begun)) return null;
    const hash = placement.seal(decision, text);
    const head = checker.headText;
    const signature = hex(this.own.sign(H("seal", checker.genesisHead!, decision, bytesOf(head), bytesOf(hash))));
    return { decision, hash, id: this.me!.id, head, signature };
  }

  /** Whether a program of its seat has sealed a placement that is not opened, and this device has its text. */
  get sealed(): "none" | "here" | "elsewhere" {
    const one = this.checker.placements.get(this.placement.seat);
    if (one?.hash == null || !one.byClient || one.opening !== null) return "none";
    return this.placement.kept.has(one.hash) ? "here" : "elsewhere";
  }

  /** Text and salt of its placement; null before all have sealed, or where nothing is to be opened. */
  opening(): { hash: string; text: string; salt: string } | null {
    const hash = this.alarms.length > 0 ? "" : this.placement.toOpen(this.checker);
    const { text = "", salt = "" } = this.placement.kept.get(hash) ?? {};
    return hash === "" ? null : { hash, text, salt };
  }

  note(text: string): void {
    this.notes.push(`${this.count}: ${text}`);
  }

  alarm(code: string, message: string, seq = this.count - 1): void {
    this.alarms.push({ code, message, seq });
    this.note(`alarm: ${message}`);
  }
}
