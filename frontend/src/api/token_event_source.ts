/** An event stream for the account of a token, or for nobody (""): the browser's own EventSource sends its cookie. */

export interface StreamedEvent {
  readonly id: string;
  readonly kind: string;
  readonly data: string;
}

/** Like EventSource, but once the stream has ended it stays closed: whoever uses it begins again. */
export class TokenEventSource extends EventTarget {
  readyState: number = EventSource.CONNECTING;
  readonly #ended = new AbortController();

  constructor(address: string, token: string) {
    super();
    void this.#read(address, token).catch(() => undefined).then(() => this.#fail());
  }

  close(): void {
    this.readyState = EventSource.CLOSED;
    this.#ended.abort();
  }

  async #read(address: string, token: string): Promise<void> {
    const headers = { accept: "text/event-stream", ...(token === "" ? {} : { authorization: `Bearer ${token}` }) };
    const response = await fetch(address, { headers, credentials: "omit", signal: this.#ended.signal });
    if (!response.ok || response.body === null) return;
    this.readyState = EventSource.OPEN;
    this.dispatchEvent(new Event("open"));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#ended.signal.aborted) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const { kind, data, id } of blocks.map(streamedEvent)) {
        if (data !== "") this.dispatchEvent(new MessageEvent(kind, { data, lastEventId: id }));
      }
    }
  }

  #fail(): void {
    if (this.readyState === EventSource.CLOSED) return;
    this.readyState = EventSource.CLOSED;
    this.dispatchEvent(new Event("error"));
  }
}

/** The parts of an event as it stands in the stream; a comment is an event without data. */
export function streamedEvent(block: string): StreamedEvent {
  const found = { id: "", event: "message", data: [] as string[] };
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === "data") found.data.push(value ?? "");
    else if (name === "id" || name === "event") found[name] = value ?? "";
  }
  return { id: found.id, kind: found.event, data: found.data.join("\n") };
}
