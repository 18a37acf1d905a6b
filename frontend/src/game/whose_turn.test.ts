import { expect, it } from "vitest";

import { highlighted, inSentence, undecided } from "./whose_turn";

const view = { phase: "sealed", turn: "red", deadlines: { red: null, blue: 5 } as Record<string, number | null>, waiting_for: "", you: "blue" };

it("highlights who has the turn", () => {
  expect([...highlighted({ ...view, phase: "attack" })]).toEqual(["red"]);
  expect([...highlighted({ ...view, phase: "deal", turn: null })]).toEqual([]);
});

it("highlights the own seat while its hidden placement is missing, then those who are waited for", () => {
  expect([...highlighted(view)]).toEqual(["blue"]);
  expect([...highlighted({ ...view, you: "green" })]).toEqual(["red", "blue"]);
  expect([...highlighted({ ...view, you: null })]).toEqual(["red", "blue"]);
});

it("waits for nobody's decision while placements open", () => {
  expect([...undecided({ ...view, waiting_for: "openings" })]).toEqual([]);
  expect([...undecided({ ...view, phase: "attack" })]).toEqual([]);
});

it("joins names in a sentence", () => {
  const and = (most: string, last: string) => `${most} and ${last}`;
  expect([[], ["Ann"], ["Ann", "Bob"], ["Ann", "Bob", "Cy"]].map((names) => inSentence(names, and))).toEqual(["", "Ann", "Ann and Bob", "Ann, Bob and Cy"]);
});
