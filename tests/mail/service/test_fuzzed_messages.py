"""Messages that nobody wrote: no crash, no change of a game, one answer an hour."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.mail import message_work
from rubicon.mail.tokens import find_tokens
from tests.conftest import FULL
from tests.mail.corpus_messages import REGISTERED, TOKEN
from tests.mail.service.mail_table import MailTable, mail_table
from tests.mail.test_hostile_messages import mutated

MESSAGES = 1_000 if FULL else 150


@pytest.fixture
def table(tmp_path: Path) -> Iterator[MailTable]:
    with mail_table(tmp_path) as made:
        yield made


def deliver(table: MailTable, raw: bytes, number: int) -> None:
    table.deliver(raw, f"sender{number % 7}@example.com")
    if number % 50 == 0:
        table.post()


def test_fuzzed_messages_of_strangers_change_nothing(
    table: MailTable, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    head, sent = table.snapshot.head, len(table.outbox.sent)
    for number in range(MESSAGES):
        deliver(table, mutated(number), number)
    table.post()
    assert caplog.records == []
    assert (table.snapshot.head, table.waiting()) == (head, 0)
    answered = Counter(str(mail["To"]) for mail in table.outbox.sent[sent:])
    assert not answered or max(answered.values()) == 1
    assert set(table.results()) <= {"auto-reply", "bounce", "list", "own", "returned", "too-large",
                                    "unknown", "unreadable"}  # fmt: skip


def test_fuzzed_messages_with_a_token_of_the_game_do_what_they_say_or_nothing(
    table: MailTable, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("MOST_OF_SEAT", "MOST_QUESTIONS"):  # else they wait
        monkeypatch.setattr(message_work, limit, MESSAGES)
    caplog.set_level(logging.ERROR)
    seat, head = table.mover, table.snapshot.head
    found = find_tokens([str(table.newest(seat)["Reply-To"])], (), "", limit=1)
    token, address = found[0].token.encode(), table.address(seat).encode()
    for number in range(MESSAGES // 3):
        raw = mutated(number).replace(TOKEN.encode(), token).replace(TOKEN.upper().encode(), token)
        deliver(table, raw.replace(REGISTERED.encode(), address), number)
    table.post()
    assert caplog.records == []
    assert table.waiting() == 0
    results = Counter(table.results())
    # A report that an e-mail of the game did not arrive gives its player more time, once.
    changed = results["done"] + results["noted"] + results["confirmed"] + results["bounce"]
    assert table.snapshot.head == head or changed
    assert results.total() - results["unknown"] - results["returned"] > MESSAGES // 10
