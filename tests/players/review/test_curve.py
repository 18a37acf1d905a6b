"""The curve of chances: it adds up and ends with the winner; dice are compared with their mean."""

from itertools import pairwise

import numpy as np

from rubicon.engine.chance import POWERS
from rubicon.engine.records import POSITION, Chance
from rubicon.players.review.curve import BEGINS, WITHIN, judged_moments
from rubicon.players.review.judging import arrangements
from rubicon.rules.actions import Roll
from tests.players.review.reviewed_game import finished_game, review


def test_chances_add_up_at_every_moment() -> None:
    chances = review().curve.chances
    assert chances.shape == (len(finished_game().history) + 1, 3)
    assert np.allclose(chances.sum(axis=1), 1.0)
    assert (chances >= 0.0).all()


def test_the_curve_begins_fair_and_ends_with_the_winner() -> None:
    game, chances = finished_game(), review().curve.chances
    assert np.allclose(chances[0], 1 / 3)
    assert chances[-1].tolist() == [float(colour == game.winner) for colour in game.colours]


def test_only_rolls_of_battles_count_as_dice() -> None:
    game, dice = finished_game(), review().curve.dice
    rolls = [isinstance(entry, Roll) for entry in game.history]
    moved = np.abs(dice).sum(axis=1) > 0.0
    assert moved.any()
    assert not moved[~np.array(rolls)].any()
    assert np.allclose(dice.sum(axis=1), 0.0)


def test_turns_follow_each_other_without_a_gap() -> None:
    turns = review().curve.turns
    assert turns[-1].last == len(finished_game().history)
    for turn, later in pairwise(turns):
        assert turn.last == later.first
        assert np.array_equal(turn.after, later.before)


def test_a_pending_roll_is_judged_by_all_its_results() -> None:
    """The mean over all dice, settled one by one, is what the pending roll is judged at."""
    game = finished_game()
    before = game.positions
    entry = next(
        number
        for number, position in enumerate(before)
        if position.chance == Chance.BATTLE and position.attack_dice == 2
    )
    position = before[entry]
    pending = judged_moments(game, np.array([position], POSITION), np.array([WITHIN]))[0]
    battle = int(position.attack_source) * 256 + int(position.attack_target)
    after = []
    faces = range(1, 7)
    defence: list[tuple[int, ...]] = [(one,) for one in faces]
    if position.defence_dice == 2:
        defence = [(one, other) for one in faces for other in faces]
    for attack in ((one, other) for one in faces for other in faces):
        for against in defence:
            trial = game.from_position(game.ruleset, position)
            trial.settle(Roll(attack, against))
            after.append(trial.position)
    results = np.array(after, POSITION)
    kinds = np.full(len(after), battle)
    assert np.allclose(judged_moments(game, results, kinds).mean(axis=0), pending)


def test_each_roll_of_equal_dice_is_met_once() -> None:
    assert sum(arrangements(code, 3) for code in range(int(POWERS[3]))) == POWERS[3]
    assert sorted(arrangements(code, 2) for code in range(36)) == [0] * 15 + [1] * 6 + [2] * 15


def test_the_beginning_of_a_turn_is_the_models_own_judgement() -> None:
    game = finished_game()
    turn = review().curve.turns[2]
    moment = np.array([game.positions[turn.first]], POSITION)
    judged = judged_moments(game, moment, np.array([BEGINS]))
    assert np.allclose(judged[0, : game.size], turn.before)
