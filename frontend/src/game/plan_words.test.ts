import { expect, it } from "vitest";

import { de } from "../texts/de/catalogue";
import { en } from "../texts/en/catalogue";
import { planInWords } from "./plan_words";

const plan = { mode: "place" as const, placed: {}, source: null, target: null, fittingStop: { kind: "left" as const, armies: 3 } };
const attack = { ...plan, mode: "attack" as const, source: "ukraine", target: "ural" };
const place = (territory: string) => territory.toUpperCase();

it("says what a draft places", () => {
  expect(planInWords({ ...plan, placed: { ural: 2, siam: 1 } }, en.game, place)).toBe("Place 2 on URAL, 1 on SIAM.");
  expect(planInWords({ ...plan, placed: { ural: 2 } }, de.game, place)).toBe("Setze 2 auf URAL.");
});

it("says what is attacked, and how far", () => {
  expect(planInWords(attack, en.game, place)).toBe("Attack URAL from UKRAINE, until 3 left.");
  expect(planInWords({ ...attack, fittingStop: { kind: "once" } }, en.game, place)).toBe("Attack URAL from UKRAINE, one roll.");
  expect(planInWords({ ...attack, fittingStop: { kind: "odds", least: 60 } }, en.game, place)).toContain("60 %");
});

it("says nothing where nothing is planned", () => {
  expect(planInWords(plan, en.game, place)).toBe("");
  expect(planInWords({ ...attack, target: null }, en.game, place)).toBe("");
});
