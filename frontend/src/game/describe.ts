/** What a screen reader says of a territory. */

import { chanceText } from "../map/shapes";
import type { Board } from "../state/boards.svelte";
import type { Game } from "../state/game.svelte";
import { texts } from "../texts/texts.svelte";
import type { Turn } from "./turn.svelte";

/** "Ukraine, yours, 9 armies, Europe. Enemy neighbours: Northern Europe, Mateo, 6; …" */
export function describe(territory: string, game: Game, turn: Turn, board: Board): string {
  const text = texts().board;
  const territories = game.view?.position.territories ?? {};
  const name = (id: string) => board.names.get(id) ?? id;
  const found = territories[territory];
  if (found === undefined) return name(territory);
  const whose = (owner: string | null) =>
    owner === null ? text.free : owner === "neutral" ? text.neutral : owner === game.me ? text.yours : game.nameOf(owner);
  const continent = board.data.continents.find((each) => each.territories.includes(territory))?.name ?? "";
  const signs = [
    found.capital !== null || found.headquarters !== null ? text.capital : "",
    found.city ? text.city : "",
    found.airfield !== null ? text.airfield : "",
  ];
  const parts = [name(territory), whose(found.owner), found.owner === null ? "" : text.armies(found.armies), ...signs, continent];
  const chance = turn.marks.targets?.[territory];
  if (chance != null) parts.push(text.chanceToTake(chanceText(chance)));
  const enemies = (board.neighbours.get(territory) ?? [])
    .filter((id) => territories[id]?.owner !== found.owner)
    .map((id) => `${name(id)}, ${whose(territories[id]?.owner ?? null)}, ${territories[id]?.armies ?? "?"}`);
  const around = enemies.length === 0 ? text.noEnemies : `${text.enemies}: ${enemies.join("; ")}`;
  return `${parts.filter((part) => part !== "").join(", ")}. ${around}.`;
}
