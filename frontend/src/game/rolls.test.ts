import { expect, it } from "vitest";

import { rollOf, RollReader } from "./rolls";

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

it("numbers the rolls of a battle, also where they come one by one, and begins anew in each turn", () => {
  const other = { ...event, target: "alberta" };
  const line = (index: number, ...events: (typeof event | { event: string; text: string })[]) => ({ index, at: 0, events });
  const reader = new RollReader();
  const read = (...lines: ReturnType<typeof line>[]) => reader.read(lines).map((roll) => roll.number);
  expect(read(line(1, event), line(2, event))).toEqual([1, 2]);
  expect(read(line(3, event))).toEqual([3]);
  expect(read(line(4, other), line(5, event))).toEqual([1, 1]);
  expect(read(line(6, { event: "turn_began", text: "" }))).toEqual([]);
  expect(read(line(7, event))).toEqual([1]);
});
