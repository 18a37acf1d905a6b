/** The program of red in docs/example.dice, for tests: its secrets stand in docs/fair-dice.md. */

import { H, hex } from "../../../docs/check_dice.js";
import EXAMPLE from "../../../docs/example.dice?raw";
import { OwnChain } from "./own_chain";

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
