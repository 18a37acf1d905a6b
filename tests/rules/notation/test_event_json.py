"""Events as JSON and back: whole games of several rulesets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from rubicon.engine.chance import generator
from rubicon.players.player import Player
from rubicon.rules.events import Event, Won, event_json, event_name, read_event
from rubicon.rules.game import Game
from rubicon.rules.notation.json_format import JsonError, event_from_json, event_to_json
from rubicon.rules.ruleset.ruleset import Ruleset


@pytest.mark.parametrize("preset", ["classic", "revised", "secret-mission", "capital"])
def test_every_event_of_a_game_is_read_back(preset: str) -> None:
    game = Game.new(Ruleset.load(preset), players=4)
    rng = generator(3)
    players = {colour: Player("greedy", colour) for colour in game.colours}
    kinds = set()
    for _ in range(400):
        if game.over:
            break
        chance = game.pending is not None
        events = (
            game.settle(game.sample(rng))
            if chance
            else game.play(players[game.actors[0]].decide(game))
        )
        for event in events:
            kinds.add(type(event).__name__)
            assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event
            assert read_event(event_json(event)) == event
    assert {"Decided", "Rolled", "TurnBegan"} <= kinds


@pytest.mark.parametrize(
    "value", [{}, {"kind": "event", "event": "danced"}, {"kind": "event", "event": "won"}]
)
def test_what_is_no_event_is_refused(value: dict[str, str]) -> None:
    with pytest.raises(JsonError):
        event_from_json(value)


# One event of each class, and its bytes in a database of every version so far.
STORED = Path(__file__).with_name("stored_events.jsonl")


def test_a_stored_event_keeps_its_bytes() -> None:
    lines = STORED.read_text("utf-8").splitlines()
    events = [read_event(line) for line in lines]
    assert {type(event) for event in events} == set(get_args(Event))
    assert [event_json(event) for event in events] == lines
    assert [event_name(event) for event in events] == [json.loads(one)["event"] for one in lines]


def test_later_fields_of_an_event_are_passed_over() -> None:
    later = '{"kind":"event","version":1,"event":"won","seat":null,"how":"at last","text":""}'
    assert read_event(later) == Won(None)
