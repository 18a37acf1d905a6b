/** Runs once for all tabs of a browser, and holds their event streams. */

import { connect } from "./stream_hub";

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port !== undefined) connect(port);
});
