import { expect, test } from "vitest";

import type { LogLine } from "./game.svelte";
import { withLines } from "./log_lines";

const line = (index: number): LogLine => ({ index, at: 0, events: [] });
const indexes = (log: readonly LogLine[]) => log.map((each) => each.index);

test("lines stand in their order and each once, however they come", () => {
  const log = withLines([], [line(3), line(5)], 10);
  expect(indexes(withLines(log, [line(6), line(8)], 10))).toEqual([3, 5, 6, 8]);
  expect(indexes(withLines(log, [line(4), line(5), line(1)], 10))).toEqual([1, 3, 4, 5]);
  expect(indexes(withLines(log, [line(6), line(6)], 10))).toEqual([3, 5, 6]);
  expect(withLines(log, [], 10)).toBe(log);
});

test("of a long game the newest lines stay", () => {
  let log: readonly LogLine[] = [];
  for (let index = 0; index < 1000; index += 2) log = withLines(log, [line(index), line(index + 1)], 40);
  expect(indexes(log)).toEqual(Array.from({ length: 40 }, (_, place) => 960 + place));
  expect(indexes(withLines(log, [line(2)], 40))).toEqual(indexes(log));
});
