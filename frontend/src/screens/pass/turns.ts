/** What has happened since a person last decided, and whether they want to look at it. */

import type { LogLine } from "../../state/game.svelte";

const READ = new Set(["rolled", "captured", "drew", "eliminated"]);

/** Whether the log has something behind a line that a person should see before the device changes hands. */
export function toRead(log: readonly LogLine[], after: number): boolean {
  return log.some((line) => line.index > after && line.events.some(({ event }) => READ.has(event)));
}
