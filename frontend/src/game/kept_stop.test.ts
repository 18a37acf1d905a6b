import { beforeEach, expect, it } from "vitest";

import { DEFAULT_STOP } from "./stop";
import { keepStop, keptStop } from "./kept_stop";

const rule = { stop: { kind: "left", armies: 5 }, armiesLeft: 5 } as const;

beforeEach(() => localStorage.clear());

it("keeps the stop rule of a seat of a game", () => {
  keepStop(localStorage, "g1", "red", rule);
  expect(keptStop(localStorage, "g1", "red")).toEqual(rule);
  expect(keptStop(localStorage, "g1", "blue")).toBeNull();
  expect(keptStop(localStorage, "g2", "red")).toBeNull();
});

it("forgets it when the game is over, and where it is the first one again", () => {
  keepStop(localStorage, "g1", "red", rule);
  keepStop(localStorage, "g1", "red", null);
  expect(localStorage.length).toBe(0);
  keepStop(localStorage, "g1", "red", { stop: DEFAULT_STOP, armiesLeft: 3 });
  expect(localStorage.length).toBe(0);
});

it("reads nothing from what is damaged", () => {
  localStorage.setItem("rubicon.stop.g1.red", "{");
  expect(keptStop(localStorage, "g1", "red")).toBeNull();
  localStorage.setItem("rubicon.stop.g1.red", JSON.stringify({ stop: { kind: "never" }, armiesLeft: 2 }));
  expect(keptStop(localStorage, "g1", "red")).toBeNull();
});
