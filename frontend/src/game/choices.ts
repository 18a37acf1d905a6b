/** What a player can choose on the map now, read from the server's legal actions. */

import type { ActionRange, Legal } from "../state/game.svelte";

/** Ranges by kind of action, for lookups while the player taps. */
export class Choices {
  readonly #byKind = new Map<string, ActionRange[]>();

  constructor(legal: Legal | null) {
    for (const range of legal?.ranges ?? []) {
      const known = this.#byKind.get(range.kind);
      if (known === undefined) this.#byKind.set(range.kind, [range]);
      else known.push(range);
    }
  }

  of(kind: string): readonly ActionRange[] {
    return this.#byKind.get(kind) ?? [];
  }

  has(kind: string): boolean {
    return this.#byKind.has(kind);
  }

  get kinds(): string[] {
    return [...this.#byKind.keys()];
  }

  /** The territories from which an attack or a move can start. */
  sources(kind: string): Set<string> {
    return new Set(this.of(kind).flatMap((range) => (range.source === null ? [] : [range.source])));
  }

  /** Where an attack or a move from a territory can lead, or where something can be placed. */
  targets(kind: string, source: string | null = null): Set<string> {
    const fitting = this.of(kind).filter((range) => source === null || range.source === source);
    return new Set(fitting.flatMap((range) => (range.target === null ? [] : [range.target])));
  }

  /** The actions between two territories, or on one. */
  between(kind: string, source: string | null, target: string): readonly ActionRange[] {
    return this.of(kind).filter((range) => range.source === source && range.target === target);
  }
}

/** The text of a range's action with a number put in. */
export function actionText(range: ActionRange, number: number | null = null): string {
  if (number === null || range.number === null || range.least === null || range.most === null) {
    return range.lowest;
  }
  const chosen = Math.min(range.most, Math.max(range.least, number));
  if (chosen === range.least) return range.lowest;
  if (chosen === range.most) return range.highest;
  return replaceLast(range.lowest, range.least, chosen);
}

/** A draft as actions, one a line; null where armies are above what the server allows there. */
export function placementLines(places: readonly ActionRange[], placed: Readonly<Record<string, number>>): string | null {
  const lines = Object.entries(placed).flatMap(([name, armies]) => {
    const range = places.find(({ target, least, most }) => target === name && (least ?? 1) <= armies && armies <= (most ?? 0));
    return range === undefined ? [] : [actionText(range, armies)];
  });
  return lines.length === Object.keys(placed).length ? lines.join("\n") : null;
}

/** Both texts differ in one number only: the last one that is the range's lowest. */
function replaceLast(text: string, number: number, by: number): string {
  const words = text.split(" ");
  const place = words.lastIndexOf(String(number));
  return words.with(place, String(by)).join(" ");
}
