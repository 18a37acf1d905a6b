/** What a player plans on the map, in plain words. */

import type { Catalogue } from "../texts/texts.svelte";
import type { Stop } from "./stop";
import type { Turn } from "./turn.svelte";

type Plan = Pick<Turn, "mode" | "placed" | "source" | "target" | "fittingStop">;

/** "Place 2 on Ukraine, 1 on Siam."; empty where nothing is planned. */
export function planInWords(plan: Plan, text: Catalogue["game"], place: (territory: string) => string): string {
  const { mode, placed, source, target, fittingStop } = plan;
  const places = Object.entries(placed);
  if (mode === "place" && places.length > 0) return text.placeInWords(places.map(([name, armies]) => text.onPlace(armies, place(name))).join(", "));
  if (mode !== "attack" || source === null || target === null) return "";
  return text.attackInWords(place(source), place(target), stopInWords(fittingStop, text));
}

function stopInWords(stop: Stop, { stopInWords: words }: Catalogue["game"]): string {
  if (stop.kind === "left") return words.left(stop.armies);
  return stop.kind === "odds" ? words.odds(stop.least) : words[stop.kind];
}
