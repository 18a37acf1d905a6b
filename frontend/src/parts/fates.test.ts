import { expect, it } from "vitest";

import { fates } from "./fates";

it("pairs the highest dice; ties are the defender's; the rest is not compared", () => {
  const { attack, defend } = fates([2, 6, 4], [4, 5]);
  expect(attack).toEqual([
    { face: 6, fate: "won" },
    { face: 4, fate: "lost" },
    { face: 2, fate: "idle" },
  ]);
  expect(defend).toEqual([
    { face: 5, fate: "lost" },
    { face: 4, fate: "won" },
  ]);
});
