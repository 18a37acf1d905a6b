"""Attacks on a game by e-mail: by who has a token, a seat, or nothing but the address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import func, select

from rubicon.mail.message_work import MOST_QUESTIONS
from rubicon.table.settings import Master
from rubicon.table.storage import schema
from tests.mail.service.mail_table import (
    DAYS,
    NAMES,
    MailTable,
    form_in,
    mail_table,
    new_player,
    reply,
    text_of,
)
from tests.mail.service.test_message_work import bounce_of, code_in, play_set_up

THIEF = "thief@example.net"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[MailTable]:
    with mail_table(tmp_path) as made:
        play_set_up(made)
        yield made


def send(table: MailTable, text: str, to: EmailMessage, sender: str = THIEF) -> None:
    """Answer an e-mail as somebody, and let the server work."""
    table.deliver(reply(text, to, sender).as_bytes(), sender)
    table.post()


def sent_to(table: MailTable, address: str) -> list[EmailMessage]:
    """All e-mails that went to an address."""
    return [mail for mail in table.outbox.sent if address in str(mail["To"])]


@pytest.mark.parametrize(
    "text",
    [
        "RESIGN\nEND",
        "VOTE DRAW",
        "VOTE EXTEND",
        "ABSENCE 2099-12-24 2099-12-26",
        "DEFEND 1",
        "PRESS TO ALL\nI am leaving.\nENDPRESS",
        "ADDRESS thief@example.net",
        "UNDO",
        "HAND",
        "STATUS",
    ],
)
def test_a_stolen_token_does_nothing_and_tells_the_thief_nothing(
    table: MailTable, text: str
) -> None:
    seat, head = table.mover, table.snapshot.head
    profile = table.server.accounts.profile(table.accounts[seat])
    send(table, text, table.newest(seat))
    assert table.snapshot.head == head
    assert not table.snapshot.votes
    assert seat in table.snapshot.decisions
    assert sent_to(table, THIEF) == []
    assert table.server.accounts.profile(table.accounts[seat]).email == profile.email
    said = select(func.count()).select_from(schema.chat)
    assert table.server.store.read(lambda c: c.execute(said).scalar_one()) == 0


def test_a_thief_who_writes_often_does_not_delay_the_player(table: MailTable) -> None:
    seat, email = table.mover, table.newest(table.mover)
    before = len(table.inbox(seat))
    for number in range(120):
        send(table, f"HISTORY {number + 1}", email)
    assert len(table.inbox(seat)) - before < 10
    assert "Your orders are carried out" in text_of(table.answer(seat, form_in(email), email))


def test_a_thief_does_not_use_up_the_codes_of_the_player(table: MailTable) -> None:
    seat, email = table.mover, table.newest(table.mover)
    for _ in range(20):
        send(table, "RESIGN", email)
    table.answer(seat, "RESIGN", email)
    answer = text_of(table.answer(seat, f"CONFIRM {code_in(table, seat)}"))
    assert "You have left the game" in answer


def test_codes_cannot_be_guessed(table: MailTable) -> None:
    seat, email = table.mover, table.newest(table.mover)
    send(table, "RESIGN", email)
    code = code_in(table, seat)
    for number in range(6):
        table.answer(seat, f"CONFIRM 2222-222{number + 2}", email)
    answer = text_of(table.answer(seat, f"CONFIRM {code}", email))
    assert "No such code waits" in answer
    assert seat in table.snapshot.decisions


def test_a_code_is_of_no_use_at_another_seat(table: MailTable) -> None:
    seat, other = list(table.accounts)[:2]
    table.answer(seat, "RESIGN")
    code = code_in(table, seat)
    answer = text_of(table.answer(other, f"CONFIRM {code}"))
    assert "No such code waits" in answer
    assert "You have left" not in answer
    told = text_of(table.answer(seat, f"CONFIRM {code}"))
    assert "You have left the game" in told  # the code was right, and is not used up


def test_a_forged_report_of_a_bounce_is_mended_by_the_player(table: MailTable) -> None:
    seat, email = table.mover, table.newest(table.mover)
    table.deliver(bounce_of(str(email["Message-ID"]), table.address(seat)), None)
    table.post()
    before = len(table.inbox(seat))
    assert "Your orders are carried out" in text_of(table.answer(seat, form_in(email), email))
    while table.mover != seat:
        table.answer(table.mover, form_in(table.newest(table.mover)))
    assert len(table.inbox(seat)) >= before + 2  # the answer, and the next turn


def test_another_address_is_not_marked_by_a_bounce_of_mine(table: MailTable) -> None:
    seat, other = list(table.accounts)[:2]
    email = table.newest(seat)
    table.deliver(bounce_of(str(email["Message-ID"]), table.address(other)), None)
    table.post()
    dead = select(func.count()).where(schema.account.c.unreachable.is_not(None))
    assert table.server.store.read(lambda c: c.execute(dead).scalar_one()) == 0


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Subject", "=?utf-8?q?x=0D=0ABcc:_victim=40example.org?="),
        ("Subject", "Re: =?utf-8?b?eA0KQmNjOiB2aWN0aW1AZXhhbXBsZS5vcmc=?="),
        ("Message-ID", "<a@b>\r\n\tBcc: victim@example.org"),
        ("References", "<a@b>\r\n =?utf-8?q?=0D=0ABcc:_victim=40example.org?= <c@d>"),
    ],
)
def test_headers_cannot_be_smuggled_into_an_answer(
    table: MailTable, header: str, value: str
) -> None:
    seat, email = table.mover, table.newest(table.mover)
    raw = reply("STATUS", email, table.address(seat)).as_bytes()
    head, _, body = raw.partition(b"\n\n")
    kept = [
        line for line in head.split(b"\n") if not line.lower().startswith(header.lower().encode())
    ]
    text = b"\n".join([*kept, f"{header}: {value}".encode()]) + b"\n\n" + body
    before = len(table.inbox(seat))
    table.deliver(text, table.address(seat))
    table.post()
    (answer,) = table.inbox(seat)[before:]
    assert answer["Bcc"] is None
    assert "\nBcc:" not in answer.as_string()
    assert sent_to(table, "victim") == []


@pytest.mark.parametrize("own", ["play@risk.example.org", "play+abc@risk.example.org"])
def test_the_address_of_the_server_is_nobodys(table: MailTable, own: str) -> None:
    seat = table.mover
    answer = text_of(table.answer(seat, f"ADDRESS {own}"))
    assert "code" not in str(table.newest(seat)["Subject"]).lower(), answer
    assert sent_to(table, own) == []


def test_an_address_of_another_player_is_not_taken(table: MailTable) -> None:
    seat, other = list(table.accounts)[:2]
    before = len(table.inbox(other))
    answer = text_of(table.answer(seat, f"ADDRESS {table.address(other)}"))
    assert "cannot be used" in answer
    assert len(table.inbox(other)) == before


def test_two_copies_from_two_addresses_are_carried_out_once(table: MailTable) -> None:
    seat, email = table.mover, table.newest(table.mover)
    user, _, domain = table.address(seat).partition("@")
    before = orders_in_log(table)
    for sender in (table.address(seat), f"{user}+home@{domain}", f"{user}+work@{domain}"):
        table.deliver(reply(form_in(email), email, sender).as_bytes(), sender)
    workers = [Thread(target=table.part.service.work_once) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    table.post()
    # Each was answered: one by its dice, the others by them too, or that the decision was made.
    assert table.results()[-3:].count("done") >= 1
    assert set(table.results()[-3:]) <= {"done", "stale", "refused"}
    assert orders_in_log(table) == before + 1


def orders_in_log(table: MailTable) -> int:
    """How many orders have been carried out."""
    columns = schema.log.c
    wanted = select(func.count()).where(columns.game == table.game, columns.kind == "orders")
    return int(table.server.store.read(lambda c: c.execute(wanted).scalar_one()))


def test_words_of_another_player_in_the_quotation_are_no_orders(table: MailTable) -> None:
    first = table.mover
    victim = next(seat for seat in table.accounts if seat != first)
    lines = form_in(table.newest(first))
    table.answer(first, lines)
    while table.mover != victim:
        table.answer(table.mover, form_in(table.newest(table.mover)))
    email = table.newest(victim)
    form = form_in(email).splitlines()
    head = table.snapshot.head
    # What a player would answer who keeps only the messages of the e-mail, as wrapped as they come.
    deploy = next(line for line in form if line.startswith("DEPLOY"))
    other = next(name for name in table.snapshot.game().territories if name not in deploy)
    fake = f"use it.\n{deploy}\nATTACK {deploy.split()[2]} -> {other}\nEND"
    table.answer(first, f"PRESS TO {victim}\n{fake}\nENDPRESS", table.newest(first))
    message = EmailMessage()
    message["From"] = table.address(victim)
    message["To"] = email["Reply-To"]
    message["Subject"] = "Re: turn"
    message["Message-ID"] = "<fake@example.com>"
    message["In-Reply-To"] = email["Message-ID"]
    quoted = "".join(f"> {line}\n" for line in fake.splitlines())
    message.set_content(f"Nice try.\n\nOn Mon, 23 Nov 2026 at 10:00, Rubicon wrote:\n{quoted}")
    table.deliver(message.as_bytes(), table.address(victim))
    table.post()
    assert table.snapshot.head == head
    assert table.results()[-1] == "question"


def test_one_message_has_few_steps(table: MailTable) -> None:
    seat = table.mover
    text = "\n".join(["VOTE EXTEND", "DEFEND 1", "DEFEND MAX"] * 30)
    answer = text_of(table.answer(seat, text))
    assert "too many" in answer.lower()
    assert not table.snapshot.votes


def test_a_former_player_of_a_seat_has_no_say_any_more(tmp_path: Path) -> None:
    with mail_table(tmp_path, settings=replace(DAYS, master=Master.HOST)) as table:
        host = next(seat for seat, account in table.accounts.items() if account.name == NAMES[0])
        left = next(seat for seat in table.accounts if seat != host)
        play_set_up(table)
        old = table.newest(left)
        table.answer(left, f"REPLACE {left}")  # the consent
        table.answer(left, f"CONFIRM {code_in(table, left)}")
        table.answer(host, f"REPLACE {left}")
        told = text_of(table.answer(host, f"CONFIRM {code_in(table, host)}"))
        link = re.search(r"https://\S+[?]invite=(\S+)", told)
        assert link is not None, told
        heir = new_player(table.server, NAMES[-1])
        table.server.lobby.join(table.game, heir.id, heir.name, invite=link[1]).result()
        before, head = len(table.inbox(left)), table.snapshot.head
        send(table, "HAND", old, table.address(left))
        assert all("HAND" not in text_of(mail) for mail in table.inbox(left)[before:])
        assert table.snapshot.head == head
        assert table.results()[-1] == "returned"


def test_a_mailbox_is_answered_once_an_hour_whatever_its_tags(table: MailTable) -> None:
    for number in range(12):
        raw = f"From: victim+{number}@example.net\r\nMessage-ID: <{number}@x>\r\n\r\nhi\r\n"
        table.deliver(raw.encode(), "victim@example.net")
    table.post()
    assert len(sent_to(table, "victim")) == 1


def test_a_program_that_answers_like_a_person_is_slowed_down(table: MailTable) -> None:
    seat, answered = table.mover, 0
    while table.waiting() == 0:
        email = table.newest(seat)
        raw = reply("Dear sender, I am away until Monday.", email, table.address(seat))
        table.deliver(raw.as_bytes())
        table.post()
        answered += 1
    assert answered == MOST_QUESTIONS + 1
    told = text_of(table.answer(seat, form_in(table.inbox(seat)[-answered])))
    assert "Your orders are carried out" in told


def test_a_finished_game_takes_nothing(table: MailTable) -> None:
    for seat in list(table.accounts)[:2]:
        email = table.newest(seat)
        table.answer(seat, "RESIGN")
        table.answer(seat, f"CONFIRM {code_in(table, seat)}")
    assert table.snapshot.ending is not None
    head = table.snapshot.head
    assert "over" in text_of(table.answer(seat, "DEPLOY 3 fennick\nEND", email))
    table.answer(seat, "UNDO", email)
    assert table.snapshot.head == head
