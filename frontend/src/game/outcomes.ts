/** Outcomes of a battle for the chart: how many armies are left, with which chance. */

export interface StopOutcome {
  /** The attack stops with so many armies left on its territory. */
  readonly left: number;
  /** The chance to take the territory (0 to 1). */
  readonly take: number;
  readonly attackerLoses: number;
  readonly defenderLoses: number;
  /** Chances by the armies left to the attacker, where the territory is taken and where not. */
  readonly taken: ReadonlyMap<number, number>;
  readonly held: ReadonlyMap<number, number>;
}

export interface Bar {
  /** The armies of this bar, from the most to the fewest: "9" or "12–10". */
  readonly label: string;
  readonly most: number;
  readonly fewest: number;
  readonly taken: number;
  readonly held: number;
}

const MOST_BARS = 12;

/** The bars of the chart, from all armies left to one; more than twelve are combined. */
export function bars(armies: number, outcome: StopOutcome): Bar[] {
  const each = Math.max(1, Math.ceil(armies / MOST_BARS));
  const found: Bar[] = [];
  for (let most = armies; most >= 1; most -= each) {
    const fewest = Math.max(1, most - each + 1);
    let [taken, held] = [0, 0];
    for (let left = fewest; left <= most; left++) {
      taken += outcome.taken.get(left) ?? 0;
      held += outcome.held.get(left) ?? 0;
    }
    const label = fewest === most ? String(most) : `${most}–${fewest}`;
    found.push({ label, most, fewest, taken, held });
  }
  return found;
}

/** The outcome of the stop nearest to a wish. */
export function outcomeFor(stops: readonly StopOutcome[], left: number): StopOutcome | undefined {
  return stops.find((stop) => stop.left === left) ?? stops.reduce<StopOutcome | undefined>(
    (best, stop) => (best === undefined || Math.abs(stop.left - left) < Math.abs(best.left - left) ? stop : best),
    undefined,
  );
}
