import { afterEach, expect, it, vi } from "vitest";

import { playerNumbers, quickOptions } from "./rulesets.svelte";

interface Asked {
  options: Record<string, string>;
}

/** A server that answers what it would say to options. */
function server(check: (options: Record<string, string>) => object) {
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    const { options } = JSON.parse(String(init.body)) as Asked;
    const headers = { "content-type": "application/json" };
    return new Response(JSON.stringify(check(options)), { headers });
  });
}

afterEach(() => vi.unstubAllGlobals());

it("deals and places at once where the rules allow it", async () => {
  server((options) => ({ possible: true, differences: options }));
  expect(await quickOptions("classic")).toEqual({ "setup.claim": "random", "setup.place": "all_at_once" });
});

it("only places at once where territories must be claimed", async () => {
  server((options) => ({ possible: !("setup.claim" in options), differences: options }));
  expect(await quickOptions("revised")).toEqual({ "setup.place": "all_at_once" });
});

it("leaves a ruleset alone where anything else would change", async () => {
  server((options) => ({ possible: true, differences: { ...options, "neutral.layout": "none" } }));
  expect(await quickOptions("two-player")).toEqual({});
});

it("counts from the lowest number of players to the highest", () => {
  expect(playerNumbers([3, 6])).toEqual([3, 4, 5, 6]);
  expect(playerNumbers([2, 2])).toEqual([2]);
});
