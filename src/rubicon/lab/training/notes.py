"""Games between bots, and the value model's view of the beginning of some of their turns."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.apply import apply, settle
from rubicon.engine.legal_actions import RangeBuffer, range_buffer
from rubicon.engine.observe import observe
from rubicon.engine.ownership import first_to_act
from rubicon.engine.phases.setup import next_setup_step, open_game
from rubicon.engine.records.layout import Cells, unlocked
from rubicon.engine.records.position import POSITION, SEATS, Phase, Position, Seat, Standing
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import GENERATOR, below, generator, sample
from rubicon.lab.training.fitting import Examples, joined
from rubicon.players.greedy import greedy_choice
from rubicon.players.level_play import EXPERT, GREEDY
from rubicon.players.memory import MEMORY
from rubicon.players.planner.features import FEATURES, features
from rubicon.players.planner.proposers import PROPOSERS
from rubicon.players.planner.search import planner_choice
from rubicon.players.planner.thinking import THINKING
from rubicon.players.planner.weights import LEARNED
from rubicon.players.scripted.cards import sets_rise
from rubicon.players.scripted.turn import scripted_choice
from rubicon.rules.ruleset.ruleset import Ruleset

Values = npt.NDArray[Any]
MOST_NOTES = 2000  # of one game
ROUND_CAP = 200
QUICK = np.array([(12, 4, 1, 6, 100, 8, 0, 1.0)], THINKING)  # of `expert` in training games


@unlocked
def play_and_note(
    games: Values,
    rules: Rules,
    board: BoardTables,
    policies: Cells,
    memories: Values,
    buffer: RangeBuffer,
    dice: Values,
    proposers: Values,
    thinking: Values,
    weights: Values,
    one_in: int,
    rows: Values,
    playing: Values,
) -> int:
    """Play `games[0]` to its end and note one turn in `one_in`; return how many.

    An expert has the `proposers`, `thinking` and `weights` of its seat. `rows`: shape
    (MOST_NOTES, 6, FEATURES); `playing`: shape (MOST_NOTES, 6), 1 for seats that play. `dice` has
    the game's generator, and the one that says what is noted.
    """
    position = games[0]
    noted, last = 0, -1
    while position.phase != Phase.OVER and position.round_number <= ROUND_CAP:
        if position.chance != 0:
            settle(position, rules, board, int(sample(position, dice[0])))
            continue
        seat = first_to_act(position)
        turn = position.round_number * SEATS + position.turn
        if position.phase == Phase.REINFORCE and turn != last:
            last = turn
            if noted < MOST_NOTES and below(dice[1], one_in) == 0:
                features(position, rules, board, rows[noted])
                for other in range(SEATS):
                    playing[noted, other] = int(position.status[other] == Seat.PLAYING)
                noted += 1
        games[1] = position
        view = games[1]
        observe(position, rules, board, seat, view)
        memory = memories[seat]
        if policies[seat] == EXPERT:
            action = planner_choice(
                view,
                rules,
                board,
                seat,
                memory,
                dice[0],
                proposers[seat],
                thinking[seat],
                weights[seat],
            )
        elif policies[seat] == GREEDY:
            action = greedy_choice(view, rules, board, seat, buffer, dice[0])
        else:
            action = scripted_choice(policies[seat], view, rules, board, seat, memory, dice[0])
        apply(position, rules, board, action)
    return noted


@dataclass(frozen=True, slots=True)
class Noted:
    """What was noted of one game; `policies` by seat, `winner` a seat or below 0."""

    rows: Values  # (n, 6, FEATURES)
    playing: Values  # (n, 6): 1 for seats that play
    policies: Values
    winner: int


class Notes:
    """Plays games of one ruleset and notes some of their turns.

    `weights`, `thinking` and `proposers` are those of the expert in each seat, by seat; they
    may be changed between two games.
    """

    def __init__(
        self, ruleset: Ruleset, weights: Values = LEARNED, thinking: Values = QUICK
    ) -> None:
        self.ruleset = ruleset
        self.weights = np.resize(weights[:1], SEATS)
        self.thinking = np.resize(thinking[:1], SEATS)
        usual = PROPOSERS[int(sets_rise(ruleset.rules))]
        self.proposers = np.stack([usual] * SEATS)
        self.games = np.zeros(2, POSITION)
        self.memories = np.zeros(SEATS, MEMORY)
        self.buffer = range_buffer()
        self.rows = np.zeros((MOST_NOTES, SEATS, FEATURES))
        self.playing = np.zeros((MOST_NOTES, SEATS), np.int8)

    def play(self, policies: Values, seed: int, one_in: int) -> Noted:
        """What is noted of a game; `policies` by seat, one turn in `one_in` is noted."""
        rules, tables = self.ruleset.rules, self.ruleset.tables
        self.games[:] = np.zeros(2, POSITION)
        self.memories[:] = np.zeros(SEATS, MEMORY)
        position: Position = self.games[0]
        open_game(position, rules, tables, len(policies))
        for seat in range(len(policies)):
            position.standing_all[seat] = Standing.MAXIMUM
        next_setup_step(position, rules, tables)
        dice = np.array([generator(seed), generator(~seed)], GENERATOR)
        # The random generator counts modulo 2**64; uncompiled, NumPy would warn of each overflow.
        with np.errstate(over="ignore"):
            noted = play_and_note(
                self.games,
                rules,
                tables,
                policies,
                self.memories,
                self.buffer,
                dice,
                self.proposers,
                self.thinking,
                self.weights,
                one_in,
                self.rows,
                self.playing,
            )
        finished = position.phase == Phase.OVER and 0 <= position.winner < len(policies)
        winner = int(position.winner) if finished else -1
        rows = self.rows[:noted].astype(np.float16)
        return Noted(rows, self.playing[:noted].copy(), policies, winner)


def examples_of(games: Iterable[tuple[int, Noted]]) -> Examples:
    """The turns of games that somebody won; `games`: the number of each, and what was noted."""
    nothing = np.zeros((0, SEATS, FEATURES), np.float16)
    parts = [_turns(0, Noted(nothing, np.zeros((0, SEATS), np.int8), np.zeros(0, np.int64), 0))]
    parts += [_turns(number, noted) for number, noted in games if noted.winner >= 0]
    return joined(parts)


def _turns(number: int, noted: Noted) -> Examples:
    turns = len(noted.rows)
    bots = np.zeros((turns, SEATS), np.int8)
    bots[:, : len(noted.policies)] = noted.policies
    winner, game = np.full(turns, noted.winner, np.int8), np.full(turns, number, np.int64)
    return Examples(noted.rows, noted.playing, bots, winner, game)
