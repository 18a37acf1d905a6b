import { expect, it } from "vitest";

import type { GameEvent, LogLine } from "../../state/game.svelte";
import { dealtAndTraded, rollsByTurn } from "./history";

const line = (index: number, ...events: Record<string, unknown>[]): LogLine => ({
  index,
  at: 0,
  events: events.map((event) => ({ text: "", ...event }) as unknown as GameEvent),
});
const rolled = { event: "rolled", attacker: "red", defender: "blue", source: "a", target: "b", roll: { attack: [6], defence: [3] }, winners: ["attacker"], attacker_lost: 0, defender_lost: 1 };
const began = (seat: string, round: number) => ({ event: "turn_began", seat, round });

it("groups the rolls by turn, the newest first, and numbers all of them", () => {
  const log = [line(1, began("red", 1)), line(2, rolled), line(3, rolled), line(4, began("blue", 1)), line(5, began("red", 2), rolled)];
  const turns = rollsByTurn(log);
  expect(turns.map((turn) => [turn.seat, turn.round, turn.rolls.map((roll) => roll.number)])).toEqual([
    ["red", 2, [3]],
    ["red", 1, [2, 1]],
  ]);
});

it("counts a roll whose dice are hidden, and does not show it", () => {
  const turns = rollsByTurn([line(1, began("red", 1)), line(2, { ...rolled, roll: null }), line(3, rolled)]);
  expect(turns[0]?.rolls.map((roll) => roll.number)).toEqual([2]);
});

it("tells what one seat was dealt and has traded", () => {
  const log = [
    line(1, began("red", 1)),
    line(2, { event: "drew", seat: "red", card: "peru" }, { event: "drew", seat: "blue", card: "siam" }),
    line(3, began("red", 2), { event: "drew", seat: "red", card: null }),
    line(4, { event: "traded", seat: "red", cards: ["peru", "wild1", "ural"], armies: 4, bonus: [] }),
  ];
  expect(dealtAndTraded(log, "red").map(({ round, kind, cards, armies }) => [round, kind, cards, armies])).toEqual([
    [2, "traded", ["peru", "wild1", "ural"], 4],
    [2, "drew", [], 0],
    [1, "drew", ["peru"], 0],
  ]);
});
