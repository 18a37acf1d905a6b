"""What the planner would have done, and what comes of other actions: the same dice for all."""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.apply import apply
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import POSITION, SEATS, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import GENERATOR, Generator, next_bits
from rubicon.players.memory import MEMORY
from rubicon.players.planner.features import FEATURES
from rubicon.players.planner.imagine import imagine
from rubicon.players.planner.rollouts import forget, play_on
from rubicon.players.review.judging import model_chances
from rubicon.players.scripted.turn import traits_choice

Values = npt.NDArray[Any]


@compiled
def propose(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    rng: Generator,
    proposers: Values,
    minds: Values,
    actions: Values,
) -> None:
    """What each of the proposers would do next, and what it has in mind then."""
    for number in range(len(proposers)):
        forget(minds[number], proposers[number])
        actions[number] = traits_choice(view, rules, board, seat, minds[number], rng)


@compiled
def play_alternatives(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    rng: Generator,
    proposers: Values,
    minds: Values,
    actions: Values,
    found: Values,
) -> None:
    """Play each action on until the seat's next turn begins; `found[action, sample]`: its chance.

    Every sample has its own dice and its own hidden cards, the same for all actions. The mind that
    belongs to an action goes on with the turn; opponents are usual ones.
    """
    games = np.zeros(2, POSITION)  # the position played on, and the one imagined
    memories = np.zeros(SEATS + 1, MEMORY)
    dice = np.zeros(2, GENERATOR)
    rows = np.zeros((SEATS, FEATURES))
    chances = np.zeros(SEATS)
    for played in range(found.shape[1]):
        dice[0].first = next_bits(rng)
        dice[0].second = next_bits(rng)
        games[1] = view
        imagine(games[1], rules, board, seat, dice[0])
        for number in range(len(actions)):
            games[0] = games[1]
            dice[1] = dice[0]
            for other in range(SEATS):
                forget(memories[other], proposers[0])
            memories[SEATS] = minds[number]
            apply(games[0], rules, board, actions[number])
            play_on(games[0], rules, board, seat, memories, dice[1], 1, proposers[0])
            model_chances(games[0], rules, board, rows, chances)
            found[number, played] = chances[seat]
