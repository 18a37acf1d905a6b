/** Event streams that tabs share: a browser opens only six connections to a server. */

import { TokenEventSource } from "./token_event_source";

/** What a tab wants to hear: a stream's address, where it begins, and for which seat it is. */
export interface Wish {
  readonly address: string;
  readonly after: string;
  /** Tabs of another seat (somebody else has signed in) do not share the stream. */
  readonly seat: string;
  readonly kinds: readonly string[];
  /** Of the account that listens: as in `apiOf`. */
  readonly token?: string | null;
}

export type FromTab = Wish | null; // null: the tab goes
/** `joined`: the stream was open before the tab came, which may have missed something. */
export type News = { readonly state: "open" | "lost"; readonly joined: boolean } | { readonly data: string };
/** A wish is answered at once: who is not answered has nobody at the other end. */
export type ToTab = News | { readonly heard: true };

const AGAIN = 3000; // milliseconds, after the server has ended a stream for good

class SharedStream {
  readonly ports = new Set<MessagePort>();
  readonly #wish: Wish;
  #cursor: string;
  #source: EventSource | TokenEventSource;
  #closed = false;

  constructor(wish: Wish) {
    this.#wish = wish;
    this.#cursor = wish.after;
    this.#source = this.#open();
  }

  add(port: MessagePort): void {
    this.ports.add(port);
    if (this.#source.readyState === EventSource.OPEN) post(port, { state: "open", joined: true });
  }

  close(): void {
    this.#closed = true;
    this.#source.close();
  }

  #open(): EventSource | TokenEventSource {
    const { address, token } = this.#wish;
    const from = `${address}&after=${encodeURIComponent(this.#cursor)}`;
    const source = token == null ? new EventSource(from) : new TokenEventSource(from, token);
    source.addEventListener("open", () => this.#tell({ state: "open", joined: false }));
    source.addEventListener("error", () => {
      this.#tell({ state: "lost", joined: false });
      // The browser tries again by itself, unless the server has ended the stream for good.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.#again(), AGAIN);
    });
    for (const kind of this.#wish.kinds) {
      source.addEventListener(kind, (event) => {
        const message = event as MessageEvent<string>;
        this.#cursor = message.lastEventId || this.#cursor;
        this.#tell({ data: message.data });
      });
    }
    return source;
  }

  #again(): void {
    if (!this.#closed) this.#source = this.#open();
  }

  #tell(message: News): void {
    for (const port of this.ports) post(port, message);
  }
}

const streams = new Map<string, SharedStream>();

/** Serve a tab, by its port. */
export function connect(port: MessagePort): void {
  let key = "";
  port.onmessage = ({ data: wish }: MessageEvent<FromTab>) => {
    leave(key, port);
    if (wish === null) return;
    post(port, { heard: true });
    key = `${wish.seat} ${wish.token ?? ""} ${wish.address}`;
    const stream = streams.get(key) ?? new SharedStream(wish);
    streams.set(key, stream);
    stream.add(port);
  };
}

function leave(key: string, port: MessagePort): void {
  const stream = streams.get(key);
  if (stream === undefined || !stream.ports.delete(port) || stream.ports.size > 0) return;
  stream.close();
  streams.delete(key);
}

function post(port: MessagePort, message: ToTab): void {
  port.postMessage(message);
}
