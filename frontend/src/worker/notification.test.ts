import { expect, it } from "vitest";

import { shownOf } from "./notification";

const message = (more: object) => JSON.stringify({ kind: "decision", game: "abc2345xyz", title: "Sunday table", ...more });

it("says what happened, in the language of the device", () => {
  expect(shownOf(message({}), "en")).toEqual({ title: "It is your turn", body: "Sunday table", tag: "abc2345xyz", address: "/games/abc2345xyz" });
  expect(shownOf(message({ kind: "over" }), "de").title).toBe("Das Spiel ist zu Ende");
  expect(shownOf(message({}), "fr").title).toBe("It is your turn");
});

it("shows something also for what it cannot read", () => {
  for (const text of ["", "null", "[1", "{}", message({ kind: "later" })]) {
    expect(shownOf(text, "en").title).toBe("There is news at your table");
  }
});

it("leads to no other address than that of a game", () => {
  expect(shownOf(message({ game: "//evil.example" }), "en").address).toBe("/");
  expect(shownOf(message({ game: "../account" }), "en").address).toBe("/");
});
