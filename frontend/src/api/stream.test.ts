import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { connect, type News, type Wish } from "./stream_hub";

const WISH: Wish = { address: "/events?games=a", after: "a:3", seat: "red", kinds: ["events"] };

class Source extends EventTarget {
  static readonly OPEN = 1;
  static last: Source | null = null;
  readyState = Source.OPEN;
  close = vi.fn();
  constructor(readonly url: string) {
    super();
    Source.last = this;
  }
}

let toWorker: unknown[] = [];

/** A worker that serves tabs, or one whose script never came. */
function stubWorker(alive: boolean) {
  toWorker = [];
  class Worker {
    readonly port: MessagePort;
    constructor() {
      const { port1, port2 } = new MessageChannel();
      if (alive) connect(port2);
      else port2.onmessage = ({ data }) => toWorker.push(data);
      this.port = port1;
    }
  }
  vi.stubGlobal("SharedWorker", Worker);
}

/** Listen in a tab that has just been opened. */
async function listening(): Promise<{ heard: News[]; stop: () => void }> {
  vi.resetModules();
  const { listen } = await import("./stream");
  const heard: News[] = [];
  return { heard, stop: listen(WISH, (message) => heard.push(message)) };
}

beforeEach(() => {
  Source.last = null;
  vi.stubGlobal("EventSource", Source);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("hears by the worker that answers, and asks nobody else", async () => {
  stubWorker(true);
  const { heard, stop } = await listening();
  await vi.waitFor(() => expect(Source.last).not.toBeNull());
  const [source] = [Source.last!];
  source.dispatchEvent(Object.assign(new Event("events"), { data: "news", lastEventId: "a:4" }));
  await vi.waitFor(() => expect(heard).toContainEqual({ data: "news" }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(Source.last).toBe(source);
  stop();
});

it("holds the stream itself where the worker is dead", async () => {
  stubWorker(false);
  const { heard, stop } = await listening();
  await vi.advanceTimersByTimeAsync(5000);
  await vi.waitFor(() => expect(Source.last?.url).toBe("/events?games=a&after=a%3A3"));
  Source.last!.dispatchEvent(Object.assign(new Event("events"), { data: "news", lastEventId: "a:4" }));
  await vi.waitFor(() => expect(heard).toContainEqual({ data: "news" }));
  await vi.waitFor(() => expect(toWorker).toEqual([WISH, null])); // it has left, should the worker come to life
  stop();
});
