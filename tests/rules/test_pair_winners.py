"""Which dice won: as many pairs as the engine takes armies for, and ties as the rules have them."""

import pytest

from rubicon.rules.actions import Roll
from rubicon.rules.event_diff import pair_winners
from rubicon.rules.events import Rolled
from rubicon.rules.game import Game
from tests.orders.scenes import scene


def pending(**options: str) -> Game:
    """Three dice against two, with armies to lose on both sides."""
    game = scene({"alaska": "r9", "kamchatka": "b9"})
    if options:
        game = Game.from_position(game.ruleset.with_options(options), game.position)
    game.play("attack alaska -> kamchatka dice 3")
    return game


@pytest.mark.parametrize(
    ("roll", "winners"),
    [
        (Roll((2, 6, 4), (4, 5)), ("attacker", "defender")),
        (Roll((6, 6, 6), (6, 6)), ("defender", "defender")),
        (Roll((1, 3, 2), (1, 2)), ("attacker", "attacker")),
    ],
)
def test_the_event_says_who_won_each_pair(roll: Roll, winners: tuple[str, ...]) -> None:
    game = pending()
    (event,) = game.settle(roll)
    assert isinstance(event, Rolled)
    assert event.winners == winners
    assert event.attacker_lost == winners.count("defender")
    assert event.defender_lost == winners.count("attacker")


def test_an_airfield_adds_to_the_highest_die_alone() -> None:
    game = pending()
    before = game.position.copy()
    before.attack_plus = 1
    roll = Roll((5, 4, 1), (5, 4))
    assert pair_winners(game.ruleset.rules, game.position, roll) == ("defender", "defender")
    assert pair_winners(game.ruleset.rules, before, roll) == ("attacker", "defender")
