import { expect, it } from "vitest";

import { en } from "../texts/en/catalogue";
import { motionsOf, motionText } from "./motions";

const table = { votes: {}, motions: ["draw", "pause"], you: "red" };

it("offers what the server offers", () => {
  expect(motionsOf(table).map((each) => each.motion)).toEqual(["draw", "pause"]);
});

it("shows first what somebody is for, and whether that is oneself", () => {
  const [first, second, ...others] = motionsOf({ ...table, votes: { "fork 12": ["blue"], draw: ["red"] } });
  expect([first?.motion, first?.mine]).toEqual(["fork 12", false]);
  expect([second?.motion, second?.mine]).toEqual(["draw", true]);
  expect(others.map((each) => each.motion)).toEqual(["pause"]);
});

it("has words for every motion", () => {
  const words = ["draw", "pause", "resume", "extend", "replace blue", "fork 12"].map((motion) => motionText(motion, en.table, () => "Ann"));
  expect(words).toEqual(["Draw", "Pause", "Go on", "More time", "A bot for Ann", "Back to line 12 of the log"]);
});
