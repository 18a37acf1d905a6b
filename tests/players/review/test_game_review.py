"""The review of a game: its accounts add up, and an unfinished game has none."""

import pytest

from rubicon.engine.chance import generator
from rubicon.errors import RubiconError
from rubicon.players.review.curve import Stopped, stopped_as
from rubicon.players.review.game_review import WinningReview, review_of, worst_losses
from rubicon.rules.actions import Resign
from rubicon.rules.game import Game
from rubicon.rules.record import Record
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
    assert [one.fair + one.setup for one in review.seats] == pytest.approx([1.0, 0.0, 0.0])
    assert review.curve.turns == ()
    (resigned,) = review.moments
    assert game.history[resigned.first] == Resign("green")
    assert resigned.weight == pytest.approx(2 / 3)


def _stopped(moves: int, stopped: Stopped) -> WinningReview:
    """The review of the game as if it had ended before this many of its last entries."""
    game = finished_game()
    before = Record.of(game).replay(len(game.history) - moves)
    assert not before.over
    return review_of(before, stopped=stopped)


def test_an_agreed_draw_is_shared_by_who_still_plays() -> None:
    review = _stopped(200, Stopped.DRAW)
    ends = [one.end for one in review.seats]
    assert sorted(ends) in ([0.0, 0.5, 0.5], pytest.approx([1 / 3] * 3))
    for one in review.seats:
        assert one.fair + one.setup + one.dice + one.own + one.others == pytest.approx(one.end)


def test_a_game_that_nobody_has_won_ends_with_its_last_chances() -> None:
    review = _stopped(5, Stopped.VOID)
    assert sum(one.end for one in review.seats) == pytest.approx(1.0)
    assert all(one.end < 1.0 for one in review.seats)
    assert review.moments


def test_only_the_header_of_a_game_without_a_result_says_how_it_stopped() -> None:
    assert stopped_as("draw agreed") is Stopped.DRAW
    assert stopped_as("void no seat has acted") is Stopped.VOID
    assert [stopped_as(text) for text in (None, "", "red the game is won")] == [None] * 3
