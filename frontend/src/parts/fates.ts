/** How the dice of a roll are drawn. The losses themselves come from the server. */

export interface FatedDie {
  readonly face: number;
  readonly fate: "won" | "lost" | "idle";
}

/** The dice of both sides from the highest on, each with what became of it; ties are the defender's. */
export function fates(
  attack: readonly number[],
  defend: readonly number[],
): { attack: FatedDie[]; defend: FatedDie[] } {
  const down = (faces: readonly number[]) => [...faces].sort((one, other) => other - one);
  const [attackers, defenders] = [down(attack), down(defend)];
  const fate = (other: number | undefined, wins: boolean) =>
    other === undefined ? "idle" : wins ? "won" : "lost";
  return {
    attack: attackers.map((face, index) => {
      const other = defenders[index];
      return { face, fate: fate(other, other !== undefined && face > other) };
    }),
    defend: defenders.map((face, index) => {
      const other = attackers[index];
      return { face, fate: fate(other, other !== undefined && face >= other) };
    }),
  };
}
