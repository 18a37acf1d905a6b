"""The review of a game: its accounts add up, and an unfinished game has none."""

import pytest

from rubicon.engine.sampling import generator
from rubicon.errors import RubiconError
from rubicon.players.review.game_review import review_of, worst_losses
from rubicon.rules.game.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.players.review.reviewed_game import finished_game, review


def test_what_moved_a_chance_adds_up_to_the_end() -> None:
    for one in review().seats:
        total = one.fair + one.setup + one.dice + one.own + one.others
        assert total == pytest.approx(one.end)


def test_the_winner_ends_with_everything() -> None:
    game = finished_game()
    ends = [one.end for one in review().seats]
    assert ends == [float(colour == game.winner) for colour in game.colours]


def test_a_turn_counts_by_its_worst_decision() -> None:
    worst = worst_losses(finished_game(), review().judged)
    for seat, account in enumerate(review().seats):
        losses = [loss for (_, one), loss in worst.items() if one == seat]
        assert account.mistakes == len(losses)
        assert account.given_away == pytest.approx(sum(losses))
    assert sum(worst.values()) <= sum(one.loss for one in review().judged)


def test_an_unfinished_game_is_refused() -> None:
    with pytest.raises(RubiconError) as refused:
        review_of(Game.new(Ruleset.load("classic"), 3))
    assert refused.value.code == "review/not-yet"


def test_the_share_that_is_done_only_grows() -> None:
    told: list[float] = []
    again = review_of(finished_game(), told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert again.seats == review().seats
    assert again.moments == review().moments


def test_a_review_is_ended_by_an_exception_of_its_listener() -> None:
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review_of(finished_game(), stop)


def test_a_game_that_ends_before_its_first_turn_has_a_review() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    dice = generator(1)
    while game.awaits_chance:
        game.settle(game.sample(dice))
    for colour in game.colours[1:]:
        game.play(f"resign {colour}")
    assert game.over
    review = review_of(game)
    assert [one.end for one in review.seats] == [1.0, 0.0, 0.0]
    assert review.moments == ()
    assert review.curve.turns == ()
