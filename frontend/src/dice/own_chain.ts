/** The chain of this device: its secret hashed many times, deposited by its end. */

import { bytesOf, forward, H, hex, type Deposit } from "../../../docs/check_dice.js";
import { publicKey, sign } from "./keys";

export const LONGEST = 4096; // links
const SECTION = 256; // links between two that are kept

/** What must be kept of a chain, as a journal writes it; bytes are hexadecimal digits. */
export interface KeptChain {
  readonly table: string;
  readonly seat: string;
  readonly private_key: string;
  readonly secret: string;
  readonly nonce: string;
  readonly length: number;
}

export class OwnChain {
  readonly kept: KeptChain;
  /** The public key, in hexadecimal digits. */
  readonly key: string;
  readonly id: Uint8Array;
  readonly deposit: Deposit;
  readonly #privateKey: Uint8Array;
  readonly #sections: Uint8Array[];

  constructor(kept: KeptChain) {
    const { table, seat, length } = kept;
    this.kept = kept;
    this.#privateKey = bytesOf(kept.private_key);
    const key = publicKey(this.#privateKey);
    const nonce = bytesOf(kept.nonce);
    this.key = hex(key);
    this.id = H("chain-id", table, key, nonce);
    this.#sections = [bytesOf(kept.secret)];
    for (let at = 0; at + SECTION <= length; at += SECTION) {
      this.#sections.push(forward({ number: this.id }, this.#sections.at(-1)!, at, at + SECTION));
    }
    const end = this.link(length);
    const sig = hex(this.sign(H("deposit", table, seat, key, nonce, end, length)));
    this.deposit = { seat, key: this.key, nonce: kept.nonce, end: hex(end), length, sig };
  }

  /** A new chain with a new secret; of this device's key, or of a new one. */
  static made(table: string, seat: string, privateKey = random(32)): OwnChain {
    return new OwnChain({ table, seat, private_key: privateKey, secret: random(32), nonce: random(16), length: LONGEST });
  }

  /** Link c_number, from 0 (the secret) to `length` (the end). */
  link(number: number): Uint8Array {
    if (!(number >= 0 && number <= this.kept.length)) throw new RangeError(`no link ${number}`);
    const section = Math.floor(number / SECTION);
    return forward({ number: this.id }, this.#sections[section]!, section * SECTION, number);
  }

  sign(message: Uint8Array): Uint8Array {
    return sign(this.#privateKey, message);
  }
}

/** Random bytes, as hexadecimal digits. */
export function random(size: number): string {
  return hex(crypto.getRandomValues(new Uint8Array(size)));
}
