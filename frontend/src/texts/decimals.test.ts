import { afterEach, expect, it } from "vitest";

import { device } from "../state/device.svelte";
import { decimals } from "./decimals";

const { language } = device.choices;

afterEach(() => {
  device.choices.language = language;
});

it("writes decimals as the language does", () => {
  device.choices.language = "en";
  expect(decimals(4.126, 2)).toBe("4.13");
  device.choices.language = "de";
  expect(decimals(4, 1)).toBe("4,0");
});
