/** Times as the pages show them: day and hour, at the reader's own place. */

import { device } from "../../state/device.svelte";

export function dayAndHour(at: number): string {
  const date = new Date(at);
  return date.toLocaleString(device.choices.language, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}
