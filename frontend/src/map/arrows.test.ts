import { expect, it } from "vitest";

import { arrowShape, throughEdge } from "./arrows";

it("leads off the nearer edge and comes in at the other one", () => {
  expect(throughEdge([100, 80], [1100, 60], 1200)).toEqual([
    [[100, 80], [0, 70]],
    [[1200, 70], [1100, 60]],
  ]);
  expect(throughEdge([1100, 60], [100, 80], 1200)).toEqual([
    [[1100, 60], [1200, 70]],
    [[0, 70], [100, 80]],
  ]);
});

/** The lowest corner of the tip of an arrow that comes straight up to a badge at 0, 0. */
const tip = (from: number, name: number) => Number(/L(?:\S+ \S+)L\S+ (\S+?)L/.exec(arrowShape([0, from], [0, 0], 6, 20, name).path)?.[1]);

it("ends before the name below a badge, where there is room for that", () => {
  expect(tip(200, 0)).toBeLessThan(22);
  expect(tip(200, 24)).toBeGreaterThan(40);
  expect(tip(50, 24)).toBeLessThan(26);
  const fromAbove = (name: number) => arrowShape([0, -200], [0, 0], 6, 20, name).path;
  expect(fromAbove(24)).toBe(fromAbove(0));
});
