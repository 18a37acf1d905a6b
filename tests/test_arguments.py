"""Arguments of the wrong type are refused with the given value and what is accepted."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rubicon.engine.chance import generator
from rubicon.engine.records import Standing
from rubicon.errors import RubiconError, shown
from rubicon.rules.actions import Dice, Place
from rubicon.rules.board.board import Board
from rubicon.rules.game import Game
from rubicon.rules.record import Record
from rubicon.rules.ruleset.ruleset import Ruleset

CLASSIC = Ruleset.load("classic")
FIVE: Any = 5  # not for the type checker


def refused(act: Callable[[], object]) -> RubiconError:
    with pytest.raises(RubiconError) as caught:
        act()
    return caught.value


def asked() -> Game:
    """A game in which a seat must decide."""
    game, rng = Game.new(CLASSIC, 3), generator(1)
    while game.pending is not None:
        game.settle(game.sample(rng))
    return game


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (np.random.default_rng(1), "A numpy.random._generator.Generator is not a generator"),
        (random.Random(1), "A random.Random is not"),
        (None, "None is not"),
        (5, "5 is not"),
        ("seed", "'seed' is not"),
        (np.array([1, 2], np.uint64), "A numpy.ndarray is not"),
        (np.array([generator(1)]), "A numpy.ndarray is not"),
        (CLASSIC.rules, "is not"),
    ],
    ids=shown,
)
def test_chance_is_drawn_by_one_kind_of_generator(given: Any, said: str) -> None:
    game = Game.new(CLASSIC, 3)
    before = str(game)
    for error in (
        refused(lambda: game.sample(given)),
        refused(lambda: asked().legal.random(given)),
    ):
        assert error.code == "game/not-a-generator"
        assert said in error.message
        assert "rubicon.engine.chance.generator(7)" in error.suggestion
    assert str(game) == before
    assert isinstance(game.sample(generator(7)), Dice)


@pytest.mark.parametrize("given", [None, 5, b"claim alaska", ["claim alaska"], Dice((1, 2, 3))])
def test_a_decision_is_an_action_or_its_text(given: Any) -> None:
    game = asked()
    for act in (game.play, game.refusal):
        error = refused(lambda act=act: act(given))  # type: ignore[misc]
        assert error.code == "game/not-an-action"
        assert shown(given) in error.message
        assert ("settle" in error.suggestion) == isinstance(given, Dice)
    assert not game.allows(given)
    assert game.history[-1:] == asked().history[-1:]


@pytest.mark.parametrize("armies", [None, "3", 3.0])
def test_armies_are_counted(armies: Any) -> None:
    assert refused(lambda: asked().play(Place("alaska", armies))).code == "action/bad-number"


@pytest.mark.parametrize("given", [None, 5, [1, 2], b"dice", "claim alaska"])
def test_an_answer_is_an_outcome_or_its_text(given: Any) -> None:
    code = refused(lambda: Game.new(CLASSIC, 3).settle(given)).code
    assert code == ("text/unknown-outcome" if isinstance(given, str) else "outcome/wrong-kind")


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"players": "3"}, "setup/players"),
        ({"players": 3.0}, "setup/players"),
        ({"players": ["Ann", "Bob", "Cid"]}, "setup/players"),
        ({"names": "Ann"}, "setup/names"),
        ({"names": [1, 2, 3]}, "setup/names"),
        ({"names": 5}, "setup/names"),
        ({"colours": "red"}, "setup/colours"),
        ({"colours": [1, 2, 3]}, "setup/colours"),
        ({"standing": "max"}, "setup/standing"),
        ({"standing": 5}, "setup/standing"),
        ({"rebels": ["siam"]}, "setup/rebels"),
        ({"rebels": {"siam": "2"}}, "setup/rebels"),
    ],
)
def test_a_game_begins_with_the_right_kinds(more: dict[str, Any], code: str) -> None:
    email = Ruleset.load("email")
    assert refused(lambda: Game.new(email, **more)).code == code


def test_whole_numbers_of_numpy_will_do() -> None:
    begun = Game.new(CLASSIC, np.int64(3), standing=1)  # type: ignore[arg-type]
    assert str(begun) == str(Game.new(CLASSIC, 3, standing=Standing.ONE))


@pytest.mark.parametrize("given", ["classic", None, 5])
def test_a_game_is_under_a_ruleset_and_not_under_its_name(given: Any) -> None:
    for act in (
        lambda: Game.new(given, 3),
        lambda: Game.from_position(given, Game.new(CLASSIC, 3).position),
    ):
        error = refused(act)
        assert error.code == "ruleset/not-one"
        assert 'Ruleset.load("classic")' in error.suggestion


@pytest.mark.parametrize(
    "given", [None, "position", np.zeros(3), asked(), CLASSIC.rules], ids=shown
)
def test_a_game_goes_on_from_a_position(given: Any) -> None:
    error = refused(lambda: Game.from_position(CLASSIC, given))
    assert error.code == "game/not-a-position"


@pytest.mark.parametrize("given", [None, 5, ["classic"], b"classic"])
def test_rulesets_boards_and_records_are_found_by_texts_or_paths(given: Any) -> None:
    assert refused(lambda: Ruleset.load(given)).code == "ruleset/not-a-name"
    assert refused(lambda: Board.load(given)).code == "board/not-a-name"
    assert refused(lambda: Record.load(given)).code == "record/not-a-path"
    error = refused(lambda: Record.parse(given))
    assert (error.code, "Record.load" in error.suggestion) == ("record/not-text", True)


def test_a_board_may_be_a_board_its_name_or_its_file() -> None:
    assert refused(lambda: Ruleset.load("classic", board=FIVE)).code == "board/not-a-name"
    nowhere = Path("nowhere.toml")
    assert refused(lambda: Ruleset.load("classic", board=nowhere)).code == "board/not-found"


@pytest.mark.parametrize("given", [5, "cards.forced=none", ["cards.forced=none"]])
def test_options_come_with_their_names(given: Any) -> None:
    for act in (lambda: Ruleset.load("classic", given), lambda: CLASSIC.with_options(given)):
        error = refused(act)
        assert error.code == "ruleset/not-options"
        assert '{"cards.forced": "none"}' in error.suggestion
