"""The bodies of notifications: the bytes that every version has stored, read back typed."""

from __future__ import annotations

import msgspec
import pytest

from rubicon.rules.events import Captured, Won
from rubicon.table.notices import (
    Announcement,
    DeadlineNear,
    DecisionDue,
    DiceLost,
    EmailBounced,
    GameForked,
    GameOver,
    Invitation,
    LinkDue,
    MasterBegins,
    MessageToMaster,
    Notice,
    OpeningDue,
    PlayerLate,
    TableEvent,
    facts_json,
    notice_json,
    read_facts,
    read_notice,
)

# A body of each kind, as the standard library's `json.dumps` wrote it from the first version on.
STORED = [
    (DecisionDue(12), '{"decision": 12}'),
    (DeadlineNear(12, 34), '{"decision": 12, "due": 34}'),
    (DeadlineNear(12), '{"decision": 12, "due": null}'),
    (OpeningDue(), "{}"),
    (
        LinkDue(3, "red.1", 99, "7:ab"),
        '{"request": 3, "id": "red.1", "until": 99, "witness": "7:ab"}',
    ),
    (GameOver("red", "the game is won"), '{"result": "red", "reason": "the game is won"}'),
    (GameForked("abcdefghij"), '{"game": "abcdefghij"}'),
    (DiceLost(41), '{"line": 41}'),
    (Announcement('Grüße, "all"'), '{"words": "Gr\\u00fc\\u00dfe, \\"all\\""}'),
    (PlayerLate("blue"), '{"seat": "blue"}'),
    (EmailBounced("blue"), '{"seat": "blue"}'),
    (MessageToMaster(5), '{"line": 5}'),
    (MasterBegins(), "{}"),
    (Invitation("abcdefghij", None), '{"game": "abcdefghij", "invite": null}'),
]


@pytest.mark.parametrize(("notice", "stored"), STORED)
def test_a_body_keeps_its_bytes_and_is_read_back(notice: Notice, stored: str) -> None:
    assert notice_json(notice) == stored
    assert read_notice(notice.kind, stored) == notice


def test_each_kind_has_one_class() -> None:
    kinds = [each.kind for each in Notice.__subclasses__()]
    assert len(set(kinds)) == len(kinds)
    assert {type(notice) for notice, _ in STORED} == set(Notice.__subclasses__())


def test_events_and_public_lines_of_the_log_are_one_list() -> None:
    facts = (
        TableEvent(event="vote", seat="red", text="-draw"),
        Captured("red", "peru", "blue"),
        Won("red"),
    )
    body = (
        '[{"kind":"table","version":1,"event":"vote","seat":"red","text":"-draw"},'
        '{"kind":"event","version":1,"event":"captured","seat":"red","territory":"peru",'
        '"before":"blue","text":"red captures peru from blue"},'
        '{"kind":"event","version":1,"event":"won","seat":"red","text":"red wins"}]'
    )
    assert facts_json(facts) == body
    assert read_facts(body) == facts
    assert read_facts("[]") == ()


@pytest.mark.parametrize("body", ["{}", "[1]", '[{"kind":"event","event":"vote"}]', "["])
def test_what_is_no_list_of_facts_is_refused(body: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        read_facts(body)
