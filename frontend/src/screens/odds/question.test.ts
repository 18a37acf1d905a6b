import { expect, it } from "vitest";

import { addressOf, questionOf } from "./question";

const asked = (address: string) => questionOf(new URLSearchParams(address));

it("reads back the address that it writes", () => {
  const question = { attack: 20, defend: [3, 1, 5], left: 4, ruleset: "revised" };
  const address = addressOf(question);
  expect(address).toBe("/odds?attack=20&defend=3&defend=1&defend=5&left=4&ruleset=revised");
  expect(questionOf(new URL(address, "http://localhost").searchParams)).toEqual(question);
});

it("takes the usual for what makes no sense", () => {
  const usual = { attack: 9, defend: [6], left: 1, ruleset: "classic" };
  expect(asked("")).toEqual(usual);
  expect(asked("attack=many&left=-2")).toEqual(usual);
  expect(asked("attack=1&defend=0")).toEqual({ ...usual, attack: 2, defend: [1] });
  expect(asked("defend=1&".repeat(40)).defend).toHaveLength(12);
});
