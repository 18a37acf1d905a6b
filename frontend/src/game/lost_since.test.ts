import { expect, it } from "vitest";

import type { LogLine } from "../state/game.svelte";
import { lostSince } from "./lost_since";

const line = (index: number, ...events: Record<string, unknown>[]): LogLine =>
  ({ index, at: 0, events: events.map((event) => ({ text: "", ...event })) }) as unknown as LogLine;
const began = (seat: string) => ({ event: "turn_began", seat });
const captured = (seat: string, territory: string, before: string) => ({ event: "captured", seat, territory, before });

const LOG = [
  line(1, began("blue"), captured("blue", "congo", "red")),
  line(2, began("red"), captured("red", "egypt", "blue")),
  line(3, began("blue"), captured("blue", "peru", "red"), captured("blue", "india", "green")),
  line(4, began("green"), captured("green", "brazil", "red"), captured("green", "peru", "blue")),
];

it("names what was taken from the player since the last own turn", () => {
  expect(lostSince([...LOG, line(5, began("red"))], "red")).toEqual(["peru", "brazil"]);
});

it("names nothing where nothing was taken", () => {
  expect(lostSince([line(1, began("red")), line(2, began("blue")), line(3, began("red"))], "red")).toEqual([]);
});
