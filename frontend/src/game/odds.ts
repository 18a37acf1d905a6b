/** The odds of the attacks that are selected on the map, as the server computes them. */

import type { Game, OddsQuestion } from "../state/game.svelte";
import type { StopOutcome } from "./outcomes";
import { stopClause, type Stop } from "./stop";
import type { Turn } from "./turn.svelte";

interface StopOdds {
  readonly left: number;
  readonly taken: number;
  readonly expected_attack_losses: number;
  readonly expected_defend_losses: number;
  readonly taken_left: readonly number[];
  readonly held_left: readonly number[];
}

/** The question for the chances of all targets. The server fits the stop to the armies that stand there then. */
export function chancesQuestion(source: string, stop: Stop): OddsQuestion {
  return stop.kind === "left" ? { source, left: stop.armies } : { source, stop: stopClause(stop) };
}

/** The question for what one attack may lead to. */
export const outcomesQuestion = (source: string, target: string): OddsQuestion => ({ source, target });

/** Fill in the chances of all targets of the selected source, under the stop rule. */
export async function loadChances(game: Game, turn: Turn, signal: AbortSignal): Promise<void> {
  const { source } = turn;
  if (source === null || turn.mode !== "attack" || !turn.choices.sources("attack").has(source)) return;
  const found = await game.odds(chancesQuestion(source, turn.stop), signal);
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
  const found = await game.odds(outcomesQuestion(source, target), signal);
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
