"""Proposals played on: to the next own turn, with the same dice for all, in a race.

Each is played on by the character that made it, and by usual opponents, until the seat would move
again; the value model judges what is then on the board (Tesauro and Galperin 1997: rollouts; with
a value at their end).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.apply import apply, settle
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import POSITION, SEATS, Phase, Position, Seat
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import GENERATOR, Generator, below, next_bits, sample
from rubicon.players.memory import MEMORY, Memory
from rubicon.players.planner.features import FEATURES
from rubicon.players.planner.imagine import imagine
from rubicon.players.planner.thinking import Thinking
from rubicon.players.planner.value import win_chances
from rubicon.players.planner.weights import Weights
from rubicon.players.scripted.traits import Traits
from rubicon.players.scripted.turn import traits_choice

Values = npt.NDArray[Any]
MOST_STEPS = 4000  # decisions and rolls of one rollout


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
    thinking: Thinking,
    weights: Weights,
) -> int:
    """The number of the proposal with the best mean outcome.

    All meet the same dice, hidden cards and opponents. A proposal that clearly trails the best one
    is dropped (a race: Maron and Moore 1994), until those left agree or the samples are used up.
    """
    games = np.zeros(2, POSITION)  # the position played on, and the one imagined
    memories = np.zeros(SEATS + 1, MEMORY)
    dice = np.zeros(2, GENERATOR)
    rows = np.zeros((SEATS, FEATURES))
    chances = np.zeros(SEATS)
    usual = np.zeros(SEATS, np.int64)
    count = len(actions)
    samples, rounds = thinking.samples, thinking.rounds
    if view.phase in (Phase.CLAIM, Phase.PLACE):
        samples, rounds = thinking.setup_samples, thinking.setup_rounds
    found = np.zeros((count, samples))
    kept = np.ones(count, np.int8)
    check_at = thinking.first_check
    spent, played = 0, 0
    while played < samples and spent < thinking.budget:
        dice[0].first = next_bits(rng)
        dice[0].second = next_bits(rng)
        games[1] = view
        imagine(games[1], rules, board, seat, dice[0])
        for other in range(SEATS):
            usual[other] = below(dice[0], thinking.pool)
        for number in range(count):
            if kept[number] == 0:
                continue
            games[0] = games[1]
            dice[1] = dice[0]
            for other in range(SEATS):
                forget(memories[other], variants[usual[other]])
            memories[SEATS] = minds[number]
            apply(games[0], rules, board, actions[number])
            play_on(games[0], rules, board, seat, memories, dice[1], rounds, variants[0])
            win_chances(games[0], rules, board, weights, rows, chances)
            found[number, played] = chances[seat]
            spent += 1
        played += 1
        if played == check_at:
            check_at *= 2
            if drop_those_behind(found, played, kept, actions, thinking.doubt):
                break
    return leader_of(found, played, kept)


@compiled
def leader_of(found: Values, played: int, kept: Values) -> int:
    """The proposal with the highest mean of those kept."""
    best, highest = 0, -1.0
    for number in range(len(kept)):
        if kept[number] != 0:
            total = 0.0
            for i in range(played):
                total += found[number, i]
            if total > highest:
                best, highest = number, total
    return best


@compiled
def drop_those_behind(
    found: Values, played: int, kept: Values, actions: Values, doubt: float
) -> bool:
    """Drop what trails the leader by enough standard errors; whether those left agree."""
    best = leader_of(found, played, kept)
    agreed = True
    for number in range(len(kept)):
        if kept[number] == 0 or number == best:
            continue
        mean, square = 0.0, 0.0
        for i in range(played):
            behind = found[best, i] - found[number, i]
            mean += behind / played
            square += behind * behind / played
        if mean * mean * played >= doubt * doubt * (square - mean * mean):
            kept[number] = 0
        else:
            agreed = agreed and actions[number] == actions[best]
    return agreed


@compiled
def forget(memory: Memory, traits: Traits) -> None:
    """A memory with these traits that knows nothing."""
    memory.traits = traits
    memory.planned = 0
    memory.victim = 0
    memory.stacked = 0
    memory.round_number = 0
    for other in range(SEATS):
        memory.taken[other] = 0


@compiled
def play_on(
    position: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memories: Values,
    dice: Generator,
    rounds: int,
    later: Traits,
) -> None:
    """Play until so many own turns have begun, the seat is out, or the game is over.

    With `rounds` of 0, play until the first turn of the game begins.

    `memories` has one for each opponent, and the seat's own behind them; from its next turn on the
    seat plays with the traits `later`. The scripted characters read only what their seat may see,
    so they are shown the whole position.
    """
    away = False
    for _ in range(MOST_STEPS):
        if position.phase == Phase.OVER or position.status[seat] != Seat.PLAYING:
            return
        if position.chance != 0:
            settle(position, rules, board, int(sample(position, dice)))
            continue
        if rounds == 0 and position.phase == Phase.REINFORCE:
            return
        if position.turn != seat:
            away = True
        elif away and position.phase in (Phase.REINFORCE, Phase.TRADE):
            rounds -= 1
            if rounds <= 0:
                return
            away = False
            memories[SEATS].traits = later
        acting = first_to_act(position)
        mind = SEATS if acting == seat else acting
        action = traits_choice(position, rules, board, acting, memories[mind], dice)
        apply(position, rules, board, action)
