import { afterEach, expect, it, vi } from "vitest";

import { playerPages } from "./players";

afterEach(() => vi.unstubAllGlobals());

it("asks once for a table, and knows who has a page", async () => {
  const people = [{ colour: "red", last_seen: "now", player: "abc" }, { colour: "blue", last_seen: "now", player: null }];
  const fetched = vi.fn(async () => new Response(JSON.stringify(people), { headers: { "content-type": "application/json" } }));
  vi.stubGlobal("fetch", fetched);
  expect([...(await playerPages("t1", null))]).toEqual([["red", "abc"]]);
  await playerPages("t1", null);
  expect(fetched).toHaveBeenCalledTimes(1);
});

it("has no links where the server refuses, and asks again later", async () => {
  vi.stubGlobal("fetch", async () => new Response("{}", { status: 404, headers: { "content-type": "application/json" } }));
  expect((await playerPages("t2", null)).size).toBe(0);
  const fetched = vi.fn(async () => new Response("[]", { headers: { "content-type": "application/json" } }));
  vi.stubGlobal("fetch", fetched);
  await playerPages("t2", null);
  expect(fetched).toHaveBeenCalled();
});
