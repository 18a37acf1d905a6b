/** Territories that change hands: their new colour floods in, and the badge changes its shape halfway. */

import type { Arrow, Geometry, Holdings, Owner, Point } from "./types";

const MOST = 6; // at once: more is another moment of the game, not a capture
const TAKES = 520; // milliseconds at full speed, as --m-take

export interface Flood {
  readonly territory: string;
  /** The owner before: its colour and shape stay until the flood has passed. */
  readonly before: Owner;
  /** Where it begins, and how far it reaches, in units of the board. */
  readonly at: Point;
  readonly reach: number;
}

/** The floods of what changed hands; from the side of the arrow that leads there. */
export function floods(geometry: Geometry, before: Holdings, now: Holdings, arrows: readonly Arrow[]): Flood[] {
  const taken = geometry.territories.filter(({ id }) => {
    const [was, is] = [before[id]?.owner, now[id]?.owner];
    return was != null && is != null && was !== is;
  });
  if (taken.length > MOST) return [];
  return taken.map(({ id, badge, box: [left, top, width, height] }) => {
    const from = arrows.findLast((arrow) => arrow.to === id)?.from;
    const source = geometry.territories.find((each) => each.id === from)?.badge ?? badge;
    const inside = (value: number, low: number, size: number) => Math.min(low + size, Math.max(low, value));
    const at = [inside(source[0], left, width), inside(source[1], top, height)] as const;
    const corners = [[left, top], [left + width, top], [left, top + height], [left + width, top + height]] as const;
    const reach = Math.max(...corners.map(([x, y]) => Math.hypot(x - at[0], y - at[1])));
    return { territory: id, before: before[id]!.owner!, at, reach };
  });
}

export class Captures {
  running = $state.raw<readonly Flood[]>([]);
  /** Badges that still have the shape of the owner before. */
  old = $state.raw<ReadonlyMap<string, Owner>>(new Map());
  #before: Holdings | null = null;

  /** Look at new holdings; `motion` is asked for its speed: 0 shows the change at once. */
  follow(geometry: Geometry, holdings: Holdings, arrows: readonly Arrow[], motion: () => number): void {
    const before = this.#before;
    this.#before = holdings;
    if (before === null) return;
    const begun = floods(geometry, before, holdings, arrows);
    const speed = begun.length === 0 ? 0 : motion();
    if (speed === 0) return;
    const names = new Set(begun.map((flood) => flood.territory));
    this.running = [...this.running.filter((flood) => !names.has(flood.territory)), ...begun];
    this.old = new Map([...this.old, ...begun.map((flood) => [flood.territory, flood.before] as const)]);
    setTimeout(() => (this.old = new Map([...this.old].filter(([name]) => !names.has(name)))), (TAKES / 2) * speed);
    setTimeout(() => (this.running = this.running.filter((flood) => !begun.includes(flood))), TAKES * speed);
  }
}
