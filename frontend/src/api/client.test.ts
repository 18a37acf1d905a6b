import { afterEach, expect, it, vi } from "vitest";

import { api, Refused, Unreachable } from "./client";

afterEach(() => vi.unstubAllGlobals());

/** The next requests get this answer. */
function answering(status: number, body: string, type: string) {
  const answer = () => Promise.resolve(new Response(body, { status, headers: { "content-type": type } }));
  vi.stubGlobal("fetch", vi.fn(answer));
}

it("takes the page of a proxy whose server restarts for a server that cannot be reached", async () => {
  for (const status of [502, 503, 504]) {
    answering(status, "<h1>Bad Gateway</h1>", "text/html");
    await expect(api.get("/api/v1/boards")).rejects.toThrow(Unreachable);
  }
});

it("keeps what the server itself refuses, with its code and advice", async () => {
  const body = { code: "work/overloaded", message: "Too much work waits.", suggestion: "Try again later." };
  answering(503, JSON.stringify(body), "application/json");
  const error = await api.get("/api/v1/boards").catch((found: unknown) => found);
  expect(error).toBeInstanceOf(Refused);
  expect(error).toMatchObject({ code: "work/overloaded", message: body.message, suggestion: body.suggestion });
});

it("takes another page of a proxy for a refusal: asking again would not help", async () => {
  answering(413, "<h1>Too large</h1>", "text/html");
  await expect(api.get("/api/v1/boards")).rejects.toMatchObject({ code: "http/413", status: 413 });
});

it("says that the server cannot be reached where no answer comes", async () => {
  vi.stubGlobal("fetch", vi.fn(() => Promise.reject(new TypeError("Failed to fetch"))));
  await expect(api.get("/api/v1/boards")).rejects.toThrow(Unreachable);
});
