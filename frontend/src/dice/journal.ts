/** The journal of a participant, in the shape of the Python client's: one object a line. */

import type { Deposit } from "../../../docs/check_dice.js";
import type { KeptChain } from "./own_chain";

/** Something that an honest server does not do. */
export interface Alarm {
  readonly code: string;
  readonly message: string;
  readonly seq: number;
}

export type ChainLine = KeptChain & { in_lobby: boolean; further_device: boolean; deposit: Deposit };

/** Exactly one of these a line; src/rubicon/dice/journal.py reads them. */
export type JournalLine =
  | { chain: ChainLine }
  | { genesis: string }
  | { given: [n: number, seq: number, head: string, link: string] }
  | { receipt: [n: number, id: string, link: string, signature: string] }
  | { signed: [decision: number, id: string, signature: string, words: string] }
  | { accepted: [decision: number, words: string] }
  | { sealed: [hash: string, decision: number, salt: string, text: string] }
  | { "seal-accepted": string }
  | { opened: string }
  | { "opening-accepted": string }
  | { line: string }
  | { alarm: [code: string, message: string, seq: number] }
  | { note: string };

/** The journal as a file for `rubicon verify --journal`. */
export function journalText(lines: readonly JournalLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Where a journal is kept. Nobody else writes it until `close`. */
export interface JournalStore {
  /** What was kept before. */
  read(): Promise<JournalLine[]>;
  /** Add lines; `durable`: they are on the disk when this ends. */
  add(lines: readonly JournalLine[], durable: boolean): Promise<void>;
  close(): void;
}
