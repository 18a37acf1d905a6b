/** Lines that a server has signed and no longer has: they prove that its database is older. */

import { H, hex } from "../../../docs/check_dice.js";

/** Whether a line is still shown: with the server's signature or without. */
export function stillShown(line: string, shown: string | undefined): boolean {
  return shown !== undefined && (shown === line || headOf(shown) === headOf(line));
}

/** The lines from the first that differs up to the next that is signed; none where all are there. */
export function proofOfLoss(known: readonly string[], shown: readonly string[]): string[] {
  const first = known.findIndex((line, n) => !stillShown(line, shown[n]));
  if (first < 0) return [];
  const signed = known.slice(first).findIndex((line) => line !== unsigned(line));
  return signed < 0 ? [] : known.slice(first, first + signed + 1);
}

function headOf(line: string): string {
  return hex(H("entry", unsigned(line)));
}

/** A canonical line without its signature, which is its last field. */
function unsigned(line: string): string {
  return line.replace(/,"sig":"[0-9a-f]{128}"\}$/, "}");
}
