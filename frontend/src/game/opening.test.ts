import { expect, test } from "vitest";

import type { Geometry } from "../map/types";
import { frameOf, largestGroup, seenNeighbours } from "./opening";

const neighbours = new Map([
  ["a", ["b", "d"]],
  ["b", ["a"]],
  ["c", []],
  ["d", ["a"]],
]);

test("the largest group of neighbours is shown", () => {
  expect(largestGroup(new Set(["c", "a", "b"]), neighbours, () => 1).sort()).toEqual(["a", "b"]);
});

test("of equal groups the one with more armies is shown", () => {
  expect(largestGroup(new Set(["c", "b"]), neighbours, (name) => (name === "b" ? 9 : 1))).toEqual(["b"]);
});

test("a frame holds its territories and a margin", () => {
  const geometry = { territories: [{ id: "a", box: [100, 100, 50, 20] }, { id: "b", box: [200, 50, 10, 10] }] } as unknown as Geometry;
  expect(frameOf(geometry, ["a", "b"])).toEqual({ x: 70, y: 20, width: 170, height: 130 });
  expect(frameOf(geometry, [])).toBeNull();
});

test("a sea route that leaves the map joins nothing that can be shown together", () => {
  const geometry = { lanes: [{ from: "d", to: "a", wraps: true }] } as unknown as Geometry;
  expect(seenNeighbours(geometry, neighbours).get("a")).toEqual(["b"]);
  expect(seenNeighbours(geometry, neighbours).get("d")).toEqual([]);
});
