"""Events, decisions, turns and battles in sentences."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

import rubicon
from rubicon.rules.actions import Dice, Roll
from rubicon.rules.events import (
    Awarded,
    Begins,
    Captured,
    Dealt,
    Decided,
    Discarded,
    Drew,
    Eliminated,
    Event,
    FirstDice,
    MissionShown,
    Received,
    Rolled,
    SpoilsTaken,
    Traded,
    TurnBegan,
    Won,
)
from rubicon.telling.phrases import ENGLISH, Names
from rubicon.telling.storyteller import Storyteller
from rubicon.telling.turns import BattleRolls, TurnEvents, turns_of

PLACES = {"alaska": "Alaska", "peru": "Peru", "chile": "Chile"}
PLAIN = Storyteller(Names(places=PLACES))
PEOPLE = {"red": "Ann", "blue": "Otto", "green": "Mateo"}
ANN = Storyteller(Names(places=PLACES, names=PEOPLE, you="red", outsiders="the rebels"))


def rolled(source: str, target: str, lost: int, killed: int, **seats: str) -> Rolled:
    """A roll of Otto's, of three dice against one."""
    return Rolled(
        attacker=seats.get("attacker", "blue"),
        defender=seats.get("defender", "red"),
        source=source,
        target=target,
        roll=Roll((4, 6, 2), (5,)),
        attacker_lost=lost,
        defender_lost=killed,
    )


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Begins("red"), "red begins"),
        (TurnBegan("red", 3), "round 3: red to move"),
        (FirstDice(("red", "blue"), Dice((5, 3))), "first dice: red 5, blue 3"),
        (Dealt("card", None, "red"), "card face down to red"),
        (Dealt("territory", "peru", "red"), "territory Peru to red"),
        (
            rolled("alaska", "peru", 0, 1),
            "blue attacks Peru from Alaska: 6 4 2 v 5; blue loses no army, red loses 1 army",
        ),
        (Captured("red", "peru", "blue"), "red takes Peru from blue"),
        (Captured("red", "peru", "neutral"), "red takes Peru from neutral"),
        (Eliminated("blue", "red"), "red eliminates blue"),
        (
            SpoilsTaken("red", "blue", ("wild2", "peru"), ()),
            "red takes the cards of blue: a wild card and Peru",
        ),
        (
            SpoilsTaken("red", "blue", (), ("OB01",), count=2),
            "red takes the cards of blue: 2 cards and OB01",
        ),
        (Drew("red", None), "red draws a card"),
        (Drew("red", "wild1"), "red draws a wild card"),
        (Drew("red", "peru"), "red draws the card Peru"),
        (
            Traded("red", ("alaska", "peru", "wild1"), 8, ("peru",)),
            "red trades Alaska, Peru and a wild card for 8 armies and 2 on Peru",
        ),
        (
            Awarded("red", 4, 0, 0, 1),
            "red receives 5 armies: territories 4, continents 0, rewards 1",
        ),
        (Received("red", 1), "red receives 1 army"),
        (Discarded("peru", 2), "2 armies above the cap are lost on Peru"),
        (MissionShown("red", "M1"), "red shows the mission M1"),
        (Won("red"), "red wins"),
        (Won(None), "the game ended in a draw"),
        (Decided("red", "place alaska 1"), "red places 1 army on Alaska"),
        (Decided("red", "occupy 3"), "red moves 3 armies in"),
        (Decided("red", "standing red all 1"), "red: standing red all 1"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)  # fmt: skip
def test_names_stand_for_ids(event: Event, sentence: str) -> None:
    assert PLAIN.sentence(event) == sentence


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Captured("blue", "peru", "red"), "Otto takes Peru from you"),
        (Captured("red", "peru", "neutral"), "You take Peru from the rebels"),
        (Eliminated("red", "blue"), "Otto eliminates you"),
        (Drew("red", "peru"), "You draw the card Peru"),
        (Decided("red", "capital peru"), "You make Peru your capital"),
        (Won("red"), "You win"),
    ],
)
def test_the_reader_is_addressed(event: Event, sentence: str) -> None:
    assert ANN.sentence(event) == sentence


def test_a_turn_is_one_sentence() -> None:
    turn = TurnEvents("blue")
    for event in (
        Decided("blue", "trade"),
        Traded("blue", ("peru",), 4, ()),
        Decided("blue", "place alaska 2"),
        Decided("blue", "place peru 1"),
        Decided("blue", "place alaska 1"),
        Decided("blue", "attack alaska -> peru"),
        rolled("alaska", "peru", 0, 1),
        Captured("blue", "peru", "red"),
        Decided("blue", "occupy 2"),
        Captured("blue", "chile", "neutral"),
        Decided("blue", "end attack"),
        Decided("blue", "fortify peru -> chile 1"),
        Drew("blue", None),
    ):
        turn.add(event)
    assert ANN.turn(turn) == (
        "trades Peru for 4 armies; places 3 armies on Alaska and 1 army on Peru; "
        "takes Peru from you and Chile from the rebels; moves 1 army from Peru to Chile; "
        "draws a card"
    )
    assert ANN.turn(TurnEvents("blue")) == ""


