import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { connect, type FromTab, type ToTab, type Wish } from "./stream_hub";

class Source extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readyState = 0;
  constructor(readonly url: string) {
    super();
    Source.all.push(this);
  }
  open() {
    this.readyState = Source.OPEN;
    this.dispatchEvent(new Event("open"));
  }
  close() {
    this.readyState = Source.CLOSED;
  }
}

class Tab {
  heard: ToTab[] = [];
  answers = 0;
  onmessage: ((event: MessageEvent<FromTab>) => void) | null = null;
  constructor() {
    connect(this as unknown as MessagePort);
  }
  postMessage(message: ToTab) {
    if ("heard" in message) this.answers++;
    else this.heard.push(message);
  }
  say(message: FromTab) {
    this.onmessage?.({ data: message } as MessageEvent<FromTab>);
  }
}

const wish = (seat: string): Wish => ({ address: "/events?games=a", after: "a:3", seat, kinds: ["events"] });

beforeEach(() => {
  Source.all = [];
  vi.stubGlobal("EventSource", Source);
});
afterEach(() => vi.unstubAllGlobals());

test("tabs of one seat share a stream, and the last one closes it", () => {
  const [one, other] = [new Tab(), new Tab()];
  one.say(wish("red"));
  Source.all[0]!.open();
  other.say(wish("red"));
  expect(Source.all.map((each) => each.url)).toEqual(["/events?games=a&after=a%3A3"]);
  expect(one.heard).toEqual([{ state: "open", joined: false }]);
  expect(other.heard).toEqual([{ state: "open", joined: true }]);
  Source.all[0]!.dispatchEvent(Object.assign(new Event("events"), { data: "news", lastEventId: "a:4" }));
  expect([one.heard.at(-1), other.heard.at(-1)]).toEqual([{ data: "news" }, { data: "news" }]);
  expect([one.answers, other.answers]).toEqual([1, 1]);
  one.say(null);
  expect(Source.all[0]!.readyState).toBe(Source.OPEN);
  other.say(null);
  expect(Source.all[0]!.readyState).toBe(Source.CLOSED);
});

test("another seat has a stream of its own", () => {
  const [one, other] = [new Tab(), new Tab()];
  one.say(wish("red"));
  other.say(wish("blue"));
  expect(Source.all).toHaveLength(2);
  one.say(null);
  other.say(null);
});

test("a stream that the server has ended begins again where it was", () => {
  vi.useFakeTimers();
  const tab = new Tab();
  tab.say(wish("green"));
  const [source] = Source.all as [Source];
  source.dispatchEvent(Object.assign(new Event("events"), { data: "news", lastEventId: "a:9" }));
  source.close();
  source.dispatchEvent(new Event("error"));
  expect(tab.heard.at(-1)).toEqual({ state: "lost", joined: false });
  vi.advanceTimersByTime(3000);
  expect(Source.all.at(-1)!.url).toBe("/events?games=a&after=a%3A9");
  tab.say(null);
  vi.useRealTimers();
});
