"""Refusals say what is wrong and what to do, with what the asking seat may see."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from rubicon.engine.codes import Refusal
from rubicon.engine.ownership import change_owner
from rubicon.engine.records import Phase
from rubicon.rules.actions import (
    Action,
    Attack,
    Claim,
    DefendWith,
    EndAttack,
    EndTurn,
    Fortify,
    Occupy,
    Offer,
    Place,
    PlaceCapital,
    Trade,
)
from rubicon.rules.game import Game
from rubicon.rules.refusals import REASONS, Refused
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.rules.notation.played import PRESETS, played, positions_of


def attacking(armies: int = 4) -> Game:
    """Red attacks from Alaska; everything else is blue, but for Alberta."""
    game = Game.new(Ruleset.load("classic"), 3)
    position = game.position
    for t in range(len(game.territories)):
        change_owner(position, t, 1)
        position.armies[t] = 2
    for name in ("alaska", "alberta"):
        change_owner(position, game.territories.index(name), 0)
    position.armies[game.territories.index("alaska")] = armies
    position.unplaced[:] = 0
    position.chance = position.first = position.turn = 0
    position.phase = Phase.ATTACK
    position.round_number = 1
    return game


def refusal(game: Game, action: Action, seat: str | None = "red") -> Refused:
    found = game.refusal(action, seat=seat)
    assert found is not None
    return found


def test_every_refusal_has_a_code_and_sentences() -> None:
    assert set(REASONS) == set(Refusal) - {Refusal.LEGAL}
    for text in REASONS.values():
        assert re.fullmatch(r"[a-z]+/[a-z-]+", text.code)
        assert text.sentence.endswith(".")
        assert text.hint == "" or text.hint.endswith(".")
        assert not re.search(r"\b(one\'s own|somebody|whoever|nobody can choose)\b", text.sentence)
    assert len({text.code for text in REASONS.values()}) == len(REASONS)


@pytest.mark.parametrize(
    ("action", "message", "suggestion"),
    [
        (
            Attack("alaska", "kamchatka", 4),
            "Too many dice (4 asked, 3 allowed).",
            "Write `dice 3`.",
        ),
        (
            Attack("alaska", "brazil", 3),
            "Alaska and Brazil share no border.",
            "From Alaska you can attack Northwest Territory, Kamchatka.",
        ),
        (
            Attack("alaska", "alberta", 3),
            "Alberta is your own territory.",
            "From Alaska you can attack Northwest Territory, Kamchatka.",
        ),
        (
            Attack("kamchatka", "alaska", 1),
            "Kamchatka is not yours: it belongs to blue.",
            "Choose one of your own territories.",
        ),
        (
            Fortify("alaska", "alberta", 1),
            "You cannot move armies while you are attacking.",
            "End your attacks first: type `end attack`.",
        ),
        (
            EndTurn(),
            "You cannot end your turn while you are attacking.",
            "End your attacks first: type `end attack`.",
        ),
        (
            Place("alaska", 1),
            "Your armies for this turn are on the board already.",
            "End your attacks first: type `end attack`.",
        ),
    ],
)
def test_what_is_wrong_then_what_to_do(action: Action, message: str, suggestion: str) -> None:
    found = refusal(attacking(), action)
    assert (found.message, found.suggestion) == (message, suggestion)


def test_too_few_armies_for_the_dice() -> None:
    found = refusal(attacking(3), Attack("alaska", "kamchatka", 3))
    assert found.message == "Too few armies for that many dice (3 asked, 2 allowed)."
    found = refusal(attacking(1), Attack("alaska", "kamchatka", 1))
    assert found.message == "Alaska has only 1 army; an attack needs at least 2."


def test_the_occupation_names_the_territory_and_the_numbers() -> None:
    game = attacking(5)
    game.position.armies[game.territories.index("kamchatka")] = 1
    game.play(Attack("alaska", "kamchatka", 3), seat="red")
    game.settle("6 6 6 v 1")
    found = refusal(game, EndAttack())
    assert found.message == "You must occupy Kamchatka first."
    assert found.suggestion == "Say how many armies move in, 3 to 4: `advance N`."
    few, many = refusal(game, Occupy(1)), refusal(game, Occupy(5))
    assert few.message == (
        "Too few armies move in (1 asked, at least 3: as many as dice were rolled)."
    )
    assert many.message == "Too many armies move in (5 asked, 4 allowed): one stays on Alaska."


def test_armies_left_are_counted() -> None:
    game = attacking()
    game.position.phase = Phase.REINFORCE
    game.position.unplaced[0] = 3
    assert refusal(game, EndAttack()).message == "You have 3 armies left to place."
    too_many = refusal(game, Place("alaska", 5))
    assert too_many.message == "Not enough armies left to place (5 asked, 3 left)."


def test_another_seat_hears_whose_turn_it_is() -> None:
    found = refusal(attacking(), EndAttack(), "blue")
    assert found.message == "It is red's turn."


def test_code_and_rules_come_last_and_apart() -> None:
    found = refusal(attacking(), Attack("alaska", "brazil", 3))
    assert found.code == "attack/not-adjacent"
    assert found.rules == ("S002-36", "S004-18")
    assert found.references == "attack/not-adjacent, S002-36, S004-18"
    assert str(found).endswith(" [attack/not-adjacent, S002-36, S004-18]")
    assert "S002" not in found.message + found.suggestion
    assert found.as_dict()["rules"] == ["S002-36", "S004-18"]


def some_actions(game: Game) -> Iterator[Action]:
    """Actions of every kind, most of them refused."""
    first, second = game.territories[0], game.territories[len(game.history) % 40 + 1]
    yield from (Claim(first), PlaceCapital(first), Place(first, 1), Place(first, 99))
    yield from (Attack(first, second, 3), Attack(first, second), Attack(second, first, 9, True))
    yield from (DefendWith(0), DefendWith(3), Occupy(0), Occupy(99), EndAttack(), EndTurn())
    yield from (Fortify(first, second, 1), Fortify(first, second, 99), Offer(first))
    yield from (Trade(), Trade(game.cards[:3]), Trade((first, first, second), second))


@pytest.mark.parametrize(("preset", "players"), PRESETS)
def test_a_refusal_to_a_seat_follows_from_its_view(preset: str, players: int) -> None:
    """The words for a seat are the same in the whole position and in what the seat sees of it."""
    game = played(preset, players)
    for position in positions_of(game)[::40]:
        whole = Game.from_position(game.ruleset, position)
        for colour in whole.colours:
            seen = Game.from_position(game.ruleset, whole.view(colour))
            for action in some_actions(whole):
                found = whole.refusal(action, seat=colour)
                if found is None:
                    continue
                again = seen._refused(found.refusal, action, colour)
                assert str(again) == str(found)
                whole.refusal(action)
