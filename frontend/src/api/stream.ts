/** An event stream for this tab, shared with the other tabs where the browser can do that. */

import { connect, type FromTab, type ToTab, type Wish } from "./stream_hub";

/** Listen to a stream until the function that is returned is called. */
export function listen(wish: Wish, hear: (message: ToTab) => void): () => void {
  const port = hub();
  const send = (message: FromTab) => port.postMessage(message);
  const hide = () => send(null);
  const show = (event: PageTransitionEvent) => event.persisted && send(wish);
  port.onmessage = ({ data }: MessageEvent<ToTab>) => hear(data);
  addEventListener("pagehide", hide);
  addEventListener("pageshow", show);
  send(wish);
  return () => {
    removeEventListener("pagehide", hide);
    removeEventListener("pageshow", show);
    port.onmessage = null;
    send(null);
  };
}

/** The worker that all tabs share; without one, the same within this tab. */
function hub(): MessagePort {
  if (typeof SharedWorker !== "undefined") {
    const worker = new SharedWorker(new URL("./stream_worker.ts", import.meta.url), { type: "module", name: "rubicon" });
    return worker.port;
  }
  const { port1, port2 } = new MessageChannel();
  connect(port2);
  return port1;
}
