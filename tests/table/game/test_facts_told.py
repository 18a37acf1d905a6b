"""The stored facts of each seat and of the spectators about dice and awards."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

from rubicon.rules.actions import Roll
from rubicon.rules.events import Awarded, Event, Rolled
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.game.unit_of_work import facts_by_reader, facts_of, for_each_reader
from rubicon.table.notices import facts_json

ROLL = Rolled("red", "blue", "alaska", "kamchatka", Roll((6, 5), (5, 5)), 1, 1)
AWARD = Awarded("red", territories=4, continents=2, capitals=0, rewards=0)


def told(preset: str, options: dict[str, Any], event: Event) -> dict[str, Any]:
    """The fact about an event, by reader; "" are the spectators."""
    game = SimpleNamespace(
        colours=("red", "blue", "green"), ruleset=Ruleset.load(preset, options), seats=3
    )
    line = SimpleNamespace(kind=None, seat="red", text="")
    hosted = cast(Any, SimpleNamespace(game=game))
    facts = facts_by_reader(list(facts_of(hosted, cast(Any, line), [event])), game.colours)
    rows = [{"seat": reader, "body": facts_json(own)} for reader, own in facts.items()]
    return {row["seat"]: json.loads(row["body"])[0] for row in for_each_reader(rows, game.colours)}


def test_dice_reach_their_recipients_only() -> None:
    facts = told("classic", {"dice.recipients": "attacker defender"}, ROLL)
    assert facts["red"]["roll"] == facts["blue"]["roll"] == {"attack": [6, 5], "defence": [5, 5]}
    assert facts["green"]["roll"] is facts[""]["roll"] is None
    assert facts["green"]["attacker_lost"] == 1
    assert "6" not in facts["green"]["text"]


def test_dice_of_all_seats_are_open_to_spectators() -> None:
    facts = told("classic", {}, ROLL)
    assert all(fact["roll"] is not None for fact in facts.values())


def test_award_items_reach_all_players_only_with_notices_on() -> None:
    with_notices = told("email", {}, AWARD)
    assert all(fact["event"] == "awarded" for fact in with_notices.values())
    without = told("classic", {}, AWARD)
    assert without["red"]["continents"] == 2
    assert (without["blue"]["event"], without["blue"]["armies"]) == ("received", 6)
    assert without[""] == without["green"] == without["blue"]
