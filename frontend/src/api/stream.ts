/** An event stream for this tab, shared with the other tabs where the browser can do that. */

import { connect, type FromTab, type News, type ToTab, type Wish } from "./stream_hub";

const ANSWERS = 3000; // milliseconds, within which the worker answers a wish

/** The worker has failed this tab: from then on the tab holds its streams itself. */
let failed = false;

/** Listen to a stream until the function that is returned is called. */
export function listen(wish: Wish, hear: (message: News) => void): () => void {
  let port: MessagePort;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const send = (message: FromTab) => port.postMessage(message);
  const hide = () => send(null);
  const show = (event: PageTransitionEvent) => event.persisted && send(wish);

  function begin() {
    port = failed || typeof SharedWorker === "undefined" ? ownHub() : sharedHub();
    port.onmessage = ({ data }: MessageEvent<ToTab>) => {
      clearTimeout(waiting);
      if (!("heard" in data)) hear(data);
    };
    // A page that was left while it started the worker leaves a dead one to the page that follows.
    waiting = setTimeout(() => {
      leave();
      failed = true;
      begin();
    }, ANSWERS);
    send(wish);
  }

  function leave() {
    clearTimeout(waiting);
    port.onmessage = null;
    send(null);
  }

  begin();
  addEventListener("pagehide", hide);
  addEventListener("pageshow", show);
  return () => {
    removeEventListener("pagehide", hide);
    removeEventListener("pageshow", show);
    leave();
  };
}

/** The worker that all tabs share. */
function sharedHub(): MessagePort {
  return new SharedWorker(new URL("./stream_worker.ts", import.meta.url), { type: "module", name: "rubicon" }).port;
}

/** The same within this tab. */
function ownHub(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  connect(port2);
  return port1;
}
