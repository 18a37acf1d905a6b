import { expect, test } from "vitest";

import { bubbleAt, endBubble, hintFor, NO_HINTS } from "./hints";

const turn = { mode: "place" as const, source: null, target: null, left: 3 };

const MAP = { width: 400, height: 500, tall: 100 };

test("one hint at a time, in the order of a first turn", () => {
  expect(hintFor(turn, [])).toBe("yours");
  expect(hintFor(turn, ["yours"])).toBe("place");
  expect(hintFor(turn, ["yours", "place"])).toBeNull();
});

test("an attack is explained when its turn comes", () => {
  expect(hintFor({ ...turn, mode: "attack" }, ["yours"])).toBe("select");
  expect(hintFor({ ...turn, mode: "attack", source: "ural" }, ["yours", "select"])).toBe("target");
  expect(hintFor({ ...turn, mode: "attack" }, ["select"])).toBe("end");
});

test("no hint for somebody who only watches, or wants none", () => {
  expect(hintFor({ ...turn, mode: "watch" }, [])).toBeNull();
  expect(hintFor(turn, [NO_HINTS])).toBeNull();
});

test("a bubble points at a place that is seen, and covers as few as it can", () => {
  const bubble = bubbleAt([[200, 300], [200, 200], [2000, 10]], MAP);
  expect(bubble).toEqual({ side: "below", left: 62, top: 352, tail: 138 });
  expect(bubbleAt([[2000, 10]], MAP)).toBeNull();
});

test("a bubble stays inside the map", () => {
  expect(bubbleAt([[390, 460]], MAP)).toBeNull(); // at the very edge nothing is pointed at
  expect(bubbleAt([[375, 440]], MAP)).toEqual({ side: "above", left: 116, top: 310, tail: 258 });
});

test("the bubble above a button leaves the controls of the map free", () => {
  expect(endBubble(920, 1000, 64)).toEqual({ left: 660, width: 276, tail: 258 });
  expect(endBubble(500, 1000, 64)).toEqual({ left: 362, width: 276, tail: 138 });
  expect(endBubble(195, 390, 148)).toEqual({ left: 8, width: 234, tail: 187 });
});

test("a bubble covers the badges of others as little as its own", () => {
  const badges = [[200, 300], [200, 200]] as const;
  expect(bubbleAt([[200, 300]], MAP)?.side).toBe("above");
  expect(bubbleAt([[200, 300]], { ...MAP, badges })?.side).toBe("below");
});
