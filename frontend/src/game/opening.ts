/** Which part of the map a decision is about. */

import type { Geometry } from "../map/types";
import type { Frame } from "../map/viewport.svelte";

const MARGIN = 30; // units of the board

/** The largest group of neighbouring territories; that with more armies, where two are equal. */
export function largestGroup(
  territories: ReadonlySet<string>,
  neighbours: ReadonlyMap<string, readonly string[]>,
  armies: (territory: string) => number,
): string[] {
  const left = new Set(territories);
  let best: string[] = [];
  let most = -1;
  for (const first of territories) {
    if (!left.delete(first)) continue;
    const group = [first];
    for (const each of group) {
      for (const next of neighbours.get(each) ?? []) if (left.delete(next)) group.push(next);
    }
    const weight = group.length * 10_000 + group.reduce((sum, each) => sum + armies(each), 0);
    if (weight > most) [best, most] = [group, weight];
  }
  return best;
}

/** The part of the board with some territories, and a margin; null without territories. */
export function frameOf(geometry: Geometry, territories: Iterable<string>): Frame | null {
  const wanted = new Set(territories);
  const boxes = geometry.territories.filter((each) => wanted.has(each.id)).map((each) => each.box);
  if (boxes.length === 0) return null;
  const left = Math.min(...boxes.map(([x]) => x)) - MARGIN;
  const top = Math.min(...boxes.map(([, y]) => y)) - MARGIN;
  const right = Math.max(...boxes.map(([x, , width]) => x + width)) + MARGIN;
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height)) + MARGIN;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Neighbours by land and by the sea routes that do not leave the map. */
export function seenNeighbours(
  geometry: Geometry,
  neighbours: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const wraps = new Set(geometry.lanes.filter((lane) => lane.wraps).flatMap((lane) => [`${lane.from} ${lane.to}`, `${lane.to} ${lane.from}`]));
  return new Map([...neighbours].map(([name, others]) => [name, others.filter((other) => !wraps.has(`${name} ${other}`))]));
}

/** Units from a territory's badge to the nearest other one. */
export function roomAt(geometry: Geometry, territory: string): number {
  const [x, y] = geometry.territories.find((each) => each.id === territory)?.badge ?? [0, 0];
  const others = geometry.territories.filter((each) => each.id !== territory);
  return Math.min(...others.map((each) => Math.hypot(each.badge[0] - x, each.badge[1] - y)));
}
