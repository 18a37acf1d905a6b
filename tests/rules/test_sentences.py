"""Events and decisions in plain English."""

import pytest

from rubicon.rules.events import Decided, Drew, Event, SpoilsTaken, Traded
from rubicon.rules.sentences import sentence_of

NAMES = {"alaska": "Alaska", "peru": "Peru"}


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            Traded("red", ("alaska", "peru", "wild1"), 8, ("peru",)),
            "red trades Alaska, Peru, a wild card for 8 armies and 2 on Peru",
        ),
        (
            SpoilsTaken("red", "blue", ("wild2", "peru"), ()),
            "red takes cards of blue: a wild card, Peru",
        ),
        (Drew("red", "wild1"), "red draws a wild card"),
        (Drew("red", "peru"), "red draws Peru"),
        (Decided("red", "place alaska 1"), "red places 1 army on Alaska"),
    ],
    ids=lambda value: value.split()[1] if isinstance(value, str) else "",
)
def test_names_stand_for_ids(event: Event, sentence: str) -> None:
    assert sentence_of(event, NAMES) == sentence
