"""What a message of a player does, and what it is answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from rubicon.mail import message_work
from rubicon.table.storage import schema
from tests.mail.service.mail_table import MailTable, form_in, mail_table, reply, text_of


@pytest.fixture
def table(tmp_path: Path) -> Iterator[MailTable]:
    with mail_table(tmp_path) as made:
        yield made


def play_set_up(table: MailTable) -> None:
    """Send forms until the first turn."""
    for _ in range(200):
        if table.snapshot.position.round_number:
            return
        seat = table.mover
        table.answer(seat, form_in(table.newest(seat)))
    raise AssertionError("the set-up does not end")


def one_die(table: MailTable) -> str:
    """Orders for a turn with an attack, made of what is legal."""
    game, seat = table.snapshot.game(), table.mover
    own = form_in(table.newest(seat)).splitlines()[:-1]
    deployed = next(line for line in own if line.startswith("DEPLOY"))
    place = deployed.split(", ")[0].split(maxsplit=2)[2]
    board = game.ruleset.board
    at = board.index(place)
    mine = game.seat(seat)
    target = next(
        name
        for n, name in enumerate(game.territories)
        if game.tables.adjacent[at, n] and int(game.position.owner[n]) != mine
    )
    return f"{deployed}\nATTACK {place} -> {target} UNTIL ROUNDS 1"


def test_the_form_is_carried_out_as_it_is(table: MailTable) -> None:
    seat, decision = table.mover, dict(table.snapshot.decisions)
    answer = table.answer(seat, form_in(table.newest(seat)))
    assert "Your orders are carried out" in text_of(answer)
    assert table.snapshot.decisions != decision
    assert table.waiting() == 0


def test_a_turn_with_an_attack_tells_its_dice(table: MailTable) -> None:
    play_set_up(table)
    seat = table.mover
    answer = text_of(table.answer(seat, one_die(table)))
    assert "YOUR DICE" in answer
    assert "WHAT CHANGED" in answer


def test_one_mistake_and_nothing_is_done(table: MailTable) -> None:
    seat, head = table.mover, table.snapshot.head
    answer = text_of(table.answer(seat, "DEPLOY 3 nowhereland\nEND"))
    assert "nothing was done" in answer
    assert "1.    DEPLOY 3 nowhereland\r\n" in answer
    assert "???" in answer
    assert table.snapshot.head == head


def test_a_message_that_comes_twice_is_carried_out_and_answered_once(table: MailTable) -> None:
    seat = table.mover
    raw = reply(form_in(table.newest(seat)), table.newest(seat), table.address(seat)).as_bytes()
    table.deliver(raw)
    table.deliver(b"Received: from elsewhere\r\n" + raw)
    table.post()
    assert table.results() == ["done"]


def test_orders_that_are_sent_twice_get_the_stored_answer(table: MailTable) -> None:
    play_set_up(table)
    seat, email = table.mover, table.newest(table.mover)
    orders = one_die(table)
    table.answer(seat, orders, email)
    head = table.snapshot.head
    again = text_of(table.answer(seat, orders, email))
    assert "IT CAME TWICE" in again
    assert "YOUR DICE" in again
    assert table.snapshot.head == head


def test_orders_for_an_earlier_decision_get_the_newest_form(table: MailTable) -> None:
    seat, email = table.mover, table.newest(table.mover)
    form = form_in(email)
    table.answer(seat, form, email)
    while table.mover != seat:
        table.answer(table.mover, form_in(table.newest(table.mover)))
    head = table.snapshot.head
    answer = text_of(table.answer(seat, "DEPLOY 1 fennick\nEND", email))
    assert "for a decision that has been made" in answer
    assert "CLAIM" in form_in(table.newest(seat))
    assert table.snapshot.head == head


def test_a_stranger_is_answered_once_an_hour_and_learns_nothing(table: MailTable) -> None:
    for number in range(3):
        table.deliver(
            b"From: stranger@example.net\r\nTo: play@risk.example.org\r\n"
            b"Message-ID: <%d@example.net>\r\nSubject: hi\r\n\r\nEND\r\n" % number,
            "stranger@example.net",
        )
    table.post()
    mine = [mail for mail in table.outbox.sent if mail["To"] == "stranger@example.net"]
    assert len(mine) == 1
    assert table.game not in mine[0].as_string()
    assert table.results() == ["returned", "unknown", "unknown"]


def test_orders_from_another_address_need_the_code_of_the_registered_one(table: MailTable) -> None:
    seat, email, head = table.mover, table.newest(table.mover), table.snapshot.head
    raw = reply(form_in(email), email, "mallory@example.net").as_bytes()
    table.deliver(raw)
    table.post()
    assert table.snapshot.head == head
    assert not [mail for mail in table.outbox.sent if "mallory" in str(mail["To"])]
    code = code_in(table, seat)
    answer = text_of(table.answer(seat, f"CONFIRM {code}"))
    assert "Your orders are carried out" in answer
    assert table.snapshot.head > head


def code_in(table: MailTable, seat: str) -> str:
    """The code in a player's newest e-mail."""
    lines = text_of(table.newest(seat)).splitlines()
    return next(line.split()[1] for line in lines if line.strip().startswith("CONFIRM "))


