"""Who sees the dice of a roll and the items of an award: `dice.recipients`, `gm.notices`."""

import pytest

from rubicon.rules.actions import Roll
from rubicon.rules.events import Awarded, Drew, Received, Rolled, seen_by, sees_dice, sees_items
from rubicon.rules.ruleset.ruleset import Ruleset

CLASSIC = Ruleset.load("classic")
EMAIL = Ruleset.load("email")
ROLL = Rolled(
    "red", "blue", "alaska", "kamchatka", Roll((6, 5), (5, 5)), 1, 1, ("attacker", "defender")
)
AWARD = Awarded("red", territories=4, continents=2, capitals=0, rewards=0)
READERS = ("red", "blue", "green", None)  # attacker, defender, another player, a spectator


def recipients(words: str) -> Ruleset:
    return CLASSIC.with_options({"dice.recipients": words})


@pytest.mark.parametrize(
    ("words", "readers"),
    [
        ("all_seats", READERS),
        ("attacker defender", ("red", "blue")),
        ("attacker", ("red",)),
        ("defender gm", ("blue",)),
        ("gm", ()),
        ("attacker public_log", READERS),
    ],
)
def test_who_sees_the_dice(words: str, readers: tuple[str | None, ...]) -> None:
    ruleset = recipients(words)
    assert tuple(seat for seat in READERS if sees_dice(ROLL, seat, ruleset)) == readers


def test_without_the_dice_the_losses_are_still_told() -> None:
    hidden = seen_by(ROLL, "green", recipients("attacker defender"))
    assert isinstance(hidden, Rolled)
    assert hidden.roll is None
    assert hidden.winners == ()
    assert str(hidden) == "red alaska -> kamchatka blue: red loses 1, blue 1"
    assert str(seen_by(ROLL, "blue", recipients("attacker defender"))) == str(ROLL)


def test_notices_tell_all_players_the_items_of_an_award() -> None:
    assert all(seen_by(AWARD, seat, EMAIL) is AWARD for seat in READERS)
    assert all(sees_items("red", seat, EMAIL) for seat in READERS)


def test_without_notices_the_others_are_told_the_total() -> None:
    assert seen_by(AWARD, "red", CLASSIC) is AWARD
    for seat in ("blue", None):
        assert seen_by(AWARD, seat, CLASSIC) == Received("red", 6)
    assert str(Received("red", 6)) == "red receives 6 armies"


def test_hands_are_open_or_not() -> None:
    drew = Drew("red", "alaska")
    assert seen_by(drew, "blue", EMAIL) is drew
    assert seen_by(drew, "blue", CLASSIC) == Drew("red", None)
    assert seen_by(drew, "red", CLASSIC) is drew
