import { expect, it, vi } from "vitest";

import { Captures, floods } from "./captures.svelte";
import type { Geometry, Holdings, Owner, TerritoryShape } from "./types";

function territory(id: string, x: number): TerritoryShape {
  return { id, name: id, path: "", badge: [x + 5, 5], box: [x, 0, 10, 10], label: { lines: [], dx: 0, dy: 0 }, afloat: false, small: false };
}

const NAMES = ["a", "b", "c", "d", "e", "f", "g"];
const geometry = { territories: NAMES.map((name, index) => territory(name, 10 * index)) } as unknown as Geometry;
const held = (owners: string): Holdings =>
  Object.fromEntries(NAMES.map((name, index) => [name, { owner: (owners[index] === "r" ? "red" : "blue") as Owner, armies: 1 }]));

it("floods from the border that was crossed as far as the farthest corner", () => {
  const [flood] = floods(geometry, held("rbbbbbb"), held("rrbbbbb"), [{ from: "a", to: "b", kind: "past" }]);
  expect(flood).toEqual({ territory: "b", before: "blue", at: [10, 5], reach: Math.hypot(10, 5) });
});

it("floods from the middle where nobody knows the way, and never a whole new position", () => {
  expect(floods(geometry, held("bbbbbbb"), held("rbbbbbb"), [])[0]?.at).toEqual([5, 5]);
  expect(floods(geometry, held("bbbbbbb"), held("rrrrrrr"), [])).toEqual([]);
});

it("changes the badge halfway, and ends", () => {
  vi.useFakeTimers();
  const captures = new Captures();
  captures.follow(geometry, held("bbbbbbb"), [], () => 1);
  captures.follow(geometry, held("rbbbbbb"), [], () => 1);
  expect([captures.running.length, captures.old.get("a")]).toEqual([1, "blue"]);
  vi.advanceTimersByTime(261);
  expect([captures.running.length, captures.old.size]).toEqual([1, 0]);
  vi.advanceTimersByTime(260);
  expect(captures.running).toEqual([]);
  vi.useRealTimers();
});

it("shows the change at once where nothing may move", () => {
  const captures = new Captures();
  captures.follow(geometry, held("bbbbbbb"), [], () => 0);
  captures.follow(geometry, held("rbbbbbb"), [], () => 0);
  expect([captures.running.length, captures.old.size]).toEqual([0, 0]);
});
