/** Stacked areas of a game: one band a seat, one point a turn. */

export type Measure = "chances" | "armies" | "territories" | "income";

export interface Band {
  readonly seat: string;
  /** An SVG path over `width` by `height`. */
  readonly path: string;
  /** Where the seat's name fits best, or null where the band is too thin. */
  readonly label: readonly [number, number] | null;
}

interface TurnSeats {
  readonly seats: Readonly<Record<string, Readonly<Partial<Record<Measure, number>>>>>;
}

interface TurnIndex {
  readonly index: number;
}

interface TurnChances extends TurnIndex {
  readonly chances: Readonly<Record<string, number>>;
}

/** The chances to win at the beginning of each turn, as far as they are known. */
export function chancesOf(turns: readonly TurnIndex[], curve: readonly TurnChances[]): TurnSeats[] {
  const known = new Map(curve.map((turn) => [turn.index, turn.chances]));
  return turns.map(({ index }) => {
    const chances = Object.entries(known.get(index) ?? {});
    return { seats: Object.fromEntries(chances.map(([seat, chance]) => [seat, { chances: chance }])) };
  });
}

const THINNEST = 0.16; // of the height, for a name
const NAME = { width: 90, height: 16 }; // pixels that a name takes

/** The bands from the bottom up; each turn's shares add up to the whole height. */
export function bands(
  turns: readonly TurnSeats[],
  seats: readonly string[],
  measure: Measure,
  width: number,
  height: number,
): Band[] {
  if (turns.length === 0) return []; // everybody has resigned before the first turn
  const x = (turn: number) => (turns.length < 2 ? 0 : (turn / (turns.length - 1)) * width);
  const totals = turns.map((turn) => seats.reduce((sum, seat) => sum + (turn.seats[seat]?.[measure] ?? 0), 0) || 1);
  const labels: (readonly [number, number])[] = [];
  let below = turns.map(() => 0);
  return seats.map((seat) => {
    const share = turns.map((turn, index) => (turn.seats[seat]?.[measure] ?? 0) / (totals[index] ?? 1));
    const above = below.map((low, index) => low + (share[index] ?? 0));
    const point = (level: number, turn: number) => `${x(turn).toFixed(1)} ${(height * (1 - level)).toFixed(1)}`;
    const path = `M${above.map(point).join("L")}L${below.map(point).reverse().join("L")}Z`;
    const lower = below;
    const place = (turn: number) => [Math.min(width - 40, Math.max(40, x(turn))), height * (1 - ((lower[turn] ?? 0) + (above[turn] ?? 0)) / 2)] as const;
    const free = ([left, top]: readonly [number, number]) => labels.every(([x, y]) => Math.abs(x - left) > NAME.width || Math.abs(y - top) > NAME.height);
    let label: readonly [number, number] | null = null;
    let thickest = THINNEST;
    for (let turn = 0; turn < share.length; turn++) {
      if ((share[turn] ?? 0) <= thickest || !free(place(turn))) continue;
      thickest = share[turn] ?? 0;
      label = place(turn);
    }
    if (label !== null) labels.push(label);
    below = above;
    return { seat, path, label };
  });
}

/** Places from the left on, moved apart where they are nearer than `apart`, within `width`. */
export function spread(places: readonly number[], apart: number, width: number): number[] {
  const found: number[] = [];
  for (const place of places) found.push(Math.max(place, (found.at(-1) ?? -Infinity) + apart));
  let most = width;
  for (let index = found.length - 1; index >= 0; index--) {
    found[index] = Math.min(found[index]!, most);
    most = found[index]! - apart;
  }
  return found;
}
