/** What this device has signed for its seat's decisions, against what requests say was played. */

import type { RequestBody } from "../../../docs/check_dice.js";

interface Given {
  readonly id: string;
  readonly words: string;
}

/**
 * An honest server can leave out a signature that came too late. It cannot leave out one that it
 * has accepted, play one that it has refused, nor invent one.
 */
export class OwnOrders {
  /** By decision and signature. */
  readonly #signed = new Map<number, Map<string, Given>>();
  /** Words by decision. */
  readonly #accepted = new Map<number, Set<string>>();

  sign(decision: number, id: string, signature: string, words: string): void {
    const mine = this.#signed.get(decision) ?? new Map<string, Given>();
    this.#signed.set(decision, mine.set(signature, { id, words }));
  }

  accept(decision: number, words: string): void {
    this.#accepted.set(decision, (this.#accepted.get(decision) ?? new Set()).add(words));
  }

  /** What is wrong with a request of the own seat, in a sentence; "" for nothing. */
  fault({ n, decision, signed }: RequestBody, own: ReadonlySet<string>, links: ReadonlyMap<string, unknown>): string {
    const mine = this.#signed.get(decision) ?? new Map<string, Given>();
    const accepted = this.#accepted.get(decision);
    const found = signed === null ? undefined : mine.get(signed.sig);
    if (found !== undefined) {
      if (accepted === undefined || accepted.has(found.words)) return "";
      return `Request ${n} has an order under decision ${decision} that the server has refused.`;
    }
    if (signed !== null && own.has(signed.id)) {
      return `Request ${n} has a signature under decision ${decision} that this client never gave.`;
    }
    if (accepted !== undefined && [...mine.values()].some(({ id }) => links.has(id))) {
      return `Request ${n} follows from decision ${decision} without the signature of this client, whose order the server has accepted.`;
    }
    return "";
  }
}
