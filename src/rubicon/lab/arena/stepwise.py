"""One game of a match as a `Game`: for players that are not compiled, and for records.

The dice, and what our own bots draw, are keyed as in compiled play: the same match gives the same
games both ways.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rubicon.engine.legal_actions import range_buffer
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records.position import POSITION, SEATS, Seat
from rubicon.engine.sampling import generator
from rubicon.lab.arena.game_result import ArenaResult, result_of
from rubicon.lab.arena.keyed_play import (
    TALLIED,
    TallyColumn,
    dice_keys,
    note_time,
    seed_decision,
    seed_roll,
)
from rubicon.lab.arena.match import Match
from rubicon.lab.stepping import BEHIND, bot_action
from rubicon.players.bots.errors import PlayerError
from rubicon.players.memory import MEMORY
from rubicon.players.player_seeds import seed_of_player
from rubicon.players.registry import policy_of
from rubicon.players.seating import SeatedPlayer, seated
from rubicon.rules.actions import Action, action_of
from rubicon.rules.game.game import Game

Noted = Callable[[Game, int, Action], None]  # the game, the seat that decides, its decision


@dataclass(frozen=True, slots=True)
class StepwiseGame:
    """A game with its history, and its result."""

    game: Game
    result: ArenaResult


class _Bots:
    """Our own bots of one game, as compiled play seats them."""

    def __init__(self, policies: list[int | None]) -> None:
        self.policies = policies
        self.games = np.zeros(1 + BEHIND, POSITION)
        self.memories = np.zeros(SEATS, MEMORY)
        self.buffer, self.luck = range_buffer(), generator(0)

    def decide(self, game: Game, seat: int) -> Action:
        self.games[0] = game.position
        policy = self.policies[seat]
        assert policy is not None, "a guest decides for itself"
        here = (self.games, 0, policy, game.rules, game.tables)
        code = bot_action(*here, seat, self.memories[seat], self.buffer, self.luck)
        return action_of(int(code), game)


@dataclass(frozen=True, slots=True)
class _Seats:
    """Who decides in each seat: our own bots, and by seat the guests."""

    bots: _Bots
    guests: dict[int, SeatedPlayer]

    def decide(self, game: Game, seat: int) -> Action:
        guest = self.guests.get(seat)
        return self.bots.decide(game, seat) if guest is None else guest.decide(game)


def play_stepwise(
    match: Match, seed: int, rotation: int, noted: Noted | None = None
) -> StepwiseGame:
    """Play one game, every action checked; `noted` is told of each decision before it is taken."""
    seating = match.seating(rotation)
    names = [match.players[place] for place in seating]
    game = Game.new(match.ruleset(), len(names))
    bots = _Bots([policy_of(name) for name in names])
    guests: dict[int, SeatedPlayer] = {}
    try:
        for seat, name in enumerate(names):
            if policy_of(name) is None:
                guests[seat] = seated(
                    name,
                    game.colours[seat],
                    seed=seed_of_player(seed, seat, rotation),
                    seconds=match.seconds,
                    python_seconds=match.seconds,
                )
        with np.errstate(over="ignore"):
            tally = _play(game, _Seats(bots, guests), seed, match.rounds, noted)
    except PlayerError as error:
        played = int(game.position.round_number)
        here = (
            f"It happened in {f'round {played}' if played else 'the set-up'} of rotation {rotation}"
        )
        again = f"--seed {seed} --blocks 1 plays this deal again."
        raise error.in_game(f"{here}; {again}") from error
    finally:
        for guest in guests.values():
            guest.close()
    return StepwiseGame(game, result_of(game.position, tally, seating))


def _play(
    game: Game, seats: _Seats, seed: int, rounds: int, noted: Noted | None
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    tally = np.zeros((SEATS, TALLIED), np.int64)
    keys, dice, step = dice_keys(seed), generator(0), 1
    while not game.over and game.position.round_number <= rounds:
        if game.awaits_chance:
            seed_roll(keys, game.position, dice)
            game.settle(game.sample(dice))
        else:
            seat = first_to_act(game.position)
            seed_decision(keys, game.position, seat, seats.bots.luck)
            begun = time.perf_counter_ns()
            action = seats.decide(game, seat)
            spent = (time.perf_counter_ns() - begun) // 1000
            tally[seat, TallyColumn.DECISIONS] += 1
            note_time(tally, seat, spent)
            if noted is not None:
                noted(game, seat, action)
            game.play(action)
            for one in range(game.size):
                if not tally[one, TallyColumn.LEFT] and game.position.status[one] != Seat.PLAYING:
                    tally[one, TallyColumn.LEFT] = step
        step += 1
    return tally
