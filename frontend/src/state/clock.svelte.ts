/** The time, for clocks on the screen: a second at a time, and only while something shows it. */

import { createSubscriber } from "svelte/reactivity";

let now = Date.now();

const subscribe = createSubscriber((update) => {
  const timer = setInterval(() => {
    now = Date.now();
    update();
  }, 500);
  return () => clearInterval(timer);
});

/** Milliseconds since 1970, by this device. */
export function time(): number {
  subscribe();
  return now;
}

/** A duration for a clock: 1:42, 18 h 20 min, 2 d. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  if (hours < 24) return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

/** The same in one unit, for narrow places. */
export function shortDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 3600) return durationText(milliseconds);
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
