import { expect, test } from "vitest";

import { schedule } from "./series";

test("the first roll in full, then one every 120 milliseconds", () => {
  expect(schedule(3, 1)).toEqual([0, 700, 820]);
  expect(schedule(1, 1)).toEqual([0]);
});

test("a long series takes two seconds at most", () => {
  expect(Math.max(...schedule(60, 1))).toBeLessThanOrEqual(2000);
});

test("the player's speed counts, and without motion all is shown at once", () => {
  expect(schedule(3, 0.5)).toEqual([0, 350, 410]);
  expect(schedule(3, 0)).toEqual([0, 0, 0]);
});
