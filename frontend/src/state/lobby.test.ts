import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { lastTable, rememberTable } from "./last_time";
import { Lobby } from "./lobby.svelte";

const SEATS = [
  { number: 0, colour: "red", name: "Ann", bot: null, free: false, reserved: false, yours: true, host: true },
  { number: 1, colour: "blue", name: "", bot: null, free: true, reserved: false, yours: false, host: false },
  { number: 2, colour: "green", name: "", bot: null, free: true, reserved: false, yours: false, host: false },
];
let sent: string[] = [];
let refused = "nothing";

function answer(url: string, init: RequestInit): Response {
  const path = new URL(url, "http://server").pathname.replace("/api/v1/tables/t1", "");
  const json = { headers: { "content-type": "application/json" } };
  if (init.method === "GET") {
    const found = path === "/invite" ? { url: "http://server/x" } : path.startsWith("/people") ? [] : { state: "lobby", access: "link", you_host: true, seats: SEATS };
    return new Response(JSON.stringify(found), json);
  }
  sent.push(`${path} ${String(init.body ?? "")}`.trim());
  const body = path === refused ? { code: "lobby/seat", message: "Taken." } : {};
  return new Response(JSON.stringify(body), { ...json, status: path === refused ? 400 : 200 });
}

beforeEach(() => {
  sent = [];
  refused = "nothing";
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => answer(url, init));
  vi.stubGlobal(
    "EventSource",
    class {
      addEventListener() {}
      close() {}
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

it("puts bots on the free seats before it starts", async () => {
  const lobby = new Lobby("t1", null);
  await lobby.open();
  expect(await lobby.start("greedy")).toBe(true);
  expect(sent).toEqual(['/bot {"colour":"blue","bot":"greedy"}', '/bot {"colour":"green","bot":"greedy"}', "/start"]);
});

it("starts with those who are there", async () => {
  const lobby = new Lobby("t1", null);
  await lobby.open();
  expect(await lobby.start(null)).toBe(true);
  expect(sent).toEqual(['{"seats":1}', "/start"]);
});

it("remembers the bots for the next time", async () => {
  rememberTable({ id: "t1", ruleset: "classic", options: {}, seats: 3, access: "link", settings: {}, bots: {} });
  const lobby = new Lobby("t1", null);
  await lobby.open();
  await lobby.start("random");
  expect(lastTable()?.bots).toEqual({ 1: "random", 2: "random" });
});

it("does not start where a bot is refused, and keeps the reason", async () => {
  const lobby = new Lobby("t1", null);
  await lobby.open();
  refused = "/bot";
  expect(await lobby.start("greedy")).toBe(false);
  expect(sent).not.toContain("/start");
  expect(lobby.refusal?.message).toBe("Taken.");
});

it("joins with the secret of its link", async () => {
  const lobby = new Lobby("t1", "secret");
  await lobby.open();
  await lobby.join();
  expect(sent).toEqual(['/join {"colour":null,"invite":"secret"}']);
});

it("shows the host the invite link", async () => {
  const lobby = new Lobby("t1", null);
  await lobby.open();
  expect(lobby.invites?.url).toBe("http://server/x");
});
