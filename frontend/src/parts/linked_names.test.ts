import { expect, it } from "vitest";

import { namesIn } from "./linked_names";

const people = [{ colour: "red", name: "Ann" }, { colour: "blue", name: "Ann Lee" }];

it("finds the names of people", () => {
  expect(namesIn("Ann takes Egypt from Ann Lee", people)).toEqual([
    { text: "Ann", colour: "red" },
    { text: " takes Egypt from ", colour: null },
    { text: "Ann Lee", colour: "blue" },
  ]);
});

it("finds whole words only", () => {
  expect(namesIn("Anna and Ann’s army", people).map((part) => part.colour)).toEqual([null, "red", null]);
  expect(namesIn("", people)).toEqual([]);
});