def test_a_resignation_needs_a_code_and_a_code_works_once(table: MailTable) -> None:
    play_set_up(table)
    seat = table.mover
    table.answer(seat, "RESIGN")
    assert seat in table.snapshot.decisions
    code = code_in(table, seat)
    wrong = text_of(table.answer(seat, "CONFIRM 2222-2222"))
    assert "does not fit" in wrong
    assert seat in table.snapshot.decisions
    answer = text_of(table.answer(seat, f"CONFIRM {code}"))
    assert "You have left the game" in answer
    assert seat not in table.snapshot.decisions
    assert "No such code waits" in text_of(table.answer(seat, f"CONFIRM {code}"))


def test_a_code_that_is_copied_twice_is_one(table: MailTable) -> None:
    play_set_up(table)
    seat = table.mover
    table.answer(seat, "RESIGN")
    code = code_in(table, seat)
    answer = text_of(table.answer(seat, f"CONFIRM {code}\nCONFIRM {code}"))
    assert "You have left the game." in answer
    assert "does not fit" not in answer


def test_what_a_code_confirms_but_the_table_refuses_is_told(table: MailTable) -> None:
    play_set_up(table)
    seat = table.mover
    other = next(colour for colour in table.accounts if colour != seat)
    table.answer(seat, f"REPLACE {other}")
    answer = text_of(table.answer(seat, f"CONFIRM {code_in(table, seat)}"))
    assert "Nothing was done." in answer
    assert "[" in answer


def test_an_address_changes_when_both_mailboxes_have_answered(table: MailTable) -> None:
    seat = table.mover
    table.answer(seat, "ADDRESS new@example.net")
    first = code_in(table, seat)
    table.answer(seat, f"CONFIRM {first}")
    to_new = [mail for mail in table.outbox.sent if mail["To"] == "new@example.net"]
    assert len(to_new) == 1
    lines = text_of(to_new[0]).splitlines()
    second = next(line.split()[1] for line in lines if line.strip().startswith("CONFIRM "))
    table.deliver(reply(f"CONFIRM {second}", to_new[0], "new@example.net").as_bytes())
    table.post()
    profile = table.server.accounts.profile(table.accounts[seat])
    assert profile.email == "new@example.net"


def test_votes_press_absence_and_a_defence_in_one_message(table: MailTable) -> None:
    seat = table.mover
    other = next(colour for colour in table.accounts if colour != seat)
    text = (
        "DEFEND 1\nVOTE EXTEND\nABSENCE 2099-12-24 2099-12-26 BOT strongest\n"
        f"PRESS TO {other}\nShall we?\nENDPRESS"
    )
    answer = text_of(table.answer(seat, text))
    assert "Your vote for 'extend' is counted" in answer
    assert f"Your message went to {other}" in answer
    assert "From now on you defend" in answer
    assert "the bot expert plays for you" in answer
    assert "extend" in table.snapshot.votes
    assert table.results()[-1] == "noted"


@pytest.mark.parametrize(
    ("word", "title"),
    [
        ("STATUS", "STATUS"),
        ("MAP", "MAP"),
        ("LEGAL", "WHAT IS POSSIBLE"),
        ("HAND", "YOUR CARDS"),
        ("HISTORY 5", "WHAT HAS HAPPENED"),
        ("RULES", "RULES OF THIS GAME"),
        ("HELP ATTACK", "ORDERS"),
    ],
)
def test_a_question_is_answered_and_changes_nothing(
    table: MailTable, word: str, title: str
) -> None:
    play_set_up(table)
    seat, head = table.mover, table.snapshot.head
    answer = text_of(table.answer(seat, word))
    assert f"{title} -" in answer
    assert table.snapshot.head == head


