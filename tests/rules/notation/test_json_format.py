"""The JSON forms give the same things back, and refuse everything else."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.errors import RubiconError
from rubicon.rules.actions import Action, Outcome
from rubicon.rules.board.board import Board
from rubicon.rules.notation.json_format import (
    JsonError,
    action_from_json,
    action_to_json,
    event_to_json,
    outcome_from_json,
    outcome_to_json,
    position_from_json,
    position_to_json,
    record_from_json,
    record_to_json,
)
from rubicon.rules.record import Record
from tests.orders.parse.test_action import actions
from tests.rules.notation.played import PRESETS, picture, played
from tests.rules.notation.test_outcomes import OUTCOMES

ACTION = {"kind": "action", "version": 1, "action": "place", "territory": "alaska", "armies": 3}


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


@given(actions(Board.load("world")))
def test_actions(action: Action) -> None:
    assert action_from_json(through_json(action_to_json(action))) == action


@given(OUTCOMES)
def test_outcomes(outcome: Outcome) -> None:
    assert outcome_from_json(through_json(outcome_to_json(outcome))) == outcome


@pytest.mark.parametrize(("preset", "players"), PRESETS)
def test_positions_and_records(preset: str, players: int) -> None:
    game = played(preset, players)
    ruleset, position = position_from_json(
        through_json(position_to_json(game.ruleset, game.position))
    )
    assert ruleset == game.ruleset
    assert picture(position) == picture(game.position)
    record = Record.of(game, {"Date": "today"})
    assert record_from_json(through_json(record_to_json(record))) == record


def test_the_order_of_the_territories_does_not_matter() -> None:
    game = played("classic")
    form = position_to_json(game.ruleset, game.position)
    form["territories"] = dict(reversed(form["territories"].items()))
    assert picture(position_from_json(form)[1]) == picture(game.position)


def test_events_are_told_in_json() -> None:
    for preset, players in PRESETS:
        game = played(preset, players)
        again = Record.of(game).replay(0)
        for entry in game.history:
            tell: Any = again.settle if again.pending is not None else again.play
            for event in tell(entry):
                form = through_json(event_to_json(event))
                assert form["kind"] == "event"
                assert form["text"] == str(event)


def test_what_an_action_looks_like() -> None:
    assert str(action_from_json(ACTION)) == "place alaska 3"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"kind": "outcome"}, "wrong-kind"),
        ({"version": 2}, "newer"),
        ({"version": "1"}, "no-version"),
        ({"version": True}, "no-version"),
        ({"action": "dance"}, "unknown"),
        ({"action": ["place"]}, "unknown"),
        ({"armies": "3"}, "bad-value"),
        ({"armies": True}, "bad-value"),
        ({"armies": -1}, "bad-value"),
        ({"armies": 2**31}, "bad-value"),
        ({"armies": None}, "bad-value"),
        ({"territory": 3}, "bad-value"),
        ({"dice": 3}, "unknown-field"),
    ],
)
def test_other_actions_are_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(JsonError) as error:
        action_from_json(ACTION | change)
    assert error.value.code == f"json/{code}"


def test_fields_that_are_missing() -> None:
    with pytest.raises(JsonError) as error:
        action_from_json({"kind": "action", "version": 1, "action": "place", "armies": 3})
    assert error.value.code == "json/missing-field"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def changed(form: Any, data: st.DataObject) -> Any:
    """A form in which something is something else."""
    if isinstance(form, dict) and form and data.draw(st.integers(0, 5)):
        key = data.draw(st.sampled_from(sorted(form)))
        return form | {key: changed(form[key], data)}
    if isinstance(form, list) and form and data.draw(st.integers(0, 5)):
        at = data.draw(st.integers(0, len(form) - 1))
        return [*form[:at], changed(form[at], data), *form[at + 1 :]]
    return data.draw(JSON)


@given(st.data())
def test_no_input_raises_anything_else(data: st.DataObject) -> None:
    game = played("classic", 3, 20)
    forms: list[tuple[Any, Any, Any]] = [
        (action_from_json, action_to_json, ACTION),
        (
            position_from_json,
            lambda read: position_to_json(*read),
            position_to_json(game.ruleset, game.position),
        ),
        (record_from_json, record_to_json, record_to_json(Record.of(game))),
    ]
    read, write, form = data.draw(st.sampled_from(forms))
    written = None
    with suppress(RubiconError):
        written = write(read(changed(form, data)))
    assert written is None or write(read(written)) == written
