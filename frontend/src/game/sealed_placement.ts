/** The own placement that is sealed in this browser, as the map marks it. */

/** Armies by territory, of actions `place TERRITORY ARMIES`, one a line. */
export function placedArmies(lines: string): Readonly<Record<string, number>> {
  const placed: Record<string, number> = {};
  for (const line of lines.split("\n")) {
    const [, territory = "", armies = ""] = line.split(" ");
    if (territory !== "") placed[territory] = (placed[territory] ?? 0) + Number(armies);
  }
  return placed;
}
