"""One way to claim, retry, give up and count, whatever waits and wherever it goes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from rubicon.mail.answer_outbox import AnswerQueue
from rubicon.server.news import NewsQueue
from rubicon.server.notification_emails import NotificationQueue
from rubicon.server.outbox import (
    NOTIFICATION_ROWS,
    SCHEDULES,
    Channel,
    Drop,
    Outbox,
    Outcome,
    Plan,
    Queue,
    Result,
    Rows,
    Send,
    Sender,
    Wait,
    WaitingRows,
)
from rubicon.server.push import PushQueue
from rubicon.server.unreadable import Unreadable, read_message
from rubicon.server.webhooks import WebhookQueue
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from tests.server.mail.mailing import DAY, HOUR, MINUTE, Later, swept
from tests.table.hosted import SOON

SOURCE = Path(__file__).parents[2] / "src" / "rubicon"
ROWS = WaitingRows(schema.push_message)
KINDS: list[type[Queue[Any, Any]]] = [
    NotificationQueue,
    NewsQueue,
    PushQueue,
    WebhookQueue,
    AnswerQueue,
]


@dataclass(frozen=True)
class Letter:
    """A row of the table of push messages, which stands for any."""

    rows: Rows
    at: int


class Letters(Queue[Letter, str]):
    """A queue whose plans and outcomes a test gives, by the ids of the messages."""

    channel = Channel.PUSH
    subject = "letter"
    failed = "letter not delivered"
    rows = ROWS
    batch = 20
    most_read = 20

    def __init__(self, store: Store, clock: Later) -> None:
        super().__init__(store, clock)
        self.plans: dict[int, Plan[str] | Exception] = {}
        self.outcomes: dict[int, Outcome | Exception] = {}
        self.unreadable: set[int] = set()
        self.tried: list[int] = []
        self.stored: list[int] = []
        self.forgotten: list[int] = []
        self.forget_fails: Exception | None = None
        self.begun = store.read(clock)
        self.on_send: Callable[[], None] = lambda: None

    def due(self, connection: Connection, at: int) -> Sequence[Letter | Unreadable]:
        """One message for each row."""
        wanted = select(ROWS.table.c.id).where(ROWS.due_between(0, at)).order_by(ROWS.table.c.id)
        numbers = connection.execute(wanted.limit(self.most_read)).scalars()
        return [
            read_message((number,), self.begun, {"letter": number}, partial(self.read, number))
            for number in numbers
        ]

    def read(self, number: int) -> Letter:
        if number in self.unreadable:
            raise KeyError(number)
        return Letter((number,), self.begun)

    def is_needed(self, message: Letter) -> bool:
        return True

    def plan(self, message: Letter, at: int) -> Plan[str]:
        plan = self.plans.get(message.rows[0], Send("hello"))
        if isinstance(plan, Exception):
            raise plan
        return plan

    def taken(
        self, connection: Connection, messages: Sequence[tuple[Letter, Plan[str]]], at: int
    ) -> None:
        self.stored += [message.rows[0] for message, _ in messages]

    def sender(self) -> AbstractAsyncContextManager[Sender[Letter, str]]:
        async def send(message: Letter, parcel: str) -> Outcome:
            self.on_send()
            self.tried.append(message.rows[0])
            await asyncio.sleep(0)
            outcome = self.outcomes.get(message.rows[0], Outcome(delivered=True))
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        return nullcontext(send)

    def forget(self, connection: Connection, message: Letter) -> None:
        self.forgotten += message.rows
        if error := self.forget_fails:
            raise error
        ROWS.claim(connection, {message.rows: None}, self.clock(connection) + DAY)

    def log_fields(self, message: Letter) -> Mapping[str, object]:
        return {"letter": message.rows[0]}


class Post:
    """A database with letters in it, a clock, and one server."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = Later()
        self.queue = Letters(store, self.clock)
        self.outbox = Outbox(store)
        self.outbox.add(self.queue)

    def write(self, count: int) -> list[int]:
        """Let letters wait; their numbers."""
        rows = [{"notification": 0, "subscription": 0, "due": 0} for _ in range(count)]
        job = partial(Connection.execute, statement=insert(ROWS.table), parameters=rows)
        self.store.write(lambda connection: job(connection).rowcount).result(SOON)
        return [number for number, _ in self.waiting()]

    def waiting(self) -> list[tuple[int, int]]:
        """The rows: each with the time until which it waits."""
        wanted = select(ROWS.table.c.id, ROWS.table.c.due).order_by(ROWS.table.c.id)
        return [(row.id, row.due) for row in self.store.read(lambda c: c.execute(wanted).all())]

    def claim(self, wanted: Mapping[Rows, int | None], at: int) -> set[Rows]:
        """Claim as a server does."""
        return self.store.write(partial(ROWS.claim, wanted=wanted, at=at)).result(SOON)

    @property
    def now(self) -> int:
        """The time of the database."""
        return self.store.read(self.clock)

    def sweep(self) -> None:
        """Send all that is due."""
        while swept(self.outbox, Channel.PUSH):
            pass