def test_a_turn_of_the_reader_is_told_in_the_second_person() -> None:
    turn = TurnEvents("red", events=[Decided("red", "place peru 3"), Drew("red", "peru")])
    assert ANN.turn(turn) == "place 3 armies on Peru; draw the card Peru"


def test_battles_of_a_turn_are_told_together() -> None:
    turn = TurnEvents("blue")
    for event in (
        rolled("alaska", "peru", 1, 0),
        rolled("alaska", "peru", 0, 1),
        Captured("blue", "peru", "red"),
        Decided("blue", "occupy 2"),
        rolled("peru", "chile", 2, 0),
    ):
        turn.add(event, number="7")
    peru, chile = turn.battles()
    assert (peru.taken, peru.moved, len(peru.rolls), peru.rolls[0].number) == (True, 2, 2, "7")
    assert ANN.battle([peru, chile]) == (
        "Otto took Peru from you and attacked Chile in vain in 3 rolls: "
        "you lost 1 army, Otto lost 3 armies"
    )
    assert PLAIN.battle([chile]) == (
        "blue attacked Chile of red in vain in 1 roll: blue lost 2 armies, red lost no army"
    )
    assert ANN.attack(peru) == "Otto takes Peru from you"
    assert ANN.attack(chile) == "Otto attacks Chile"
    assert (ANN.outcome(peru), ANN.outcome(chile)) == ("Peru is lost", "Chile is still yours")
    assert PLAIN.outcome(peru) == "Peru changes hands"
    assert ANN.attacked([]) == "Nobody attacked you"
    assert ANN.attacked([[peru]]).endswith(". Nobody else attacked you")


def test_another_attacker_begins_another_battle() -> None:
    battle = BattleRolls.of(rolled("alaska", "peru", 0, 1))
    assert battle.goes_on_with(rolled("alaska", "peru", 1, 0))
    assert not battle.goes_on_with(rolled("alaska", "peru", 1, 0, attacker="green"))
    battle.taken = True
    assert not battle.goes_on_with(rolled("alaska", "peru", 1, 0))


def test_events_are_parted_by_turns() -> None:
    begun = TurnBegan("red", 2)
    turns = turns_of([(Begins("red"), ""), (begun, ""), (Drew("red", None), "")])
    assert [(turn.seat, turn.round) for turn in turns] == [("", 0), ("red", 2)]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (("vote", "red", "draw"), "You vote for a draw"),
        (("vote", "blue", "-replace green"), "Otto no longer votes for a stand-in for Mateo"),
        (("vote", "blue", "fork 12"), "Otto votes for a new game from line 12 of the log"),
        (("pause", "", "on"), "the game is paused"),
        (("pause", "", "off"), "the game goes on"),
        (("bot", "blue", "medium"), "a bot plays for Otto"),
        (("bot", "blue", ""), "Otto plays again"),
        (("late", "red", ""), "You are out of time"),
        (("away", "blue", "2026-12-24 2026-12-26 utc"), "Otto is away: 2026-12-24 - 2026-12-26"),
        (("away", "blue", ""), "Otto is back"),
        (("master", "", "ANNOUNCE Hello"), "the game master to all: Hello"),
        (("master", "", "EXTEND"), "the game master: EXTEND"),
        (
            ("lost-lines", "", "4"),
            "the server has lost dice: the game can only continue as a new one",
        ),
        (("silent", "blue", "x"), ""),
    ],
)
def test_what_happens_at_the_table_is_told_too(line: tuple[str, str, str], sentence: str) -> None:
    assert ANN.at_table(*line) == sentence


def test_a_message_and_a_result_name_people() -> None:
    assert ANN.chat("blue", "", "hello") == "Otto says: hello"
    assert ANN.chat("", "red", "hello") == "someone says to you: hello"
    assert [ANN.result(one) for one in ("blue", "red", "draw", "void")] == [
        "Otto has won",
        "You have won",
        "the game ended in a draw",
        "the game ended without a winner",
    ]


def fields_of(phrase: str) -> set[str]:
    """The words that a phrase leaves open."""
    return {name for _, name, _, _ in Formatter().parse(phrase) if name}


def test_both_persons_of_a_phrase_say_the_same() -> None:
    for phrase in ENGLISH.predicates.values():
        third, _, second = phrase.partition("|")
        assert not second or fields_of(third) == fields_of(second)


def test_every_phrase_is_used() -> None:
    source = Path(rubicon.__file__).parent
    code = "".join(
        file.read_text("utf-8") for file in source.rglob("*.py") if file.name != "phrases.py"
    )
    keys = {*ENGLISH.predicates, *ENGLISH.sentences, *ENGLISH.counts}
    # The kinds of the reasons of bots, and the two ends of a battle, are put before the rest.
    plain = {re.sub("^(aim|taken|held) ", "", key) for key in keys}
    assert [key for key in plain if not re.search(rf"[\"']{re.escape(key)}[\"']", code)] == []
