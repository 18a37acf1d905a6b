"""Time zone, news and quiet hours, set by players who have nothing but a mail program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rubicon.server.notifications import NewsWay, NotificationPreferences
from rubicon.table.chat import account_settings
from rubicon.table.settings import Master
from tests.mail.service.mail_table import DAYS, MailTable, form_in, mail_table, reply, text_of
from tests.mail.service.test_master_by_mail import answer as answer_of_master
from tests.mail.service.test_message_work import code_in


@pytest.fixture
def table(tmp_path: Path) -> Iterator[MailTable]:
    with mail_table(tmp_path) as made:
        yield made


def preferences(table: MailTable, seat: str) -> NotificationPreferences:
    account = table.accounts[seat].id
    return NotificationPreferences.read(
        table.server.store.read(lambda connection: account_settings(connection, account))
    )


def answered(table: MailTable, seat: str, text: str) -> str:
    return " ".join(text_of(table.answer(seat, text)).split())


def test_a_time_zone_is_set_and_used_at_once(table: MailTable) -> None:
    seat = table.mover
    answer = answered(table, seat, "Timezone europe/berlin\n\nThanks, Ann")
    assert "Your time zone is Europe/Berlin: it is " in answer
    assert "in Berlin (UTC+" in answer.partition("setting of your account")[2]  # the deadline
    assert preferences(table, seat).timezone == "Europe/Berlin"
    assert table.results()[-1] == "noted"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("TIMEZONE Berln", "no time zone 'Berln'. Did you mean 'Europe/Berlin'?"),
        ("TIMEZONE", "Write TIMEZONE Europe/Berlin."),
        ("NEWS WEEKLY", "Write NEWS AT-ONCE, NEWS DIGEST or NEWS NEVER."),
        ("QUIET 22:00", "Write QUIET 22:00 07:00, or QUIET OFF."),
        ("QUIET 22:00 25:00", "'25:00' is not a time of day."),
    ],
)
def test_a_wrong_value_changes_nothing(table: MailTable, text: str, told: str) -> None:
    seat = table.mover
    before = preferences(table, seat)
    answer = answered(table, seat, text)
    assert "Nothing was done." in answer
    assert told in answer
    assert "[preferences/" in answer
    assert preferences(table, seat) == before


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("NEWS EACH", NewsWay.AT_ONCE),
        ("NEWS AT-ONCE", NewsWay.AT_ONCE),
        ("NEWS DAILY", NewsWay.DIGEST),
        ("news digest", NewsWay.DIGEST),
        ("NEWS OFF", NewsWay.NEVER),
    ],
)
def test_news_are_chosen(table: MailTable, text: str, way: NewsWay) -> None:
    seat = table.mover
    answer = answered(table, seat, text)
    assert "it counts for all your games" in answer
    found = preferences(table, seat)
    assert (found.awards, found.dice_of_others) == (way, way)


def test_quiet_hours_begin_and_end(table: MailTable) -> None:
    seat = table.mover
    answer = answered(table, seat, "QUIET 22 - 7:30")
    assert "Nothing is sent to you from 22:00 to 07:30 UTC" in answer
    found = preferences(table, seat)
    assert (found.quiet_from, found.quiet_until) == ("22:00", "07:30")
    assert "You have no quiet hours." in answered(table, seat, "QUIET OFF")
    assert preferences(table, seat).quiet_from == ""


def test_settings_stand_beside_orders(table: MailTable) -> None:
    seat = table.mover
    orders = form_in(table.newest(seat)).removesuffix("END")
    answer = answered(table, seat, f"NEWS DIGEST\n{orders}\nQUIET OFF\nEND\nTIMEZONE Asia/Tokyo")
    assert "Your orders are carried out" in answer
    assert "NEWS DIGEST: You get news" in answer
    assert "QUIET OFF: You have no quiet hours." in answer
    assert "as it is below end" in answer.casefold()
    assert preferences(table, seat).timezone == "UTC"


def test_an_unclear_order_keeps_the_settings_in_the_text_that_is_given_back(
    table: MailTable,
) -> None:
    seat = table.mover
    answer = text_of(table.answer(seat, "NEWS NEVER\nDEPLOY 3 nowhereland\nEND"))
    assert "nothing was done" in answer
    assert "    NEWS NEVER" in answer.splitlines()
    assert preferences(table, seat) == NotificationPreferences()


def test_a_message_that_comes_twice_is_carried_out_once(table: MailTable) -> None:
    seat = table.mover
    raw = reply("NEWS NEVER", table.newest(seat), table.address(seat)).as_bytes()
    table.deliver(raw)
    table.post()
    table.answer(seat, "NEWS DIGEST")
    before = len(table.inbox(seat))
    table.deliver(raw)
    table.post()
    assert len(table.inbox(seat)) == before
    assert preferences(table, seat).awards is NewsWay.DIGEST


def test_a_foreign_sender_changes_nothing_without_the_code(table: MailTable) -> None:
    seat, text = table.mover, "TIMEZONE Asia/Tokyo\nNEWS NEVER"
    table.deliver(reply(text, table.newest(seat), "thief@example.net").as_bytes())
    table.post()
    assert preferences(table, seat) == NotificationPreferences()
    assert not any(mail["To"] == "thief@example.net" for mail in table.outbox.sent)
    table.answer(seat, f"CONFIRM {code_in(table, seat)}")
    found = preferences(table, seat)
    assert (found.timezone, found.awards) == ("Asia/Tokyo", NewsWay.NEVER)


def test_a_game_master_without_a_seat_has_settings_too(tmp_path: Path) -> None:
    settings = replace(DAYS, master=Master.PERSON)
    with mail_table(tmp_path, settings=settings, master="Olga") as table:
        told = " ".join(answer_of_master(table, "TIMEZONE Europe/Paris").split())
    assert "Your time zone is Europe/Paris" in told


def test_help_tells_of_the_settings(table: MailTable) -> None:
    answer = answered(table, table.mover, "HELP")
    assert "TIMEZONE Europe/Berlin: your time" in answer
    assert "NEWS DIGEST: awards and dice of others" in answer
    assert "QUIET 22:00 07:00: no e-mail" in answer
    assert "QUIET OFF ends it" in answered(table, table.mover, "HELP quiet")


def test_who_resigns_is_told_what_comes_then(table: MailTable) -> None:
    seat = table.mover
    table.answer(seat, "RESIGN")
    answer = answered(table, seat, f"CONFIRM {code_in(table, seat)}")
    assert "You have left the game." in answer
    assert "reply NEWS DIGEST" in answer
