import { expect, it } from "vitest";

import { bytes } from "./bytes";

it("uses the largest unit that gives at least one", () => {
  expect([0, 999, 1000, 3_240_000, 2e15].map((count) => bytes(count, "en"))).toEqual(["0 B", "999 B", "1 kB", "3.2 MB", "2,000 TB"]);
});
