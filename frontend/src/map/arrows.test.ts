import { expect, it } from "vitest";

import { throughEdge } from "./arrows";

it("leads off the nearer edge and comes in at the other one", () => {
  expect(throughEdge([100, 80], [1100, 60], 1200)).toEqual([
    [[100, 80], [0, 70]],
    [[1200, 70], [1100, 60]],
  ]);
  expect(throughEdge([1100, 60], [100, 80], 1200)).toEqual([
    [[1100, 60], [1200, 70]],
    [[0, 70], [100, 80]],
  ]);
});
