import { expect, test } from "vitest";

import { toRead } from "./turns";

const line = (index: number, ...events: string[]) => ({ index, at: 0, events: events.map((event) => ({ event, text: "" })) });

test("a roll, a capture and a drawn card are looked at, an ended turn is not", () => {
  expect(toRead([line(4, "decided", "rolled")], 3)).toBe(true);
  expect(toRead([line(4, "decided"), line(5, "drew")], 3)).toBe(true);
  expect(toRead([line(4, "decided", "turn_ended")], 3)).toBe(false);
});

test("what was there before the decision is no news", () => {
  expect(toRead([line(3, "rolled"), line(4, "decided")], 3)).toBe(false);
});
