/** Objectives, rewards and missions in the language of the app. */

import type { Board } from "../state/boards.svelte";
import type { Game, GameView } from "../state/game.svelte";
import { texts } from "../texts/texts.svelte";

export type Objective = GameView["position"]["objectives"][number];
export type Mission = NonNullable<GameView["position"]["seats"][number]["mission"]>;

/** What an objective asks for. */
export function goalText({ goal, text }: Pick<Objective, "goal" | "text">, board: Pick<Board, "data">): string {
  const words = texts().objectives.goals[goal.kind];
  const continent = board.data.continents.find((each) => each.id === goal.continent)?.name ?? "";
  return words?.(goal.count, continent) ?? text;
}

/** What an objective brings. */
export function rewardText(reward: string | null): string {
  return reward === null ? "" : (texts().objectives.rewards[reward] ?? reward.replaceAll("_", " "));
}

/** A mission; one whose target is out of reach is another one. */
export function missionText(mission: Mission): string {
  const words = texts().mission;
  const known = words.texts[mission.id];
  if (known === undefined) return mission.text;
  return mission.replaced ? words.outOfReach(known, mission.parts[0]?.needed ?? 0) : known;
}

/** What a progress counts: a continent, a colour, or a word. */
export function counted(of: string, board: Pick<Board, "data">): string {
  const continent = board.data.continents.find((each) => each.id === of)?.name;
  return continent ?? texts().objectives.counted[of] ?? (texts().common.seats as Record<string, string>)[of] ?? of;
}

/** Whether the asker's seat has a secret mission. */
export function hasMission(game: Game): boolean {
  return game.view?.position.seats.some((seat) => seat.colour === game.me && seat.mission !== null) ?? false;
}
