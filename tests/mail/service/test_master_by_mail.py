"""A game master who has no seat, and nothing but a mail program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from rubicon.table.chat import MAX_EMAILS_TO_MASTER
from rubicon.table.settings import Master
from tests.mail.service.mail_table import (
    DAYS,
    MailTable,
    mail_table,
    reply,
    text_of,
)
from tests.mail.service.test_message_work import play_set_up

ADDRESS = "olga@example.com"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[MailTable]:
    settings = replace(DAYS, master=Master.PERSON)
    with mail_table(tmp_path, settings=settings, master="Olga") as made:
        play_set_up(made)
        yield made


def emails(table: MailTable) -> list[EmailMessage]:
    return [mail for mail in table.outbox.sent if mail["To"] == ADDRESS]


def answer(table: MailTable, text: str) -> str:
    """Answer the newest e-mail to the game master; what comes back."""
    before = len(emails(table))
    table.deliver(reply(text, emails(table)[-1], ADDRESS).as_bytes(), ADDRESS)
    table.post()
    return text_of(emails(table)[before])


def test_the_beginning_tells_what_a_game_master_can_do(table: MailTable) -> None:
    (first,) = emails(table)
    assert "You are the game master" in first["Subject"]
    assert "EXTEND 12 HOURS" in text_of(first)
    assert "you are its game master" in text_of(first)


def test_requests_are_carried_out(table: MailTable) -> None:
    due = dict(table.snapshot.due)
    assert "Done; the audit log has it." in answer(table, "EXTEND 12 HOURS")
    assert all(table.snapshot.due[seat] > at for seat, at in due.items())
    assert "Done" in answer(table, "ANNOUNCE Happy new year!")
    for seat in table.accounts:
        assert any("Happy new year!" in text_of(mail) for mail in table.inbox(seat))


def test_what_an_announcement_leaves_out_is_told(table: MailTable) -> None:
    told = answer(table, "ANNOUNCE Welcome, all\nof you")
    assert "'of you' is no order" in told
    assert "ANNOUNCE sends only the rest of its own line" in " ".join(told.split())


def test_a_message_of_a_player_reaches_the_game_master_alone(table: MailTable) -> None:
    seat = table.mover
    table.answer(seat, "PRESS TO GM\nMay I have a day more?\nENDPRESS")
    newest = emails(table)[-1]
    assert "writes to the game master" in newest["Subject"]
    assert "May I have a day more?" in text_of(newest)
    for other in table.accounts:
        if other != seat:
            assert all("a day more" not in text_of(mail) for mail in table.inbox(other))


def test_a_player_who_writes_often_does_not_fill_the_mailbox_of_the_game_master(
    table: MailTable,
) -> None:
    before, seat = len(emails(table)), table.mover
    for number in range(MAX_EMAILS_TO_MASTER + 2):
        table.answer(seat, f"PRESS TO GM\nMay I have {number} days more?\nENDPRESS")
    assert len(emails(table)) - before == MAX_EMAILS_TO_MASTER


@pytest.mark.parametrize(
    "text",
    [
        "DEPLOY 3 fennick\nEND",
        "PREVIEW\nDEPLOY 3 fennick",
        "VOTE DRAW",
        "RESIGN",
        "DEFEND 1",
        "PRESS TO ALL\nx\nENDPRESS",
    ],
)
def test_what_a_player_does_is_refused(table: MailTable, text: str) -> None:
    head = table.snapshot.head
    assert "have no seat" in answer(table, text)
    assert table.snapshot.head == head


@pytest.mark.parametrize("text", ["STATUS", "MAP", "HISTORY 5", "RULES", "HELP"])
def test_questions_are_answered(table: MailTable, text: str) -> None:
    assert "You asked; nothing was changed." in answer(table, text)


@pytest.mark.parametrize("text", ["HAND", "LEGAL", "PREVIEW"])
def test_there_is_no_hand_to_show(table: MailTable, text: str) -> None:
    assert "has no seat" in answer(table, text)


def test_another_address_needs_a_code_which_goes_to_the_game_master(table: MailTable) -> None:
    head = table.snapshot.head
    email = emails(table)[-1]
    table.deliver(reply("EXTEND 12 HOURS", email, "thief@example.net").as_bytes())
    table.post()
    assert table.snapshot.head == head
    assert "CONFIRM " in text_of(emails(table)[-1])


def test_a_code_does_not_send_the_game_master_to_the_game_master(table: MailTable) -> None:
    seat = next(iter(table.accounts))
    told = " ".join(answer(table, "FORK 3 CONFIRM").split())
    assert "CONFIRM " in told
    assert "Tell the game master" not in told
    table.answer(seat, "RESIGN")
    assert "Tell the game master" in " ".join(text_of(table.newest(seat)).split())
