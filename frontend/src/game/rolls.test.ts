import { expect, it } from "vitest";

import { rollOf } from "./rolls";

const event = {
  event: "rolled", text: "", attacker: "red", defender: "blue", source: "alaska", target: "kamchatka",
  roll: { attack: [2, 6, 4], defence: [4, 5] }, winners: ["attacker", "defender"], attacker_lost: 1, defender_lost: 1,
};

it("draws the dice highest first, with the fate that the server tells", () => {
  const roll = rollOf(event);
  expect(roll?.attack.map((die) => [die.face, die.fate])).toEqual([[6, "won"], [4, "lost"], [2, "idle"]]);
  expect(roll?.defend.map((die) => [die.face, die.fate])).toEqual([[5, "lost"], [4, "won"]]);
  expect(roll?.signs).toEqual([">", "="]);
});

it("draws nothing where the dice are hidden", () => {
  expect(rollOf({ ...event, roll: null, winners: [] })).toBeNull();
});
