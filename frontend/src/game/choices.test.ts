import { expect, it } from "vitest";

import type { ActionRange } from "../state/game.svelte";
import { placementLines } from "./choices";

const range = (target: string, most: number) =>
  ({ kind: "place", target, source: null, number: "armies", least: 1, most, lowest: `place ${target} 1`, highest: `place ${target} ${most}` }) as unknown as ActionRange;
const PLACES = [range("alaska", 9), range("ural", 4)];

it("writes a draft as actions, one a line", () => {
  expect(placementLines(PLACES, { alaska: 3, ural: 4 })).toBe("place alaska 3\nplace ural 4");
  expect(placementLines(PLACES, { alaska: 9 })).toBe("place alaska 9");
});

it("knows no text of a draft that the server's ranges do not allow", () => {
  expect(placementLines(PLACES, { alaska: 3, ural: 5 })).toBeNull();
  expect(placementLines(PLACES, { siam: 1 })).toBeNull();
});
