import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { streamedEvent, TokenEventSource } from "./token_event_source";

beforeEach(() => vi.stubGlobal("EventSource", { CONNECTING: 0, OPEN: 1, CLOSED: 2 }));
afterEach(() => vi.unstubAllGlobals());

test("an event has a kind, a cursor and data; a comment has none", () => {
  expect(streamedEvent("id: a:4\nevent: events\ndata: {}")).toEqual({ id: "a:4", kind: "events", data: "{}" });
  expect(streamedEvent("data: one\ndata: two").data).toBe("one\ntwo");
  expect(streamedEvent(": still here").data).toBe("");
});

test("a token is sent instead of the cookie, and pieces of the stream are put together", async () => {
  const bytes = new TextEncoder();
  const body = new ReadableStream({
    start(controller) {
      for (const piece of ["id: a:1\nevent: ev", "ents\ndata: first\n\nid: a:2\nevent: events\nda", "ta: second\n\n"]) {
        controller.enqueue(bytes.encode(piece));
      }
      controller.close();
    },
  });
  const asked = vi.fn((_address: string, _init: RequestInit) => Promise.resolve(new Response(body)));
  vi.stubGlobal("fetch", asked);
  const source = new TokenEventSource("/events?games=a", "secret");
  const heard: [string, string][] = [];
  source.addEventListener("events", (event) => {
    const { data, lastEventId } = event as MessageEvent<string>;
    heard.push([data, lastEventId]);
  });
  await new Promise((done) => source.addEventListener("error", done));
  expect(heard).toEqual([["first", "a:1"], ["second", "a:2"]]);
  expect(source.readyState).toBe(2);
  const sent = asked.mock.calls[0]![1];
  expect(sent.credentials).toBe("omit");
  expect(sent.headers).toMatchObject({ authorization: "Bearer secret" });
});

test("a closed stream says nothing more", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(new ReadableStream())));
  const source = new TokenEventSource("/events?games=a", "secret");
  const failed = vi.fn();
  source.addEventListener("error", failed);
  await new Promise((done) => source.addEventListener("open", done));
  source.close();
  await Promise.resolve();
  expect(failed).not.toHaveBeenCalled();
});
