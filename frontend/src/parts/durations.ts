/** A number of seconds in words. */

import { texts } from "../texts/texts.svelte";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** In the largest unit that gives a whole number: 90 s, 2 min, 18 h, 3 days. */
export function duration(seconds: number): string {
  const text = texts().start;
  if (seconds >= DAY && seconds % DAY === 0) return text.days(seconds / DAY);
  if (seconds >= HOUR && seconds % HOUR === 0) return text.hours(seconds / HOUR);
  if (seconds >= MINUTE && seconds % MINUTE === 0) return text.minutes(seconds / MINUTE);
  return text.seconds(seconds);
}
