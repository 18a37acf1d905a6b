import { expect, it } from "vitest";

import { winning as german } from "../../texts/de/winning";
import { winning as text } from "../../texts/en/winning";
import { actionWords, bars, battleWords, reasonWords, type DecidingMoment, type Reason } from "./plans";

const names = { seat: (colour: string) => colour.toUpperCase(), territory: (id: string) => `<${id}>`, continent: (id: string) => `[${id}]` };
const aim: Reason = { kind: "breaks_continent", territory: null, continent: "asia", seat: "red", chance: 0.71 };
const better: NonNullable<DecidingMoment["better"]> = {
  action: "attack ural -> siberia dice 3",
  reason: aim,
  chance: 0.2,
  better_chance: 0.4,
  error: 0.01,
};

it("says what was done and what could be done", () => {
  expect(actionWords("place ural 3", "Ann", names, text)).toBe("Ann places 3 armies on <ural>");
  expect(actionWords(better.action, null, names, text)).toBe("attack <siberia> from <ural>");
  expect(actionWords("fortify ural -> siberia 4", null, names, german)).toBe("4 von <ural> nach <siberia> verlegen");
  expect(actionWords("occupy 5", "Ann", names, text)).toBe("Ann moves 5 armies in");
  expect(actionWords("end attack", "Ann", names, text)).toBe("Ann stops attacking");
  expect(actionWords("end turn", null, names, text)).toBe("end the turn");
  expect(actionWords("resign red", "Ann", names, german)).toBe("Ann gibt auf");
  expect(actionWords("decline", "Ann", names, text)).toBe("Ann: decline");
});

it("says why, with the chance of the plan", () => {
  expect(reasonWords(aim, names, text)).toBe("breaks RED’s [asia], 71 %");
  expect(reasonWords({ ...aim, kind: "guards", territory: "ural", chance: null }, names, text)).toBe("guards <ural>");
  expect(reasonWords({ ...aim, kind: "wins", chance: 0.96 }, names, german)).toBe("gewinnt das Spiel, 96 %");
  expect(reasonWords({ ...aim, kind: "defends", territory: "ural", chance: null }, names, german)).toBe("verteidigt <ural>");
});

it("tells a battle, and no battle of a decision", () => {
  const moment = { battle: { source: "ural", target: "siberia", rolls: 1, taken: false, odds: 0.83 }, weight: 0.04 } as DecidingMoment;
  expect(battleWords(moment, names, text)).toBe("<siberia> holds out, 1 roll, odds 83 %, the dice move 4 points");
  expect(battleWords({ ...moment, battle: null }, names, text)).toBeNull();
});

it("draws all bars to one scale", () => {
  expect(bars([0.5, -0.25, 0], 40)).toEqual([40, 20, 0]);
});
