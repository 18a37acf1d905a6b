import { afterEach, beforeEach, expect, it, vi } from "vitest";

import early from "../../public/early.js?raw";

const VIEW = "/api/v1/games/abc";
const MINE = { decision: 7, result: null, position: { board: { name: "world" }, territories: {} } };

let asked: string[] = [];

beforeEach(() => {
  asked = [];
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
