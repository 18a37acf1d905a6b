import { expect, it } from "vitest";

import { bytesOf, labelOf } from "./push.svelte";

it("reads base64url", () => {
  expect([...bytesOf("AP-_")]).toEqual([0, 255, 191]);
  expect([...bytesOf("_w")]).toEqual([255]);
});

it("names a device by its browser and its system", () => {
  expect(labelOf("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36")).toBe("Chrome, Linux");
  expect(labelOf("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")).toBe("Firefox, Android");
  expect(labelOf("something else")).toBe("");
});
