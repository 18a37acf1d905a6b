import { afterEach, expect, it, vi } from "vitest";

import { bytesOf, endPush, labelOf } from "./push.svelte";

it("reads base64url", () => {
  expect([...bytesOf("AP-_")]).toEqual([0, 255, 191]);
  expect([...bytesOf("_w")]).toEqual([255]);
});

it("names a device by its browser and its system", () => {
  expect(labelOf("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36")).toBe("Chrome, Linux");
  expect(labelOf("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")).toBe("Firefox, Android");
  expect(labelOf("something else")).toBe("");
});

afterEach(() => vi.unstubAllGlobals());

function answered() {
  const ask = vi.fn((_address: string, _asked: RequestInit) => Promise.resolve(Response.json({ removed: true })));
  vi.stubGlobal("fetch", ask);
  return ask;
}

it("ends the messages to this device alone, or to all, before somebody signs out", async () => {
  localStorage.setItem("rubicon.push", "7");
  const ask = answered();
  await endPush();
  await endPush(true);
  expect(ask.mock.calls.map(([address, { method }]) => `${method} ${address}`)).toEqual(["DELETE /api/v1/me/push?device=7", "DELETE /api/v1/me/push"]);
});

it("asks for nothing where this device has none", async () => {
  localStorage.removeItem("rubicon.push");
  const ask = answered();
  await endPush();
  expect(ask).not.toHaveBeenCalled();
});
