import { expect, it } from "vitest";

import type { GameView } from "../state/game.svelte";
import { en } from "../texts/en/catalogue";
import { motionsOf, motionText } from "./motions";

type Known = Parameters<typeof motionsOf>[0];

function table(more: Partial<Record<keyof Known, unknown>> = {}): Known {
  const colours = ["red", "blue", "green"];
  return {
    votes: {},
    paused: false,
    settings: { clock: "none", timeout_policy: "wait" },
    seats: colours.map((colour) => ({ colour, bot: colour === "green" ? "greedy" : null, substitute: null })),
    position: { seats: colours.map((colour) => ({ colour, status: "playing" })) },
    you: "red",
    ...more,
  } as unknown as GameView;
}

it("offers what the table has: a pause or its end, more time where there is a clock", () => {
  expect(motionsOf(table()).map((each) => each.motion)).toEqual(["draw", "pause", "replace blue"]);
  const timed = motionsOf(table({ paused: true, settings: { clock: "live", timeout_policy: "bot" } }));
  expect(timed.map((each) => each.motion)).toEqual(["draw", "resume", "extend"]);
});

it("shows first what somebody is for, and whether that is oneself", () => {
  const [first, second] = motionsOf(table({ votes: { "fork 12": ["blue"], draw: ["red"] } }));
  expect([first?.motion, first?.mine]).toEqual(["fork 12", false]);
  expect([second?.motion, second?.mine]).toEqual(["draw", true]);
});

it("has words for every motion", () => {
  const words = ["draw", "pause", "resume", "extend", "replace blue", "fork 12"].map((motion) => motionText(motion, en.table, () => "Ann"));
  expect(words).toEqual(["Draw", "Pause", "Go on", "More time", "A bot for Ann", "Back to line 12 of the log"]);
});
