import { expect, it } from "vitest";

import { placedArmies } from "./sealed_placement";

it("reads where the armies of a sealed placement stand", () => {
  expect(placedArmies("place ural 2\nplace siam 5\nplace ural 1\n")).toEqual({ ural: 3, siam: 5 });
});

it("marks nothing where nothing is known", () => {
  expect(placedArmies("")).toEqual({});
});
