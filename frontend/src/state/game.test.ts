import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { News } from "../api/stream_hub";
import { Game } from "./game.svelte";

let heard: (message: News) => void = () => undefined;
vi.mock("../api/stream", () => ({
  listen: (_: unknown, hear: (message: News) => void) => {
    heard = hear;
    return () => undefined;
  },
}));

const LEGAL = { decision: 7, about: null, total: 0, offset: 0, ranges: [], out_of_turn: [] };
let asked: string[] = [];
let present = 3; // the index of the game on the server
let late = false; // odds do not come with an order

const view = (index: number) => ({ index, decision: 7, result: null, now: 0, you: null, seats: [], position: { seats: [] } });
const next = (index: number, odds: unknown[] = []) => ({ view: view(index), legal: LEGAL, odds });

function answer(address: string, init: RequestInit): unknown {
  const body = typeof init.body === "string" ? (JSON.parse(init.body) as { odds?: unknown[] }) : {};
  if (address.includes("/submit")) return { seat: "red", next: next(++present, (body.odds ?? []).map(() => (late ? null : { source: "ural", targets: [] }))) };
  if (address.includes("/legal")) return LEGAL;
  if (address.includes("/odds")) return { source: "ural", targets: [] };
  return address.includes("/events") || address.includes("/chat") ? [] : view(present);
}

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  present = 3;
  late = false;
  vi.stubGlobal("fetch", (address: string, init: RequestInit) => {
    asked.push(`${init.method} ${address.replace("/api/v1/games/abc", "")}`);
    return Promise.resolve(Response.json(answer(address, init)));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function opened(): Promise<Game> {
  const game = new Game("abc");
  await game.open();
  await vi.runAllTimersAsync();
  asked = [];
  return game;
}

const event = (kind: string, index: number, body: unknown) => heard({ data: JSON.stringify({ game: "abc", index, kind, at: 0, body }) });

it("asks for nothing after an order: its answer has what comes next", async () => {
  const game = await opened();
  const question = { source: "ural", left: 3 };
  expect(await game.order("ATTACK ural -> china", [question])).toBe(true);
  expect(game.view?.index).toBe(4);
  await game.odds(question, new AbortController().signal);
  expect(asked).toEqual(["POST /submit?next=true"]);
  await game.odds({ source: "china" }, new AbortController().signal);
  expect(asked).toContain("POST /odds");
});

it("asks for odds that came too late for the answer to an order", async () => {
  const game = await opened();
  late = true;
  const question = { source: "ural", left: 3 };
  await game.order("ATTACK ural -> china", [question]);
  expect(await game.odds(question, new AbortController().signal)).toEqual({ source: "ural", targets: [] });
  expect(asked).toEqual(["POST /submit?next=true", "POST /odds"]);
});

it("shows what the stream brings, and nothing older than what it shows", async () => {
  const game = await opened();
  event("events", 5, []);
  event("next", 5, next(5));
  await vi.advanceTimersByTimeAsync(5000);
  expect(game.view?.index).toBe(5);
  event("next", 4, next(4));
  await vi.advanceTimersByTimeAsync(5000);
  expect(game.view?.index).toBe(5);
  expect(asked).toEqual([]);
});

it("asks where events are not followed by what the seat sees", async () => {
  const game = await opened();
  present = 6;
  event("events", 6, []);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked).toEqual(["GET ", "GET /legal"]);
  expect(game.view?.index).toBe(6);
});
