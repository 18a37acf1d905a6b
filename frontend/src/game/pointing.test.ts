import { expect, it } from "vitest";

import { withPlaces } from "./pointing";

it("outlines places beside the targets, whose chances stay", () => {
  const marks = withPlaces({ selected: "alaska", targets: { alberta: 0.6 } }, ["alberta", "peru"]);
  expect(marks).toEqual({ selected: "alaska", targets: { alberta: 0.6, peru: undefined } });
  expect(Object.keys(marks.targets ?? {})).toContain("peru");
});

it("changes nothing where no place is spoken of", () => {
  const marks = { selected: null };
  expect(withPlaces(marks, [])).toBe(marks);
});
