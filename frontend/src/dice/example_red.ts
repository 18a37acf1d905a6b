/** The program of red in docs/example.dice, for tests: its secrets stand in docs/fair-dice.md. */

import { H, hex } from "../../../docs/check_dice.js";
import EXAMPLE from "../../../docs/example.dice?raw";
import type { JournalLine, JournalStore } from "./journal";
import { OwnChain } from "./own_chain";
import { DicePart, type Wire } from "./part";
import { Participant } from "./participant";

export const LINES: readonly string[] = EXAMPLE.trimEnd().split("\n");

export const RED = new OwnChain({
  table: "example",
  seat: "red",
  private_key: hex(H("example/key", "red")),
  secret: hex(H("red")),
  nonce: "00".repeat(16),
  length: 64,
});

/** The numbers of the lines of a kind. */
export function linesOf(kind: string): number[] {
  return LINES.flatMap((line, seq) => (line.includes(`"kind":"${kind}"`) ? [seq] : []));
}

interface Sent {
  readonly what: string;
  readonly body: Record<string, unknown>;
}

/** A server that shows lines and notes what was sent, and a journal in memory; `answer` may throw. */
export function sceneOf(shown: readonly string[], answer: (what: string) => Record<string, unknown>, journal: readonly JournalLine[] = []) {
  const kept: JournalLine[] = [{ chain: new Participant("example", "red", RED).chainLine() }, ...journal];
  const steps: string[] = [];
  const sent: Sent[] = [];
  const store: JournalStore = {
    read: () => Promise.resolve([...kept]),
    add: (lines, durable) => {
      kept.push(...lines);
      steps.push(...lines.map((line) => `${durable ? "keep" : "note"} ${Object.keys(line)[0]}`));
      return Promise.resolve();
    },
    close: () => undefined,
  };
  const wire: Wire = {
    shown: (after) => Promise.resolve(shown.slice(after + 1)),
    send: async (what, body) => {
      steps.push(`send ${what}`);
      sent.push({ what, body: body as Sent["body"] });
      return answer(what);
    },
  };
  return { kept, steps, sent, open: () => DicePart.open("example", "red", store, wire) };
}
