import { expect, it } from "vitest";

import { lossesOf } from "./defence";

it("adds up the chances of each loss, whatever the attacker loses", () => {
  const outcomes = [
    { attacker_loses: 0, defender_loses: 2, chance: 0.25 },
    { attacker_loses: 1, defender_loses: 1, chance: 0.25 },
    { attacker_loses: 2, defender_loses: 0, chance: 0.25 },
    { attacker_loses: 0, defender_loses: 1, chance: 0.25 },
  ];
  expect(lossesOf(outcomes)).toEqual([
    { loses: 0, chance: 0.25 },
    { loses: 1, chance: 0.5 },
    { loses: 2, chance: 0.25 },
  ]);
});
