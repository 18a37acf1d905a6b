import { expect, it } from "vitest";

import { bands, chancesOf, spread } from "./curves";

const seat = (armies: number) => ({ armies, territories: 0, income: 0 });
const turns = [{ seats: { red: seat(1), blue: seat(3) } }, { seats: { red: seat(4), blue: seat(0) } }];

it("fills the whole height at each turn", () => {
  const [red, blue] = bands(turns, ["red", "blue"], "armies", 100, 40);
  expect(red?.path).toBe("M0.0 30.0L100.0 0.0L100.0 40.0L0.0 40.0Z");
  expect(blue?.path).toBe("M0.0 0.0L100.0 0.0L100.0 0.0L0.0 30.0Z");
});

it("draws nothing where no turn was played", () => {
  expect(bands([], ["red", "blue"], "armies", 100, 40)).toEqual([]);
});

it("names a band where it is widest", () => {
  const [red, blue] = bands(turns, ["red", "blue"], "armies", 400, 160);
  expect(red?.label).toEqual([360, 80]);
  expect(blue?.label).toEqual([40, 60]);
});

it("leaves a name out that would cover another", () => {
  const [red, blue] = bands(turns, ["red", "blue"], "armies", 100, 40);
  expect(red?.label).toEqual([60, 20]);
  expect(blue?.label).toBeNull();
});

it("moves places apart, and keeps them inside", () => {
  expect(spread([0, 50, 52, 100, 100], 10, 100)).toEqual([0, 50, 60, 90, 100]);
});

it("finds the chances at the beginning of each turn", () => {
  const curve = [{ index: 4, chances: { red: 0.25, blue: 0.75 } }, { index: 9, chances: { red: 1, blue: 0 } }];
  const found = chancesOf([{ index: 4 }, { index: 9 }], curve);
  const [red] = bands(found, ["red", "blue"], "chances", 100, 40);
  expect(red?.path).toBe("M0.0 30.0L100.0 0.0L100.0 40.0L0.0 40.0Z");
  expect(chancesOf([{ index: 5 }], curve)).toEqual([{ seats: {} }]);
});
