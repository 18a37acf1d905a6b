/** The hints of a first game: at most five, one at a time. */

import type { Turn } from "./turn.svelte";

export const HINTS = ["yours", "place", "select", "target", "end"] as const;
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
  if (mode === "place") return ["yours", "place"];
  if (mode === "attack" && source === null) return ["select", "end"];
  if (mode === "attack" && target === null) return ["target"];
  return [];
}
