/** When the rolls of a series are shown: the first in full, the others quickly, all in two seconds. */

const FIRST = 700; // milliseconds: the dice fall, and can be read
const NEXT = 120;
const LONGEST = 2000;
export const DRAWN = 5; // rolls whose dice are drawn before only counts are

/** The moments, in milliseconds from the first roll, at which the rolls of a series are shown. */
export function schedule(rolls: number, speed: number): number[] {
  if (speed === 0) return Array.from({ length: rolls }, () => 0);
  const step = rolls < 2 ? 0 : Math.min(NEXT, (LONGEST - FIRST) / (rolls - 1));
  return Array.from({ length: rolls }, (_, index) => (index === 0 ? 0 : (FIRST + step * (index - 1)) * speed));
}
