import { afterEach, beforeEach, expect, it, vi } from "vitest";

import early from "../../public/early.js?raw";
import { api, forgetEarly } from "./client";

const VIEW = "/api/v1/games/abc";
const MINE = { decision: 7, result: null, position: { board: { name: "world" }, territories: {} } };

let asked: string[] = [];

beforeEach(() => {
  asked = [];
  globalThis.rubiconEarly = undefined;
  history.replaceState(null, "", "/games/abc");
  const script = document.createElement("script");
  script.dataset.en = "/assets/en.js";
  vi.spyOn(document, "currentScript", "get").mockReturnValue(script);
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address);
    const drawing = { width: 1, height: 1, territories: [] };
    return Promise.resolve(Response.json(address === VIEW ? MINE : drawing));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Runs the script as the page does; what is given is done before any answer is there. */
async function run(meanwhile: () => void = () => undefined) {
  new Function(early)();
  meanwhile();
  await vi.waitFor(() => expect(asked).toContain("/api/v1/boards/world"));
}

it("asks for what is legal together with a game whose decision is the own one", async () => {
  await run();
  expect(asked).toContain(`${VIEW}/legal`);
});

it("leaves that to an app that took the game first: the answer would wait for a later decision", async () => {
  await run(() => globalThis.rubiconEarly?.delete(VIEW));
  expect(asked).not.toContain(`${VIEW}/legal`);
});

it("does nothing where the app was quicker", async () => {
  globalThis.rubiconEarly = new Map();
  new Function(early)();
  await Promise.resolve();
  expect(asked).toEqual([]);
});

it("answers the app's first question only: a game goes on", async () => {
  await run();
  expect(globalThis.rubiconEarly?.has(VIEW)).toBe(true);
  forgetEarly(); // the app has loaded the game
  const before = asked.length;
  await api.get("/api/v1/games/{game}", { path: { game: "abc" } });
  expect(asked.slice(before)).toEqual([VIEW]);
  expect([...globalThis.rubiconEarly!.keys()].some((each) => each.startsWith("/api/v1/boards/"))).toBe(true);
});
