/** The outcomes of a roll, as the defender looks at them. */

interface Outcome {
  readonly attacker_loses: number;
  readonly defender_loses: number;
  readonly chance: number;
}

/** The chance of each loss of the defender, the smallest loss first. */
export function lossesOf(outcomes: readonly Outcome[]): { loses: number; chance: number }[] {
  const chances = new Map<number, number>();
  for (const { defender_loses: loses, chance } of outcomes) chances.set(loses, (chances.get(loses) ?? 0) + chance);
  return [...chances].map(([loses, chance]) => ({ loses, chance })).sort((one, other) => one.loses - other.loses);
}
