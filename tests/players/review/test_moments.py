"""The moments that decided a game: at most five, one a turn, in order, with their battles."""

from rubicon.players.review.game_review import MOMENTS
from rubicon.rules.actions import Attack, Roll
from tests.players.review.reviewed_game import finished_game, review


def test_there_are_five_in_order_and_one_a_turn() -> None:
    moments = review().moments
    assert len(moments) == MOMENTS
    assert [one.first for one in moments] == sorted(one.first for one in moments)
    assert len({(one.round, one.seat) for one in moments}) == len(moments)


def test_no_clear_loss_outweighs_them() -> None:
    game, moments = finished_game(), review().moments
    turns = {(one.round, one.seat) for one in moments}
    least = min(one.weight for one in moments)
    for one in review().judged:
        turn = int(game.positions[one.entry].round_number), one.seat
        assert one.loss <= least or turn in turns


def test_a_battle_has_its_rolls_and_its_odds() -> None:
    game = finished_game()
    fought = [one for one in review().moments if one.battle is not None]
    assert fought
    for one in fought:
        battle = one.battle
        assert battle is not None
        first = game.history[one.first]
        assert isinstance(first, Attack)
        assert (first.source, first.target) == (battle.source, battle.target)
        span = game.history[one.first : one.last + 1]
        assert sum(isinstance(entry, Roll) for entry in span) == battle.rolls
        assert 0.0 < battle.odds <= 1.0


def test_the_chances_are_those_of_the_curve() -> None:
    chances = review().curve.chances
    for one in review().moments:
        assert list(one.before) == chances[one.first].tolist()
        assert list(one.after) == chances[one.last + 1].tolist()
