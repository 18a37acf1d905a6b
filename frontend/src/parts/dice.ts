/** The dice of one side as they are drawn; the server says who won each pair. */

export interface FatedDie {
  readonly face: number;
  readonly fate: "won" | "lost" | "idle";
}

/** The dice of one side, highest first; the server says who won each pair of a roll. */
export function fatedDice(faces: readonly number[], winners: readonly string[], side: "attacker" | "defender"): FatedDie[] {
  const sorted = [...faces].sort((one, other) => other - one);
  return sorted.map((face, index) => {
    const winner = winners[index];
    return { face, fate: winner === undefined ? "idle" : winner === side ? "won" : "lost" };
  });
}
