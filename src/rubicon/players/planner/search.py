"""The planner's decision: several characters' next actions, each played on to the next own turn.

The characters propose; where they agree, nothing is searched. Otherwise each proposal is played on,
and the action with the best mean outcome is taken. In the set-up the board proposes: a claim in
each continent, a stack on each border.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.action_codes import a_of
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import Phase, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import Generator
from rubicon.players.memory import MEMORY, Memory
from rubicon.players.planner.drafting import MOST_TO_TRY, claims_to_try, stacks_to_try
from rubicon.players.planner.rollouts import compare
from rubicon.players.planner.thinking import Thinking
from rubicon.players.planner.weights import Weights
from rubicon.players.scripted.set_up import places_neutral
from rubicon.players.scripted.turn import attack_from, goes_on, traits_choice

Values = npt.NDArray[Any]


@compiled
def planner_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    rng: Generator,
    variants: Values,
    thinking: Thinking,
    weights: Weights,
) -> int:
    """The action of the planner.

    `variants` are the traits of the characters that propose, the usual one first.
    """
    phase = view.phase
    if phase == Phase.CLAIM or (phase == Phase.PLACE and not places_neutral(view, rules)):
        return set_up(view, rules, board, seat, memory, rng, variants, thinking, weights)
    if phase == Phase.ATTACK and goes_on(view, rules, seat, memory):
        return attack_from(view, rules, memory.source, memory.target)
    searched = phase in (
        Phase.REINFORCE,
        Phase.TRADE,
        Phase.CONTINENTS,
        Phase.ATTACK,
        Phase.OCCUPY,
        Phase.FORTIFY,
    )
    if not searched or view.round_number < 1:
        memory.traits = variants[0]
        return traits_choice(view, rules, board, seat, memory, rng)
    minds = np.zeros(len(variants), MEMORY)
    actions = np.zeros(len(variants), np.int64)
    agreed = True
    for number in range(len(variants)):
        minds[number] = memory
        minds[number].traits = variants[number]
        actions[number] = traits_choice(view, rules, board, seat, minds[number], rng)
        agreed = agreed and actions[number] == actions[0]
    best = 0
    if not agreed:
        best = compare(view, rules, board, seat, minds, actions, rng, variants, thinking, weights)
    memory_of(memory, minds[best])
    return int(actions[best])


@compiled
def set_up(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    rng: Generator,
    variants: Values,
    thinking: Thinking,
    weights: Weights,
) -> int:
    """The claim or starting army after which the seat stands best when its own first turn begins.

    A starting army counts as if the seat's next ones followed it: one more or less says little, a
    whole stack does. Each is searched for anew, so it need not become one.
    """
    memory.traits = variants[0]
    usual = traits_choice(view, rules, board, seat, memory, rng)
    found = np.zeros(MOST_TO_TRY, np.int64)
    if view.phase == Phase.CLAIM:
        count = claims_to_try(view, rules, board, seat, usual, found)
    else:
        count = stacks_to_try(view, board, seat, usual, found)
    if count == 1:
        return usual
    actions = found[:count]
    minds = np.zeros(count, MEMORY)
    for number in range(count):
        minds[number] = memory
        if number > 0 and view.phase == Phase.PLACE:
            minds[number].stacked = 1 + a_of(actions[number])
    best = compare(view, rules, board, seat, minds, actions, rng, variants, thinking, weights)
    return int(actions[best])


@compiled
def memory_of(memory: Memory, mind: Memory) -> None:
    """Take over what the proposal that was chosen remembers."""
    memory.traits = mind.traits
    memory.needed = mind.needed
    memory.wanted[:] = mind.wanted
    memory.owner[:] = mind.owner
    memory.taken[:] = mind.taken
    memory.source = mind.source
    memory.target = mind.target
    memory.planned = mind.planned
    memory.kept = mind.kept
    memory.victim = mind.victim
    memory.round_number = mind.round_number
    # Only the reason that a bot gives reads these two.
    memory.work.best_score = mind.work.best_score
    memory.work.best_chance = mind.work.best_chance
