import { beforeEach, expect, it } from "vitest";

import { lastPlay, lastTable, rememberBots, rememberPlay, rememberTable } from "./last_time";

const TABLE = { id: "t1", ruleset: "classic", options: {}, seats: 4, access: "link", settings: {}, bots: {} };

beforeEach(() => localStorage.clear());

it("remembers the last game and the last table beside each other", () => {
  rememberTable(TABLE);
  rememberPlay({ ruleset: "revised", bots: ["greedy", "random"], quick: true });
  expect(lastPlay()?.bots).toEqual(["greedy", "random"]);
  expect(lastTable()?.seats).toBe(4);
});

it("adds bots to the table that was opened here, and to no other", () => {
  rememberTable(TABLE);
  rememberBots("t2", { 1: "random" });
  expect(lastTable()?.bots).toEqual({});
  rememberBots("t1", { 1: "random" });
  expect(lastTable()?.bots).toEqual({ 1: "random" });
});

it("knows nothing where the storage holds something else", () => {
  localStorage.setItem("rubicon.last", "[1");
  expect(lastPlay()).toBeNull();
});
