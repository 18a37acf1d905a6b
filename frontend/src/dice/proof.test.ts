import { expect, it } from "vitest";

import EXAMPLE from "../../../docs/example.dice?raw";
import { prove } from "./proof";

it("checks the example of docs/fair-dice.md", async () => {
  const proof = await prove(EXAMPLE);
  expect(proof.bad).toBeNull();
  expect(proof.requests).toBeGreaterThan(0);
  expect(proof.draws).toBeGreaterThanOrEqual(proof.requests);
  expect(proof.opened).toBe(true);
  const battles = [...EXAMPLE.matchAll(/"battle":(\[\[[\d,]+\],\[[\d,]+\]\])/g)].map(([, dice]) => (JSON.parse(dice!) as number[][]).flat());
  expect(battles.length).toBeGreaterThan(0);
  expect(proof.battleRolls).toBe(battles.length);
  expect(proof.battleDice).toBe(battles.flat().length);
});

it("names the first bad line of a changed transcript", async () => {
  const lines = EXAMPLE.split("\n");
  const changed = lines.findIndex((line) => line.includes('"kind":"answer"'));
  lines[changed] = lines[changed]!.replace(/\d(?=\])/, (face) => String((Number(face) % 6) + 1));
  const proof = await prove(lines.join("\n"));
  expect(proof.bad?.line).toBe(changed + 1);
});
