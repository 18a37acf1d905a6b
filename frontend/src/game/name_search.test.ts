import { expect, it } from "vitest";

import { NameSearch } from "./name_search";

const search = () => new NameSearch(() => new Map([["ukraine", "Ukraine"], ["ural", "Ural"], ["siam", "Siam"], ["east_africa", "East Africa"]]));

it("finds a name by its letters, and begins anew after a pause", () => {
  const names = search();
  expect([names.type("u", 0), names.type("R", 400)]).toEqual(["ukraine", "ural"]);
  expect(names.underway(1000)).toBe(true);
  expect(names.type("s", 1500)).toBe("siam");
});

it("keeps what was typed where a letter fits no name", () => {
  const names = search();
  expect([names.type("u", 0), names.type("z", 100), names.type("k", 200)]).toEqual(["ukraine", null, "ukraine"]);
});

it("finds names of two words, and nothing by a space or a named key", () => {
  const names = search();
  expect(names.type(" ", 0)).toBeNull();
  expect(names.type("Shift", 0)).toBeNull();
  expect([..."east a"].map((key, index) => names.type(key, index)).at(-1)).toBe("east_africa");
});
