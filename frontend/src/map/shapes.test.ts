import { expect, it } from "vitest";

import { armiesText, chanceText, silhouette } from "./shapes";

it("writes armies in at most four characters", () => {
  expect([0, 7, 999, 1000, 1250, 12_345].map(armiesText)).toEqual(["0", "7", "999", "1.0k", "1.2k", "12k"]);
  expect(armiesText(null)).toBe("?");
});

it("never writes a false 0 or 100 per cent", () => {
  expect([0, 0.001, 0.634, 0.997, 1].map(chanceText)).toEqual(["0 %", "<1 %", "63 %", ">99 %", "100 %"]);
});

it("scales every number of a silhouette", () => {
  expect(silhouette("yellow", 10).replaceAll(" ", "")).toBe("M0-12.2L12.20L012.2L-12.20Z");
});
