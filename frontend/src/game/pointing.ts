/** Territories that news speak of are outlined on the map for a while. */

import type { Marks } from "../map/types";

export const POINTED = 4000; // milliseconds

/** The marks of a map, with some more territories outlined like targets, but without a chance. */
export function withPlaces(marks: Marks, places: readonly string[]): Marks {
  if (places.length === 0) return marks;
  const outlined = Object.fromEntries(places.map((place) => [place, undefined]));
  return { ...marks, targets: { ...outlined, ...marks.targets } };
}