@pytest.fixture
def post(store: Store) -> Iterator[Post]:
    """On both databases."""
    made = Post(store)
    yield made
    made.outbox.close()


def test_what_is_claimed_is_claimed_once_and_free_again_later(post: Post) -> None:
    first, second = post.write(2)
    assert post.claim({(first,): 500, (second,): 500}, 100) == {(first,), (second,)}
    assert post.claim({(first,): 900, (second,): 900}, 100) == set()
    assert post.claim({(first,): 900, (second,): 900}, 499) == set()
    assert post.claim({(first,): 900}, 500) == {(first,)}


def test_a_message_of_several_rows_is_claimed_as_a_whole_or_not_at_all(post: Post) -> None:
    first, second, third = post.write(3)
    assert post.claim({(second,): 500}, 100) == {(second,)}
    assert post.claim({(first, second): 700, (third,): None}, 100) == {(third,)}
    assert post.waiting() == [(first, 0), (second, 500)]


def test_a_result_counts_only_while_the_claim_is_ones_own(post: Post) -> None:
    (number,) = post.write(1)
    post.claim({(number,): 500}, 100)
    post.claim({(number,): 900}, 600)  # another server, when the claim had passed

    def settle(connection: Connection, claimed: int) -> None:
        ROWS.settle(connection, (number,), claimed, None)

    post.store.write(partial(settle, claimed=500)).result(SOON)
    assert post.waiting() == [(number, 900)]
    post.store.write(partial(settle, claimed=900)).result(SOON)
    assert post.waiting() == []


def test_notifications_are_claimed_below_zero_and_kept_when_they_are_sent(post: Post) -> None:
    row: dict[str, object] = {
        "game": "g",
        "log_index": 0,
        "seat": "red",
        "kind": "over",
        "body": "{}",
        "at": 1,
    }
    game: dict[str, object] = {"id": "g", "state": "over", "title": "", "access": "open"}
    game["ruleset"] = "{}"
    game |= {"settings": "{}", "head": 0, "created": 0, "changed": 0}
    sent = schema.notification.c.sent

    def fill(connection: Connection) -> int:
        connection.execute(insert(schema.game), game)
        made = connection.execute(insert(schema.notification), row | {"sent": 0})
        assert made.inserted_primary_key is not None
        return int(made.inserted_primary_key[0])

    rows = (post.store.write(fill).result(SOON),)

    def value() -> int | None:
        found: int | None = post.store.read(lambda c: c.execute(select(sent)).scalar_one())
        return found

    def act(job: Callable[[Connection], object]) -> object:
        return post.store.write(job).result(SOON)

    assert act(partial(NOTIFICATION_ROWS.claim, wanted={rows: 500}, at=100)) == {rows}
    assert value() == -500
    assert act(partial(NOTIFICATION_ROWS.claim, wanted={rows: 900}, at=499)) == set()
    assert post.store.read(NOTIFICATION_ROWS.count) == 1
    act(partial(NOTIFICATION_ROWS.settle, rows=rows, claimed=500, until=None, sent=300))
    assert value() == 300
    assert act(partial(NOTIFICATION_ROWS.claim, wanted={rows: 900}, at=1000)) == set()
    assert post.store.read(NOTIFICATION_ROWS.count) == 0


def test_messages_are_claimed_before_they_are_sent(post: Post) -> None:
    numbers, due = post.write(3), []
    post.queue.on_send = lambda: due.append([until for _, until in post.waiting()])
    post.sweep()
    assert post.queue.tried == numbers
    assert min(due[0]) > post.queue.begun
    assert post.waiting() == []
    assert post.queue.counts[Result.SENT] == 3


