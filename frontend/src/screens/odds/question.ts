/** A question about the odds of a battle, as the address holds it. */

export const MOST = 300; // armies of one side
export const MOST_PATH = 12; // territories, one after the other

export interface Question {
  readonly attack: number;
  /** The defenders of each territory of the path. */
  readonly defend: readonly number[];
  /** The attack stops with so many armies left. */
  readonly left: number;
  readonly ruleset: string;
}

/** The question of an address; whatever makes no sense there is as usual. */
export function questionOf(query: URLSearchParams): Question {
  const number = (text: string | null, otherwise: number) => {
    const found = Number(text);
    return text !== null && Number.isInteger(found) && found >= 1 && found <= MOST ? found : otherwise;
  };
  const defend = query.getAll("defend").slice(0, MOST_PATH).map((text) => number(text, 1));
  return {
    attack: Math.max(2, number(query.get("attack"), 9)),
    defend: defend.length === 0 ? [6] : defend,
    left: number(query.get("left"), 1),
    ruleset: query.get("ruleset") ?? "classic",
  };
}

/** The address of a question. */
export function addressOf({ attack, defend, left, ruleset }: Question): string {
  const query = new URLSearchParams({ attack: String(attack) });
  for (const armies of defend) query.append("defend", String(armies));
  query.set("left", String(left));
  query.set("ruleset", ruleset);
  return `/odds?${query}`;
}
