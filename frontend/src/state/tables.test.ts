import { expect, it } from "vitest";

import { deadline, urgency, type ListedTable } from "./tables.svelte";

const table = (needs: boolean, until: number | null): ListedTable =>
  ({ needs_you: needs, your_seat: "red", game: { moving: [{ colour: "blue", until: 1 }, { colour: "red", until }] } }) as ListedTable;

it("knows my own deadline, not that of others", () => {
  expect(deadline(table(true, 7000))).toBe(7000);
  expect(deadline(table(true, null))).toBeNull();
});

it("puts the nearest deadline first, then what waits without a clock, then the rest", () => {
  const tables = [table(false, null), table(true, null), table(true, 9000), table(true, 7000)];
  const sorted = [...tables].sort((one, other) => urgency(one) - urgency(other));
  expect(sorted.map(deadline)).toEqual([7000, 9000, null, null]);
  expect(sorted.map((each) => each.needs_you)).toEqual([true, true, true, false]);
});
