import { expect, it } from "vitest";

import { device } from "../state/device.svelte";
import { duration } from "./durations";

it("uses the largest unit that gives a whole number", () => {
  device.choose("language", "en");
  expect([90, 120, 5400, 7200, 86_400, 172_800].map(duration)).toEqual(["90 s", "2 min", "90 min", "2 h", "1 day", "2 days"]);
});