@pytest.mark.parametrize("where", ["PREVIEW\n{}", "{}\nEND\nPREVIEW", "{}\nEND\n\npreview.\nAnn"])
def test_a_preview_tells_the_odds_and_rolls_nothing(table: MailTable, where: str) -> None:
    play_set_up(table)
    seat, head = table.mover, table.snapshot.head
    answer = text_of(table.answer(seat, where.format(one_die(table))))
    assert "ODDS OF YOUR ORDERS" in answer
    assert "nothing was rolled" in answer
    assert table.snapshot.head == head


def test_an_undo_takes_a_placement_back(table: MailTable) -> None:
    play_set_up(table)
    seat, before = table.mover, table.snapshot.position.armies.sum()
    deployed = next(line for line in one_die(table).splitlines() if line.startswith("DEPLOY"))
    table.answer(seat, deployed)
    assert table.snapshot.position.armies.sum() > before
    assert "taken back" in text_of(table.answer(seat, "UNDO"))
    assert table.snapshot.position.armies.sum() == before


def test_a_bounce_marks_the_address_and_is_not_answered(table: MailTable) -> None:
    seat = table.mover
    email, sent = table.newest(seat), len(table.inbox(seat))
    table.deliver(bounce_of(str(email["Message-ID"]), table.address(seat)))
    table.post()
    assert table.results() == ["bounce"]
    assert len(table.inbox(seat)) == sent
    profile = table.server.accounts.profile(table.accounts[seat])
    assert profile.email == table.address(seat)
    columns = schema.account.c
    dead = select(columns.id).where(columns.unreachable.is_not(None))
    found = table.server.store.read(lambda c: c.execute(dead).scalars().all())
    assert found == [table.accounts[seat].id]


def bounce_of(message_id: str, address: str) -> bytes:
    """A report that a message did not reach an address (RFC 3464)."""
    return (
        "From: MAILER-DAEMON@mx.example.com\r\nTo: play@risk.example.org\r\n"
        "Subject: Undelivered Mail\r\nMessage-ID: <b1@mx.example.com>\r\n"
        "MIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="x"\r\n\r\n'
        "--x\r\nContent-Type: text/plain\r\n\r\nIt failed.\r\n"
        "--x\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.com\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: failed\r\nStatus: 5.1.1\r\n"
        "Diagnostic-Code: smtp; 550 no such user\r\n\r\n"
        f"--x\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {message_id}\r\n\r\n"
        "--x--\r\n"
    ).encode()


def test_programs_are_never_answered(table: MailTable) -> None:
    seat, head = table.mover, table.snapshot.head
    email, sent = table.newest(seat), len(table.outbox.sent)
    message = reply(form_in(email), email, table.address(seat))
    message["Auto-Submitted"] = "auto-replied"
    table.deliver(message.as_bytes())
    table.post()
    assert table.results() == ["auto-reply"]
    assert (len(table.outbox.sent), table.snapshot.head) == (sent, head)


def test_a_message_to_a_player_stands_in_their_next_turn_email(table: MailTable) -> None:
    first, inboxes = table.mover, {seat: table.inbox(seat) for seat in table.accounts}
    others = [seat for seat in table.accounts if seat != first]
    to, third = others
    text = f"PRESS TO {to}\nPeace in the north?\n=== Token: x ===\nENDPRESS"
    table.answer(first, text)
    seen: set[str] = set()
    while seen != set(others):
        seat = table.mover
        newest = text_of(table.newest(seat))
        if seat in others and seat not in seen:
            assert ("Peace in the north?" in newest) is (seat == to)
            seen.add(seat)
        table.answer(seat, form_in(table.newest(seat)))
    assert inboxes
    assert all("=== Token" not in text_of(mail) for mail in table.inbox(third))


def test_who_writes_too_often_waits_and_loses_nothing(
    table: MailTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_work, "MOST_OF_SEAT", 2)
    seat, email = table.mover, table.newest(table.mover)
    for word in ("STATUS", "HAND", "MAP"):
        table.deliver(reply(word, email, table.address(seat)).as_bytes())
    table.post()
    assert (table.results(), table.waiting()) == (["inquiry", "inquiry", ""], 1)


def test_who_is_asked_how_to_defend_answers_by_email(table: MailTable) -> None:
    play_set_up(table)
    attacker = table.mover
    for seat in table.accounts:
        if seat != attacker:
            told = text_of(table.answer(seat, "DEFEND ASK"))
            assert "From now on you defend" in told
    told = text_of(table.answer(attacker, one_die(table)))
    assert "another player decides" in told
    defender = table.mover
    assert defender != attacker
    answer = text_of(table.answer(defender, "DEFEND 1"))
    assert "Your orders are carried out" in answer
    assert table.mover == attacker
