/** The placement that this device has sealed for its seat, against what the transcript says of it. */

import { bytesOf, H, hex, type Checker } from "../../../docs/check_dice.js";
import { random } from "./own_chain";

/** What is behind a hash; the text has one action `place …` a line, the salt is hexadecimal digits. */
export interface SealedText {
  readonly decision: number;
  readonly salt: string;
  readonly text: string;
}

/** A line of the transcript of the own seat: what was sealed, or what was opened. */
export interface PlacementBody {
  readonly hash?: string | null;
  readonly text?: string | null;
}

const DENIED = "The server says that this client did not open its sealed placement, but it accepted the opening: someone else placed for it.";

/** The salted hash of a placement, in hexadecimal digits. */
export function placementHash(seat: string, salt: string, text: string): string {
  return hex(H("sealed", seat, bytesOf(salt), text));
}

/**
 * The server may refuse what is sealed; what it has accepted must stand in the transcript. Once all
 * have sealed it is told the text. When it has taken that, it must not say that nothing was opened.
 */
export class OwnPlacement {
  readonly seat: string;
  /** By hash. */
  readonly kept = new Map<string, SealedText>();
  /** The hash that the server has accepted. */
  accepted = "";
  /** The hash whose text was sent. */
  opened = "";
  /** Whether the server has said that it took the opening. */
  openingAccepted = false;
  /** Whether the transcript says that nothing was opened, though the text was sent. */
  denied = false;

  constructor(seat: string) {
    this.seat = seat;
  }

  /** The hash of a placement; the same one again for the same placement. */
  seal(decision: number, text: string): string {
    const before = [...this.kept].find(([, one]) => one.decision === decision && one.text === text);
    if (before !== undefined) return before[0];
    const salt = random(32);
    const hash = placementHash(this.seat, salt, text);
    this.kept.set(hash, { decision, salt, text });
    return hash;
  }

  /** The text of what stands in the transcript; "" where this device has not sealed it. */
  text({ placements }: Checker): string {
    return this.kept.get(placements.get(this.seat)?.hash ?? "")?.text ?? "";
  }

  /** The hash whose text is to be sent now; "" before all have sealed, or where it is not this device's. */
  toOpen({ placements, bySeat, signedLine }: Checker): string {
    const one = placements.get(this.seat);
    if (one?.hash == null || one.opening !== null || !this.kept.has(one.hash)) return "";
    // What nobody has signed may be denied later.
    return placements.size === bySeat.size && signedLine ? one.hash : "";
  }

  /** What is wrong with a line of the own seat, in a sentence; "" for nothing. */
  fault(kind: "sealed" | "opened", { hash, text }: PlacementBody): string {
    if (kind === "opened") {
      return text == null && this.openingAccepted ? DENIED : "";
    }
    const other = this.accepted !== "" && hash !== this.accepted;
    return other ? "The transcript's placement is not the one that this client sealed and the server accepted." : "";
  }

  /** What may be a fraud, or the end of its time, in a sentence; "" for nothing. */
  doubt(kind: "sealed" | "opened", { text }: PlacementBody): string {
    const unsure = kind === "opened" && text == null && this.opened !== "" && !this.openingAccepted;
    return unsure ? "The server says that this client did not open its sealed placement. The opening was sent; the server did not say that it came in time." : "";
  }

  /** What is wrong where the transcript is known up to now; "" for nothing. */
  missing({ placements }: Checker): string {
    const missing = this.accepted !== "" && placements.get(this.seat)?.hash !== this.accepted;
    return missing ? "The server accepted what this client sealed, but did not write it." : "";
  }
}
