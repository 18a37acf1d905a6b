/** The odds of the attacks that are selected on the map, as the server computes them. */

import type { Game } from "../state/game.svelte";
import type { StopOutcome } from "./outcomes";
import { stopClause } from "./stop";
import type { Turn } from "./turn.svelte";

interface StopOdds {
  readonly left: number;
  readonly taken: number;
  readonly expected_attack_losses: number;
  readonly expected_defend_losses: number;
  readonly taken_left: readonly number[];
  readonly held_left: readonly number[];
}

/** Fill in the chances of all targets of the selected source, under the stop rule. */
export async function loadChances(game: Game, turn: Turn, signal: AbortSignal): Promise<void> {
  const { source } = turn;
  if (source === null || turn.mode !== "attack" || !turn.choices.sources("attack").has(source)) return;
  const body = { source, stop: stopClause(turn.fittingStop) };
  const found = await game.api.post("/api/v1/games/{game}/odds", { path: { game: game.id }, body, signal });
  if (turn.source !== source) return;
  turn.chances = Object.fromEntries(
    found.targets.flatMap((each) => (each.odds === null ? [] : [[each.target, each.odds.taken]])),
  );
}

/** Fill in what the selected attack may lead to, for every place where it could stop. */
export async function loadOutcomes(game: Game, turn: Turn, signal: AbortSignal): Promise<void> {
  const { source, target } = turn;
  if (source === null || target === null || turn.mode !== "attack") return;
  if (turn.choices.between("attack", source, target).length === 0) return; // just captured
  const body = { source, target, stop: "" };
  const found = await game.api.post("/api/v1/games/{game}/odds", { path: { game: game.id }, body, signal });
  if (turn.source !== source || turn.target !== target) return;
  turn.outcomes = (found.targets[0]?.stops ?? []).map(outcome);
}

export function outcome(stop: StopOdds): StopOutcome {
  const chances = (list: readonly number[]) => new Map(list.map((chance, left) => [left, chance]));
  return {
    left: stop.left,
    take: stop.taken,
    attackerLoses: stop.expected_attack_losses,
    defenderLoses: stop.expected_defend_losses,
    taken: chances(stop.taken_left),
    held: chances(stop.held_left),
  };
}
