import { expect, it } from "vitest";

import { bars, outcomeFor, type StopOutcome } from "./outcomes";

function stop(left: number, taken: [number, number][], held: [number, number][]): StopOutcome {
  return { left, take: 0, attackerLoses: 0, defenderLoses: 0, taken: new Map(taken), held: new Map(held) };
}

it("has a bar for each number of armies left", () => {
  const found = bars(3, stop(1, [[3, 0.5], [2, 0.2]], [[1, 0.3]]));
  expect(found.map((bar) => [bar.label, bar.taken, bar.held])).toEqual([["3", 0.5, 0], ["2", 0.2, 0], ["1", 0, 0.3]]);
});

it("combines more than twelve, and loses nothing", () => {
  const taken = Array.from({ length: 30 }, (_, index): [number, number] => [index + 1, 1 / 30]);
  const found = bars(30, stop(1, taken, []));
  expect(found).toHaveLength(10);
  expect(found[0]?.label).toBe("30–28");
  expect(found.reduce((sum, bar) => sum + bar.taken, 0)).toBeCloseTo(1, 9);
});

it("finds the stop nearest to a wish", () => {
  const stops = [stop(1, [], []), stop(4, [], []), stop(8, [], [])];
  expect(outcomeFor(stops, 5)?.left).toBe(4);
  expect(outcomeFor([], 5)).toBeUndefined();
});
