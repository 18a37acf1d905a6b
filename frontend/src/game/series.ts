/** How long the rolls of a series are shown: the first in full, the others quickly, all in two seconds. */

const FIRST = 700; // milliseconds: the dice fall, and can be read
const NEXT = 120;
const LONGEST = 2000;

/** Where a series of rolls stands. */
export interface SeriesNow {
  /** Rolls shown so far. */
  readonly shown: number;
  /** Rolls that wait to be shown. */
  readonly waiting: number;
  /** Milliseconds since its first roll, at full speed. */
  readonly spent: number;
}

/** For how many milliseconds the roll on the screen stays before the next one. */
export function pause({ shown, waiting, spent }: SeriesNow, speed: number): number {
  const step = shown < 2 ? FIRST : Math.min(NEXT, Math.max(0, LONGEST - spent) / Math.max(1, waiting));
  return step * speed;
}
