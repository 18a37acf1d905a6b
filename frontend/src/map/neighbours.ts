/** Which neighbour lies in the direction of an arrow key. */

import type { Geometry, Point } from "./types";

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

const TOWARDS: Record<Direction, Point> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export function isDirection(key: string): key is Direction {
  return key in TOWARDS;
}

/**
 * The neighbour that lies closest to a direction, or null where none lies that way.
 *
 * A neighbour over the edge of the map (`wraps`) lies beyond that edge.
 */
export function neighbourTowards(
  geometry: Geometry,
  neighbours: readonly string[],
  from: string,
  direction: Direction,
): string | null {
  const places = new Map(geometry.territories.map((each) => [each.id, each.badge]));
  const origin = places.get(from);
  if (origin === undefined) return null;
  const [tx, ty] = TOWARDS[direction];
  let best: string | null = null;
  let least = Infinity;
  for (const id of neighbours) {
    const place = beyondTheEdge(geometry, from, id, origin, places.get(id) ?? origin);
    const [dx, dy] = [place[0] - origin[0], place[1] - origin[1]];
    const along = dx * tx + dy * ty;
    if (along <= 0) continue;
    const aside = Math.abs(dx * ty - dy * tx);
    const cost = Math.hypot(dx, dy) * (1 + 2 * (aside / along));
    if (cost < least) [best, least] = [id, cost];
  }
  return best;
}

function beyondTheEdge(
  geometry: Geometry,
  from: string,
  to: string,
  origin: Point,
  place: Point,
): Point {
  const wraps = geometry.lanes.some(
    (lane) =>
      lane.wraps &&
      ((lane.from === from && lane.to === to) || (lane.from === to && lane.to === from)),
  );
  if (!wraps) return place;
  const shift = place[0] > origin[0] ? -geometry.width : geometry.width;
  return [place[0] + shift, place[1]];
}
