"""A game whose players have addresses, an outbox, its mailbox and a clock for the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from email.message import EmailMessage

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from rubicon.mail.writing.game_emails import GameEmails
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.server.accounts import Accounts
from rubicon.server.delivery import Delivery, DeliveryError, sender_address
from rubicon.server.email_links import UnsubscribeLinks
from rubicon.server.emails import EmailIdentity, EmailWriter
from rubicon.server.news import NewsQueue
from rubicon.server.notification_emails import NotificationQueue
from rubicon.server.outbox import Channel, Outbox
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store
from rubicon.table.table_service import TableService
from tests.table.hosted import SOON, Hosted

IDENTITY = EmailIdentity(
    url="https://risk.example.org",
    sender=sender_address("Rubicon <rubicon@risk.example.org>"),
)
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


class Mailbox:
    """A transport that stores messages, or raises `fails` if it is set."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.tried: list[EmailMessage] = []
        self.fails: BaseException | None = None

    async def send(self, message: EmailMessage) -> None:
        """Store a message, or fail."""
        self.tried.append(message)
        await asyncio.sleep(0)
        if self.fails is not None:
            raise self.fails
        self.messages.append(message)

    @property
    def to(self) -> list[str]:
        """The recipients."""
        return [str(message["To"]) for message in self.messages]

    def refuse(self, *, final: bool = False, unknown_address: bool = False) -> None:
        """Refuse every message from now on."""
        self.fails = DeliveryError("no room", final=final, unknown_address=unknown_address)


class Later:
    """The database's time, and what a test adds to it."""

    def __init__(self) -> None:
        self.more = 0

    def __call__(self, connection: Connection) -> int:
        return now(connection) + self.more

    def pass_by(self, milliseconds: int) -> None:
        """Let time pass."""
        self.more += milliseconds


class MailFixture:
    """A database with one game, in which every seat belongs to a person with an address."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.table = TableService(store)
        self.accounts = Accounts(store, ())
        self.unsubscribe = UnsubscribeLinks(self.accounts)
        self.mailbox = Mailbox()
        self.clock = Later()
        self.outbox = self.another(self.table)

    def another(
        self, table: TableService | None = None, writer: EmailWriter | None = None
    ) -> Outbox:
        """An outbox as of another process, with the same mailbox and clock."""
        table = table or TableService(self.store)
        writer = writer or GameEmails(self.store, IDENTITY, self.unsubscribe.path)
        delivery, outbox = Delivery(table, self.mailbox, writer), Outbox(table.store)
        outbox.add(NotificationQueue(delivery, outbox.queues, clock=self.clock))
        outbox.add(NewsQueue(delivery, outbox.queues, clock=self.clock))
        return outbox

    def send_now(self, message: EmailMessage) -> Future[None]:
        """Send an e-mail without a queue, as a server does."""
        queue = self.outbox.queues[Channel.MAIL]
        assert isinstance(queue, NotificationQueue)
        return self.outbox.submit(queue.delivery.send_once(message))

    def begin(
        self,
        game: str = "abcdefghij",
        *,
        preset: str = "classic",
        settings: Settings | None = None,
        title: str = "Friday",
    ) -> Hosted:
        """Start a game with a person on each seat."""
        hosted = Hosted(self.table, game)
        colours = ("red", "blue", "green")

        def people(connection: Connection) -> None:
            for number, colour in enumerate(colours):
                row = {"id": f"{game}-{colour}", "name": colour.title(), "created": 0}
                row |= {"email": f"{colour}@{game}.example", "seen": 0, "settings": "{}"}
                connection.execute(insert(schema.account), row)
                seat = {"game": game, "number": number, "colour": colour}
                seat |= {"account": row["id"], "name": row["name"]}
                connection.execute(insert(schema.seat), seat)
            named = update(schema.game).where(schema.game.c.id == game)
            stored = (settings or Settings()).text()
            connection.execute(named.values(title=title, settings=stored))

        hosted.begin(Ruleset.load(preset, board="skerries"), 3, settings or Settings())
        self.store.write(people).result(SOON)
        return hosted

    def news(self, more: int = 2 * MINUTE) -> list[EmailMessage]:
        """Sweep the news after some time; returns what was sent."""
        self.clock.pass_by(more)
        before = len(self.mailbox.messages)
        while swept(self.outbox, Channel.NEWS):
            pass
        swept(self.outbox, Channel.NEWS)  # what was spread by the last sweep
        return self.mailbox.messages[before:]

    def sweep(self, outbox: Outbox | None = None) -> list[EmailMessage]:
        """Sweep until nothing is left; returns what was sent."""
        before = len(self.mailbox.messages)
        while swept(outbox or self.outbox):
            pass
        return self.mailbox.messages[before:]

    def sweep_later(self, milliseconds: int = 2 * MINUTE) -> list[EmailMessage]:
        """Let time pass first."""
        self.clock.pass_by(milliseconds)
        return self.sweep()

    def update_account(self, account: str, **values: object) -> None:
        """Change the row of an account."""
        change = update(schema.account).where(schema.account.c.id == account).values(**values)
        self.store.write(lambda connection: connection.execute(change).rowcount).result(SOON)

    def damage(self, *which: ColumnElement[bool], **values: object) -> None:
        """Change rows of notifications so that they cannot be read."""
        change = update(schema.notification).where(*which).values(**values)
        count = self.store.write(lambda connection: connection.execute(change).rowcount)
        assert count.result(SOON)

    def sent(self) -> list[int | None]:
        """`sent` of the notifications that can lead to e-mails, in their order."""
        columns = schema.notification.c
        wanted = select(columns.sent).where(columns.kind != "events", columns.seat != "")
        wanted = wanted.order_by(columns.id)
        return list(self.store.read(lambda c: c.execute(wanted).scalars().all()))

    def waiting(self) -> int:
        """The number of pending e-mails."""
        counted = select(func.count()).select_from(schema.notification).where(schema.WAITING)
        return int(self.store.read(lambda c: c.execute(counted).scalar_one()))

    def close(self) -> None:
        """Close the outbox."""
        self.outbox.close()


def swept(outbox: Outbox, channel: Channel = Channel.MAIL) -> bool:
    """Sweep a queue once; whether there may be more."""
    return asyncio.run(outbox.queues[channel].sweep())


@contextmanager
def mail_fixture(store: Store) -> Iterator[MailFixture]:
    """The fixture over a database."""
    made = MailFixture(store)
    try:
        yield made
    finally:
        made.close()
