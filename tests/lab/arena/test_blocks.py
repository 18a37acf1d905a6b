"""Blocks: the same in any number of processes, and the same as games that are played singly."""

import numpy as np
import pytest

from rubicon.engine.records import SEATS
from rubicon.lab.arena.blocks import block_of, play_block, play_tasks, table_of
from rubicon.lab.arena.match import TALLIED, Match, TallyColumn, note_time, play_stepwise, result_of
from rubicon.players.characters import USUAL, traits_of
from rubicon.rules.game import Game
from tests.lab.arena.matches import SMALL, timeless


def test_the_number_of_processes_changes_nothing() -> None:
    alone = timeless(play_tasks((SMALL, number) for number in range(6)))
    assert [block.number for block in alone] == list(range(6))
    assert timeless(play_tasks(((SMALL, number) for number in range(6)), processes=2)) == alone


def test_other_seeds_are_other_games() -> None:
    assert timeless([play_block(SMALL, 0)])[0].games != timeless([play_block(SMALL, 1)])[0].games


def test_every_player_sits_once_in_every_seat() -> None:
    seats = np.array([game.seats for game in play_block(SMALL, 0).games])
    assert np.sort(seats, axis=0).tolist() == [[seat] * 3 for seat in range(3)]


def test_equal_players_win_exactly_their_share_of_a_block() -> None:
    """The dice and what a bot draws belong to the seat: the rotations are one and the same game."""
    block = play_block(Match(players=("hunter",) * 4, seed=3), 0)
    assert all(game.finished for game in block.games)
    assert np.sum([game.shares for game in block.games], axis=0).tolist() == [1.0] * 4


@pytest.mark.parametrize("preset", ["classic", "secret-mission"])
def test_compiled_and_stepwise_play_are_the_same_games(preset: str) -> None:
    match = Match(players=("hunter", "turtle", "random"), preset=preset, seed=11, rounds=30)
    compiled = timeless([play_block(match, 0)])[0]
    stepwise = [play_stepwise(match, match.seed, rotation).result for rotation in range(3)]
    again = timeless([type(compiled)(0, tuple(stepwise))])[0]
    assert again == compiled
    assert sum(compiled.games[0].decisions) > 20


def test_a_game_is_cut_off_after_its_rounds() -> None:
    block = play_block(Match(players=("random",) * 3, rounds=2), 0)
    assert [game.finished for game in block.games] == [False] * 3
    assert {game.rounds for game in block.games} == {3}
    assert all(sum(game.shares) == 0 and sum(game.ranks) == 6 for game in block.games)


def test_decisions_are_timed() -> None:
    game = play_block(SMALL, 0).games[0]
    assert all(
        spent >= worst >= 0 for spent, worst in zip(game.microseconds, game.worst, strict=True)
    )
    assert sum(game.microseconds) > 0


def test_the_time_of_all_decisions_is_that_of_the_timed_ones() -> None:
    tally = np.zeros((SEATS, TALLIED), np.int64)
    note_time(tally, 1, 30)
    note_time(tally, 1, 10)
    tally[1, TallyColumn.DECISIONS] = 32
    result = result_of(Game.new(SMALL.ruleset(), 3).position, tally, (0, 1, 2))
    assert result.microseconds == (0, 40 * 32 // 2, 0)  # of all 32, from the two that were timed
    assert result.worst == (0, 30, 0)


def test_other_traits_are_other_games() -> None:
    """The benchmark of the bots tries traits; without them the games are the usual ones."""
    match = Match(players=("hunter", "hunter", "greedy"), seed=5, rounds=40)
    usual, table = timeless([play_block(match, 0)]), table_of(match)
    table.traits = {"hunter": traits_of(USUAL | {"patience": 9.0, "guard": 3.0})}
    tried = timeless([play_block(match, 0)])
    table.traits = {}
    assert tried != usual
    assert timeless([play_block(match, 0)]) == usual


def test_a_block_is_read_as_it_was_written() -> None:
    block = play_block(SMALL, 2)
    assert block_of(block.text()) == block