def test_failures_are_tried_again_after_growing_delays_and_given_up(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    (number,) = post.write(1)
    post.queue.outcomes[number] = Outcome(reason="no room")
    delays = []
    while post.waiting():
        post.sweep()
        delays += [until - post.now for _, until in post.waiting()]
        post.clock.pass_by(delays[-1] if post.waiting() else 0)
    minutes = [round(delay / MINUTE) for delay in delays]
    assert minutes[:4] == [1, 1, 2, 4]
    assert sum(delays) >= DAY
    assert post.queue.counts[Result.RETRIED] == len(delays)
    assert post.queue.counts[Result.GIVEN_UP] == 1
    assert [record.message for record in caplog.records][-1] == "letter given up"


@pytest.mark.parametrize(
    ("outcome", "result"),
    [
        (Outcome(delivered=True), Result.SENT),
        (Outcome(final=True, reason="no such user"), Result.REFUSED),
        (Outcome(gone=True, reason="410"), Result.GONE),
    ],
)
def test_what_an_attempt_ends(post: Post, outcome: Outcome, result: Result) -> None:
    (number,) = post.write(1)
    post.queue.outcomes[number] = outcome
    post.sweep()
    assert post.waiting() == []
    assert +post.queue.counts == {result: 1}
    assert post.queue.forgotten == ([number] if outcome.gone else [])


def test_a_message_that_cannot_be_written_keeps_no_other_one_back(post: Post) -> None:
    broken, dropped, late, good = post.write(4)
    post.queue.plans = {
        broken: ValueError("a damaged game"),
        dropped: Drop(),
        late: Wait(post.now + HOUR),
    }
    post.sweep()
    assert post.queue.tried == [good]
    assert post.queue.stored == [broken, dropped, late, good]
    assert [number for number, _ in post.waiting()] == [broken, late]
    post.clock.pass_by(2 * DAY)
    post.sweep()
    assert post.queue.counts[Result.GIVEN_UP] == 1  # the broken one, instead of trying for ever
    assert [number for number, _ in post.waiting()] == [late]


def test_a_message_that_cannot_be_read_keeps_no_other_one_back(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    broken, *good = post.write(3)
    post.queue.unreadable = {broken}
    post.sweep()
    assert post.queue.tried == post.queue.stored == good
    assert [number for number, _ in post.waiting()] == [broken]
    post.clock.pass_by(2 * DAY)
    post.sweep()
    assert post.waiting() == []
    assert post.queue.counts[Result.GIVEN_UP] == 1
    shown = [(record.message, record.__dict__["letter"]) for record in caplog.records]
    event = ("letter could not be written", broken)
    assert shown == [event, event, ("letter given up", broken)]


def test_a_message_that_cannot_be_sent_keeps_no_other_one_back(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    broken, *good = numbers = post.write(9)
    post.queue.outcomes[broken] = UnicodeError("label too long")
    post.sweep()
    assert sorted(post.queue.tried) == numbers
    assert +post.queue.counts == {Result.RETRIED: 1, Result.SENT: len(good)}
    assert [number for number, _ in post.waiting()] == [broken]
    assert [record.message for record in caplog.records] == [
        "letter could not be sent",
        "letter not delivered",
    ]
    post.clock.pass_by(DAY)
    post.sweep()
    assert post.waiting() == []
    assert post.queue.counts[Result.GIVEN_UP] == 1


def test_a_result_that_cannot_be_stored_keeps_no_other_one_back(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    gone, *good = post.write(9)
    post.queue.outcomes[gone] = Outcome(gone=True)
    post.queue.forget_fails = ValueError("a fault of ours")
    post.sweep()
    assert +post.queue.counts == {Result.SENT: len(good)}
    assert [number for number, _ in post.waiting()] == [gone]
    assert [record.message for record in caplog.records] == ["letter result not stored"]


def test_one_sweep_sends_a_batch(post: Post) -> None:
    numbers = post.write(45)
    assert swept(post.outbox, Channel.PUSH)
    assert len(post.queue.tried) == Letters.batch
    post.sweep()
    assert post.queue.tried == numbers


def test_the_metrics_have_what_waits(post: Post) -> None:
    post.write(2)
    assert post.store.read(post.outbox.waiting) == {Channel.PUSH: 2}
    assert post.outbox.counts[Channel.PUSH] is post.queue.counts


def test_after_a_restart_alone_claims_of_the_dead_are_free(post: Post) -> None:
    (number,) = post.write(1)
    now = post.now
    post.claim({(number,): now + SCHEDULES[Channel.PUSH].claim}, now)
    post.outbox.release()
    if post.store.shared:  # another server may be alive
        assert post.waiting()[0][1] > now
    else:
        assert post.waiting() == [(number, 0)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_of_e_mails_is_over_long_before_its_claim(kind: type[Queue[Any, Any]]) -> None:
    schedule = SCHEDULES[kind.channel]
    assert schedule.shortest <= schedule.longest <= schedule.give_up
    if issubclass(kind, NotificationQueue | NewsQueue | AnswerQueue):
        assert kind.batch / 4 * 30_000 < schedule.claim


def test_each_channel_has_one_schedule_and_one_queue() -> None:
    assert set(SCHEDULES) == set(Channel)
    assert {kind.channel for kind in KINDS} == set(Channel) - {Channel.INBOX}


def test_there_is_one_claiming_statement() -> None:
    found = [
        file.relative_to(SOURCE).as_posix()
        for file in SOURCE.rglob("*.py")
        for _ in re.findall(r"skip_locked=True", file.read_text("utf-8"))
    ]
    assert found == ["server/outbox.py"]
