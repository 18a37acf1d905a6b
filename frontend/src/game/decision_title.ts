/** What is to be decided, in the language of the app. */

import type { GameView, Legal } from "../state/game.svelte";
import { texts } from "../texts/texts.svelte";

type About = Pick<NonNullable<Legal["about"]>, "kind" | "title" | "to_place"> & {
  readonly battle: { readonly target: string } | null;
  readonly occupation: { readonly target: string } | null;
};

/** The title of a decision; a kind that is not known here has the server's words. */
export function decisionTitle(about: About | null | undefined, phase: string, place: (territory: string) => string): string {
  if (about == null) return "";
  const { titles } = texts().news;
  switch (about.kind) {
    case "claim":
    case "trade":
    case "attack":
    case "claim_objective":
    case "fortify":
      return titles[about.kind];
    case "choose_capital":
      return phase === "headquarters" ? titles.headquarters : titles.choose_capital;
    case "place":
      return titles.place(about.to_place);
    case "defend":
      return titles.defend(place(about.battle?.target ?? ""));
    case "occupy":
      return titles.occupy(place(about.occupation?.target ?? ""));
    default:
      return about.title;
  }
}

/** What goes on, in a few words. */
export function phaseText(position: GameView["position"]): string {
  return texts().news.phases[position.phase_shown] ?? position.phase_text;
}
