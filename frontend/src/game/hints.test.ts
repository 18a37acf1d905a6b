import { expect, test } from "vitest";

import { hintFor, NO_HINTS } from "./hints";

const turn = { mode: "place" as const, source: null, target: null, left: 3 };

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
