import { expect, it } from "vitest";

import { waiting as text } from "../texts/en/waiting";
import { waitingText } from "./waiting";

const NOTHING = { waiting_for: "", links_pending: {}, deadlines: {}, you: "red" };
const name = (colour: string) => ({ red: "Ann", blue: "Mateo", green: "Wen" })[colour] ?? colour;
const said = (more: Partial<Parameters<typeof waitingText>[0]>) => waitingText({ ...NOTHING, ...more }, name, 1000, text);

it("says nothing where the game waits for decisions only", () => {
  expect(said({})).toBe("");
});

it("names the players whose browsers a roll waits for, and how long it waits", () => {
  expect(said({ waiting_for: "links", links_pending: { red: 3500, blue: 9000, green: 9000 } })).toBe(text.links("Mateo or Wen", 8));
  expect(said({ waiting_for: "links", links_pending: { red: 3500 } })).toBe(text.ownLink(3));
  expect(said({ waiting_for: "links", links_pending: { red: 300_000 } })).toBe(text.ownLinkComes);
  expect(said({ waiting_for: "links", links_pending: { blue: 500 } })).toBe(text.links("Mateo", 0));
});

it("names who is to open a placement, and the time that is left", () => {
  expect(said({ waiting_for: "openings", deadlines: { blue: 61_000 } })).toBe(`${text.openings("Mateo")} ${text.timeLeft("1:00")}`);
  expect(said({ waiting_for: "openings", deadlines: { red: null } })).toBe(text.ownOpening);
});

it("leaves real dice to the form of those who enter them", () => {
  expect(said({ waiting_for: "typed", deadlines: { red: null, blue: null } })).toBe("");
  expect(said({ waiting_for: "typed", deadlines: { blue: null } })).toBe(text.typed("Mateo"));
});
