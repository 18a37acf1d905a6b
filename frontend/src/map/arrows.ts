/** The outline of a curved arrow between two badges. */

import type { Point } from "./types";

const STEEP = 0.6; // the sine of the angle from which an arrow comes from below
const LONGEST_GAP = 0.5; // of the way: between near badges the arrow must stay one

export interface ArrowShape {
  readonly path: string;
  /** Where the number of its order line stands. */
  readonly middle: Point;
}

/**
 * An arrow `width` units wide at its tail; `gap` is kept before the badge that it points at, and
 * before the name below the badge, `name` units high, where it comes from below.
 */
export function arrowShape(from: Point, to: Point, width: number, gap: number, name = 0): ArrowShape {
  const [x1, y1] = from;
  const [x2, y2] = to;
  const bend = x2 > x1 ? 0.14 : -0.14;
  const control: Point = [(x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend];
  const out = direction(from, control);
  const into = direction(control, to);
  const start: Point = [x1 + out[0] * gap * 0.86, y1 + out[1] * gap * 0.86];
  const wanted = gap + (into[1] < -STEEP ? name : 0);
  const kept = Math.max(gap, Math.min(wanted, LONGEST_GAP * Math.hypot(x2 - x1, y2 - y1)));
  const tip: Point = [x2 - into[0] * kept, y2 - into[1] * kept];
  const head = width * 1.25;
  const neck: Point = [tip[0] - into[0] * head, tip[1] - into[1] * head];
  const left = beside(start, out, width / 2);
  const right = beside(start, out, -width / 2);
  const path = [
    `M${left}Q${beside(control, out, width / 2.4)} ${beside(neck, into, width * 0.31)}`,
    `L${beside(neck, into, width * 1.05)}L${text(tip)}L${beside(neck, into, -width * 1.05)}`,
    `L${beside(neck, into, -width * 0.31)}Q${beside(control, out, -width / 2.4)} ${right}Z`,
  ].join("");
  const middle: Point = [
    x1 * 0.25 + control[0] * 0.5 + x2 * 0.25,
    y1 * 0.25 + control[1] * 0.5 + y2 * 0.25,
  ];
  return { path, middle };
}

/** An arrow that leaves the board at one edge and comes in at the other: both parts. */
export function throughEdge(from: Point, to: Point, width: number): (readonly [Point, Point])[] {
  const [out, into] = from[0] < width / 2 ? [0, width] : [width, 0];
  const height = (from[1] + to[1]) / 2;
  return [
    [from, [out, height]],
    [[into, height], to],
  ];
}

function direction(from: Point, to: Point): Point {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  return [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
}

function beside(point: Point, along: Point, distance: number): string {
  return text([point[0] - along[1] * distance, point[1] + along[0] * distance]);
}

function text(point: Point): string {
  return `${point[0].toFixed(1)} ${point[1].toFixed(1)}`;
}
