import { expect, it } from "vitest";

import { named, type BoardData } from "./boards.svelte";

const served = {
  territories: [
    { id: "iceland", name: "Iceland", names: { de: "Island" } },
    { id: "atoll", name: "Atoll", names: {} },
  ],
  continents: [{ id: "europe", name: "Europe", names: { de: "Europa" } }],
} as unknown as BoardData;

it("names places in the language of the app, and in English where the board has no other name", () => {
  const german = named(served, "de");
  expect(german.territories.map((each) => each.name)).toEqual(["Island", "Atoll"]);
  expect(german.continents[0]?.name).toBe("Europa");
});

it("keeps English names", () => {
  expect(named(served, "en").territories[0]?.name).toBe("Iceland");
});
