import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Administration, gameIn } from "./admin.svelte";

const REPORT = { line: { id: 7, text: "Boo" }, table: "T", author: "Eve", reporter: "Ann" };
let reports = [REPORT];
let asked: { url: string; init: RequestInit }[] = [];

beforeEach(() => {
  [reports, asked] = [[REPORT], []];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    const right = (init.headers as Record<string, string>).authorization === "Bearer secret";
    if (init.method === "DELETE") reports = [];
    const body = !right ? { message: "Only the administrator." } : url.includes("reports") ? reports : { version: "1" };
    return new Response(JSON.stringify(body), { status: right ? 200 : 403 });
  });
});
afterEach(() => vi.unstubAllGlobals());

it("sends the token without the cookie of the player, and stores it nowhere", async () => {
  const admin = new Administration();
  await admin.enter(" secret ");
  expect(admin.overview).toEqual({ version: "1" });
  expect(asked.every(({ init }) => init.credentials === "omit")).toBe(true);
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("secret");
});

it("shows nothing with a wrong token", async () => {
  const admin = new Administration();
  await admin.enter("wrong");
  expect(admin.overview).toBeNull();
  expect(admin.problem).toBe("Only the administrator.");
});

it("dismisses a report", async () => {
  const admin = new Administration();
  await admin.enter("secret");
  await admin.dismiss(7);
  expect(admin.reports).toEqual([]);
  expect(asked.map(({ url }) => url)).toContain("/api/v1/admin/reports?line=7");
});

it("closes a table with a reason", async () => {
  const admin = new Administration();
  await admin.enter("secret");
  expect(await admin.closeTable("ab12", "spam")).toBe(true);
  const { url, init } = asked.at(-1)!;
  expect([init.method, url, init.body]).toEqual(["POST", "/api/v1/admin/tables/ab12/close", '{"reason":"spam"}']);
  admin.leave();
  expect(await admin.closeTable("ab12", "spam")).toBe(false);
});

it("finds a table by its id or by the address of its page", () => {
  const pages = ["ab12", " ab12 ", "https://risk.example/games/ab12", "/games/ab12/review?invite=x", "https://risk.example/", "no id", ""];
  expect(pages.map(gameIn)).toEqual(["ab12", "ab12", "ab12", "ab12", "", "", ""]);
});

it("forgets everything when it is left", async () => {
  const admin = new Administration();
  await admin.enter("secret");
  admin.leave();
  await admin.refresh();
  expect(admin.overview).toBeNull();
});
