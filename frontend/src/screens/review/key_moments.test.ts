import { expect, it } from "vitest";

import { review as text } from "../../texts/en/review";
import { letter, lines } from "./key_moments";
import type { KeyMoment } from "./review.svelte";

const NAMES = {
  seat: (colour: string) => ({ red: "Mateo", blue: "Ann" })[colour] ?? colour,
  territory: (id: string) => ({ ural: "Ural" })[id] ?? id,
  continent: (id: string) => ({ asia: "Asia" })[id] ?? id,
};
const MOMENT: KeyMoment = { index: 7, round: 3, kind: "elimination", seat: "red", other: "blue", battle: null, continent: null };
const BATTLE = { source: "china", target: "ural", rolls: 4, attacker_lost: 5, defender_lost: 2, luck: -3.14, taken: false };

it("says who eliminated whom, and when", () => {
  expect(lines([MOMENT], NAMES, text)).toEqual([{ index: 7, seat: "red", title: "Mateo eliminates Ann", detail: "Round 3", luck: null }]);
});

it("says who resigned, and when", () => {
  const resigned: KeyMoment = { ...MOMENT, kind: "resignation", seat: "blue", other: null };
  expect(lines([resigned], NAMES, text)).toEqual([{ index: 7, seat: "blue", title: "Ann resigns", detail: "Round 3", luck: null }]);
});

it("says how a battle ended, and what the dice gave", () => {
  const [failed, won] = lines(
    [
      { ...MOMENT, kind: "unluckiest", battle: BATTLE },
      { ...MOMENT, kind: "battle", battle: { ...BATTLE, taken: true } },
    ],
    NAMES,
    text,
  );
  expect(failed?.title).toBe("Unluckiest attack: Ural holds out against Mateo");
  expect(failed?.luck).toBe(-3.14);
  expect(won?.title).toBe("Great battle: Mateo takes Ural");
  expect(won?.detail).toBe("Round 3 · loses 5, kills 2");
});

it("says what a continent brought, and in whose turn it was lost", () => {
  const continent = { continent: "asia", turns: 4, armies: 28 };
  const [won, lost] = lines(
    [
      { ...MOMENT, kind: "continent_won", other: null, continent },
      { ...MOMENT, kind: "continent_lost", continent },
    ],
    NAMES,
    text,
  );
  expect(won?.detail).toBe("Round 3 · held for 4 turns: 28 armies");
  expect(lost?.title).toBe("Mateo loses Asia");
  expect(lost?.detail).toBe("Round 3 · in Ann’s turn");
});

it("counts in letters", () => {
  expect([0, 1, 25].map(letter)).toEqual(["A", "B", "Z"]);
});
