"""The planner's decision: several characters' next actions, each played on to the next own turn.

The characters propose; where they agree, nothing is searched. Otherwise each proposal is played on
with the same dice for all, by the character that made it, and by usual opponents, until the seat
would move again; the value model judges what is then on the board. The action with the best mean
is taken (Tesauro and Galperin 1997: rollouts; with a value at their end).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.apply import apply, settle
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import POSITION, SEATS, Phase, Position, Seat
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import GENERATOR, Generator, next_bits, sample
from rubicon.players.memory import MEMORY, Memory
from rubicon.players.planner.features import FEATURES
from rubicon.players.planner.imagine import imagine
from rubicon.players.planner.value import win_chances
from rubicon.players.scripted.traits import Traits
from rubicon.players.scripted.turn import attack_from, goes_on, traits_choice

Values = npt.NDArray[Any]
MOST_STEPS = 2000  # decisions and rolls of one rollout


@compiled
def planner_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    rng: Generator,
    variants: Values,
    samples: int,
    first: Values,
    bias: Values,
    second: Values,
) -> int:
    """The action of the planner.

    `variants` are the traits of the characters that propose, the usual one first; `samples` is how
    often the best of them are played on. `first`, `bias` and `second` are the value model.
    """
    phase = view.phase
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
        best = compare(
            view, rules, board, seat, minds, actions, rng, variants, samples, first, bias, second
        )
    memory_of(memory, minds[best])
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


@compiled
def compare(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    minds: Values,
    actions: Values,
    rng: Generator,
    variants: Values,
    samples: int,
    first: Values,
    bias: Values,
    second: Values,
) -> int:
    """The number of the proposal with the best mean outcome.

    All meet the same dice and the same hidden cards. The worse half is dropped again and again
    (successive halving, Karnin, Koren and Somekh 2013).
    """
    games = np.zeros(2, POSITION)  # the position played on, and the one imagined
    memories = np.zeros(SEATS + 1, MEMORY)
    dice = np.zeros(2, GENERATOR)
    rows = np.zeros((SEATS, FEATURES))
    chances = np.zeros(SEATS)
    count = len(actions)
    total = np.zeros(count)
    kept = np.ones(count, np.int8)
    left = count
    drop_at = 4
    for played in range(samples):
        dice[0].first = next_bits(rng)
        dice[0].second = next_bits(rng)
        games[1] = view
        imagine(games[1], rules, board, seat, dice[0])
        for number in range(count):
            if kept[number] == 0:
                continue
            games[0] = games[1]
            dice[1] = dice[0]
            for other in range(SEATS):
                forget(memories[other], variants[0])
            memories[SEATS] = minds[number]
            apply(games[0], rules, board, actions[number])
            play_round(games[0], rules, board, seat, memories, dice[1])
            win_chances(games[0], rules, board, first, bias, second, rows, chances)
            total[number] += chances[seat]
        if played + 1 == drop_at and left > 2:
            drop_at *= 2
            left = drop_worse(total, kept, left)
    best = 0
    for number in range(count):
        if kept[number] != 0 and (kept[best] == 0 or total[number] > total[best]):
            best = number
    return best


@compiled
def drop_worse(total: Values, kept: Values, left: int) -> int:
    """Drop the worse half; return how many are left."""
    for _ in range(left // 2):
        worst = -1
        for number in range(len(total)):
            if kept[number] != 0 and (worst < 0 or total[number] < total[worst]):
                worst = number
        kept[worst] = 0
        left -= 1
    return left


@compiled
def forget(memory: Memory, traits: Traits) -> None:
    """A memory with these traits that knows nothing."""
    memory.traits = traits
    memory.planned = 0
    memory.victim = 0
    memory.round_number = 0
    for other in range(SEATS):
        memory.taken[other] = 0


@compiled
def play_round(
    position: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memories: Values,
    dice: Generator,
) -> None:
    """Play until the seat's next turn begins, the seat is out, or the game is over.

    `memories` has one for each opponent, and the seat's own behind them. The scripted characters
    read only what their seat may see, so they are shown the whole position.
    """
    away = False
    for _ in range(MOST_STEPS):
        if position.phase == Phase.OVER or position.status[seat] != Seat.PLAYING:
            return
        if position.chance != 0:
            settle(position, rules, board, int(sample(position, dice)))
            continue
        if position.turn != seat:
            away = True
        elif away and position.phase in (Phase.REINFORCE, Phase.TRADE):
            return
        acting = first_to_act(position)
        mind = SEATS if acting == seat else acting
        action = traits_choice(position, rules, board, acting, memories[mind], dice)
        apply(position, rules, board, action)
