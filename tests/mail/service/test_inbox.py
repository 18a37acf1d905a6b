"""What is kept, what is recognised, and what is sent back for want of room."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.mail import inbox
from rubicon.mail.reading.incoming_mail import MailEnvelope, MailNotKept, ReceivedMail
from tests.mail.service.mail_table import MailTable, mail_table

A, B = ("play+" + letter * 26 + "@risk.example.org" for letter in "ab")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MailTable]:
    with mail_table(tmp_path_factory.mktemp("inbox")) as made:
        yield made


def mail(number: int, sender: str = "ann", text: str = "END") -> bytes:
    return (
        f"From: {sender}@example.net\r\nMessage-ID: <{number}@example.net>\r\n\r\n{text}\r\n"
    ).encode()


def keep(table: MailTable, raw: bytes, *to: str) -> bool:
    """Whether the message is a new one."""
    before = len(table.results())
    table.part.inbox.keep(ReceivedMail(raw=raw, envelope=MailEnvelope("x@example.net", to)))
    return len(table.results()) > before


def test_the_same_message_is_kept_once_by_whatever_way_it_comes(table: MailTable) -> None:
    assert keep(table, mail(1), A)
    assert not keep(table, b"Received: by mx\r\n" + mail(1), A)
    assert not keep(table, mail(1).replace(b"\r\n", b"\n"), A)


def test_another_text_sender_or_seat_is_another_message(table: MailTable) -> None:
    assert keep(table, mail(2), A)
    assert keep(table, mail(2, text="STATUS"), A)
    assert keep(table, mail(2, sender="bob"), A)
    assert keep(table, mail(2), B)


def test_what_has_no_message_id_is_known_by_its_bytes(table: MailTable) -> None:
    raw = b"From: ann@example.net\r\n\r\nEND\r\n"
    assert keep(table, raw)
    assert not keep(table, raw)
    assert keep(table, b"\x00\xff junk")


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("MOST_WAITING", 0, "too many e-mails wait"),
        ("MOST_OF_SENDER", 0, "of this sender"),
        ("MOST_BYTES_WAITING", 10, "large"),
    ],
)
def test_a_full_inbox_sends_back(
    table: MailTable, monkeypatch: pytest.MonkeyPatch, name: str, value: int, why: str
) -> None:
    keep(table, mail(900))
    monkeypatch.setattr(inbox, "FEW", 0)
    monkeypatch.setattr(inbox, name, value)
    with pytest.raises(MailNotKept, match=why):
        keep(table, mail(901))


def test_each_sender_has_a_turn(table: MailTable) -> None:
    table.post()
    for number in range(3):
        keep(table, mail(100 + number, "first"))
    keep(table, mail(200, "second"))
    found = table.server.store.read(lambda c: inbox.next_messages(c, 10))
    assert len(found) == 2


def test_a_closed_database_keeps_nothing(tmp_path: Path) -> None:
    with mail_table(tmp_path) as closed:
        pass
    with pytest.raises(MailNotKept, match="database"):
        closed.part.inbox.keep(ReceivedMail(raw=mail(1)))


def test_strangers_are_forgotten_after_hours_and_players_after_a_month(
    table: MailTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.post()
    monkeypatch.setattr(inbox, "PRUNED_EVERY", 1)
    keep(table, mail(300, "third"))
    table.post()
    assert "unknown" in table.results() or "returned" in table.results()
    monkeypatch.setattr(inbox, "STRANGERS_REMEMBERED", -1_000)
    keep(table, mail(301, "fourth"))
    table.post()
    assert table.results() == []
