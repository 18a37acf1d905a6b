/** The hints of a first game: at most five, one at a time. */

import type { Turn } from "./turn.svelte";

const HINTS = ["yours", "place", "select", "target", "end"] as const;
export type HintName = (typeof HINTS)[number];
export const NO_HINTS = "none"; // among those seen: the player wants no more

/** The hint that fits what the player can do now; null where none does, or all were read. */
export function hintFor(turn: Pick<Turn, "mode" | "source" | "target" | "left">, seen: readonly string[]): HintName | null {
  if (seen.includes(NO_HINTS)) return null;
  const fitting = fits(turn).find((name) => !seen.includes(name));
  return fitting ?? null;
}

function fits({ mode, source, target }: Pick<Turn, "mode" | "source" | "target">): HintName[] {
  if (mode === "claim" || mode === "place-one") return ["yours"];
  if (mode === "place") return target === null ? ["yours", "place"] : []; // else the stepper is there
  if (mode === "attack" && source === null) return ["select", "end"];
  if (mode === "attack" && target === null) return ["target"];
  return [];
}

/** Pixels from the map's left and top edges. */
type Place = readonly [number, number];

export interface Bubble {
  readonly side: "above" | "below";
  /** Pixels from the map's left and top edges. */
  readonly left: number;
  readonly top: number;
  /** Where the tail is, in pixels from the bubble's left edge. */
  readonly tail: number;
}

const WIDEST = 276; // pixels, as in the styles
const EDGE = 8;
const BADGE = 30; // from the middle of a badge to the tail
const NAME = 52; // the same below it, where the name and its second line are

/**
 * Where the bubble above a button below the map is, in pixels: as wide as there is room left of the map's controls, with its
 * tail at the button's middle, or as near as it can be.
 */
export function endBubble(button: number | null, width: number, controls: number): { readonly left: number; readonly width: number; readonly tail: number } {
  const wide = Math.min(WIDEST, width - controls - EDGE);
  const left = Math.max(EDGE, Math.min((button ?? width) - wide / 2, width - controls - wide));
  return { left, width: wide, tail: Math.min(Math.max(18, (button ?? width) - left), wide - 18) };
}

/**
 * Where a bubble of a height points at one of some places (pixels) without covering it; null where none is seen.
 *
 * It stays `above` pixels from the upper edge. Of all bubbles that fit, the one that covers the fewest of the badges is taken.
 */
export function bubbleAt(
  places: readonly Place[],
  { width, height, tall, above = EDGE, badges = places }: { width: number; height: number; tall: number; above?: number; badges?: readonly Place[] },
): Bubble | null {
  const wide = Math.min(WIDEST, width - 2 * EDGE);
  let best: Bubble | null = null;
  let fewest = Infinity;
  for (const [x, y] of places) {
    if (x < 20 || x > width - 20 || y < 20 || y > height - 20) continue;
    const left = Math.min(Math.max(EDGE, x - wide / 2), width - EDGE - wide);
    const tail = Math.min(Math.max(18, x - left), wide - 18);
    for (const side of ["above", "below"] as const) {
      const top = side === "above" ? y - BADGE - tall : y + NAME;
      const outside = Math.max(0, above - top) + Math.max(0, top + tall - height + EDGE);
      const covered = badges.filter(([px, py]) => px > left - 16 && px < left + wide + 16 && py > top - 16 && py < top + tall + 16);
      const cost = covered.length + 100 * outside;
      if (cost < fewest) [best, fewest] = [{ side, left, top, tail }, cost];
    }
  }
  return best;
}
