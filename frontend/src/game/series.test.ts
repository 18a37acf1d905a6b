import { expect, test } from "vitest";

import { pause } from "./series";

/** The moments at which the rolls of a series are shown, in milliseconds from the first. */
function moments(rolls: number, speed: number): number[] {
  const found = [0];
  while (found.length < rolls) {
    const now = found.at(-1)!;
    found.push(now + pause({ shown: found.length, waiting: rolls - found.length, spent: speed === 0 ? 0 : now / speed }, speed));
  }
  return found;
}

test("the first roll in full, then one every 120 milliseconds", () => {
  expect(moments(3, 1)).toEqual([0, 700, 820]);
});

test("a long series takes two seconds at most", () => {
  expect(Math.max(...moments(60, 1))).toBeLessThanOrEqual(2000);
  expect(moments(60, 1).at(-1)).toBeGreaterThan(1900);
});

test("the player's speed counts, and without motion all is shown at once", () => {
  expect(moments(3, 0.5)).toEqual([0, 350, 410]);
  expect(moments(3, 0)).toEqual([0, 0, 0]);
});
