import { expect, it } from "vitest";

import type { LogLine } from "../state/game.svelte";
import { pastArrows } from "./past_arrows";

const line = (index: number, ...events: Record<string, unknown>[]): LogLine =>
  ({ index, at: 0, events: events.map((event) => ({ text: "", ...event })) }) as unknown as LogLine;
const rolled = (attacker: string, source: string, target: string) => ({ event: "rolled", attacker, source, target });

const LOG = [
  line(1, { event: "turn_began", seat: "green" }, rolled("green", "siam", "india")),
  line(2, { event: "turn_began", seat: "blue" }),
  line(3, rolled("blue", "brazil", "peru"), rolled("blue", "brazil", "peru")),
  line(4, { event: "decided", seat: "blue", action: "fortify peru -> argentina 3" }),
];

it("draws each way of the last turn once", () => {
  expect(pastArrows(LOG, "red").map(({ from, to }) => [from, to])).toEqual([["brazil", "peru"], ["peru", "argentina"]]);
});

it("keeps them through the own turn, without own arrows", () => {
  const mine = [...LOG, line(5, { event: "turn_began", seat: "red" }, rolled("red", "congo", "egypt"))];
  expect(pastArrows(mine, "red")).toHaveLength(2);
  expect(pastArrows([...mine, line(6, { event: "turn_began", seat: "green" })], "red")).toEqual([]);
});

it("draws attacks on the player by everybody since the own last turn", () => {
  const attacked = (attacker: string, source: string, target: string, defender: string) => ({ ...rolled(attacker, source, target), defender });
  const log = [
    line(1, { event: "turn_began", seat: "green" }, attacked("green", "siam", "india", "red")),
    line(2, { event: "turn_began", seat: "red" }),
    line(3, { event: "turn_began", seat: "blue" }, attacked("blue", "brazil", "peru", "red"), attacked("blue", "brazil", "congo", "green")),
    line(4, { event: "turn_began", seat: "green" }, attacked("green", "egypt", "congo", "blue")),
    line(5, { event: "turn_began", seat: "red" }),
  ];
  expect(pastArrows(log, "red").map(({ from, to }) => [from, to])).toEqual([["brazil", "peru"], ["egypt", "congo"]]);
});
