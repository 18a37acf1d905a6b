import { expect, it } from "vitest";

import { Toasts } from "./toasts.svelte";

it("shows the newest three, each text once", () => {
  const toasts = new Toasts();
  for (const text of ["a", "b", "c", "b", "d"]) toasts.show(text);
  expect(toasts.shown.map((toast) => toast.text)).toEqual(["c", "b", "d"]);
  toasts.close(toasts.shown[0]!.id);
  expect(toasts.shown.map((toast) => toast.text)).toEqual(["b", "d"]);
});
