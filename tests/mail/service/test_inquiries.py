"""HISTORY says who did what, by the names of players and territories."""

from __future__ import annotations

import pytest

from rubicon.mail.message_work import history_line
from rubicon.rules.events import Decided
from rubicon.table.notices import Fact, TableEvent
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller

TELLER = Storyteller(
    Names(places={"peru": "Peru"}, names={"red": "Ann", "blue": "Otto"}, you="blue")
)


def at_table(event: str, seat: str, text: str) -> TableEvent:
    return TableEvent(event=event, seat=seat, text=text)


@pytest.mark.parametrize(
    ("fact", "line"),
    [
        (Decided("red", "place peru 3"), "Ann places 3 armies on Peru"),
        (
            at_table("vote", "blue", "extend"),
            "You vote for more time for every player with a pending decision",
        ),
        (at_table("away", "red", "2026-12-24 2026-12-31"), "Ann is away: 2026-12-24 - 2026-12-31"),
        (at_table("master", "", "EXTEND 12 HOURS"), "the game master: EXTEND 12 HOURS"),
        (at_table("master", "", "ANNOUNCE == a =="), "the game master to all: -- a --"),
        (at_table("presence", "red", "deposit red.1"), ""),
        (at_table("sealed", "red", ""), ""),
    ],
)
def test_a_line_names_its_seat(fact: Fact, line: str) -> None:
    assert history_line(fact, TELLER) == line
