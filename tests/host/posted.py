"""A house for the tests that sends letters: a game, people with addresses, a mailbox, a clock."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage

from sqlalchemy import Connection, func, insert, select, update

from rubicon.host.accounts import Accounts
from rubicon.host.addresses import sender_address
from rubicon.host.letters import Letterhead
from rubicon.host.postman import Postman
from rubicon.host.sender import NotSent
from rubicon.host.stopping import Stopping
from rubicon.rules.ruleset import Ruleset
from rubicon.table import schema
from rubicon.table.settings import Settings
from rubicon.table.store import Store, now
from rubicon.table.table import Table
from tests.table.hosted import SOON, Hosted

HEAD = Letterhead("https://risk.example.org", sender_address("Rubicon <rubicon@risk.example.org>"))
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


class Mailbox:
    """Takes letters; `fails` is what it says instead."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.tried: list[EmailMessage] = []
        self.fails: BaseException | None = None

    async def send(self, letter: EmailMessage) -> None:
        """Keep it, or fail."""
        self.tried.append(letter)
        await asyncio.sleep(0)
        if self.fails is not None:
            raise self.fails
        self.letters.append(letter)

    @property
    def to(self) -> list[str]:
        """Whom letters went to."""
        return [str(letter["To"]) for letter in self.letters]

    def refuse(self, *, final: bool = False) -> None:
        """Take nothing from here on."""
        self.fails = NotSent("no room", final=final)


class Later:
    """The database's time and whatever a test adds to it."""

    def __init__(self) -> None:
        self.more = 0

    def __call__(self, connection: Connection) -> int:
        return now(connection) + self.more

    def pass_by(self, milliseconds: int) -> None:
        """Let time pass."""
        self.more += milliseconds


class House:
    """A store with one game, at which every seat is a person's with an address."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.table = Table(store)
        self.accounts = Accounts(store, ())
        self.stopping = Stopping(self.accounts)
        self.mailbox = Mailbox()
        self.clock = Later()
        self.postman = self.another(self.table)

    def another(self, table: Table | None = None) -> Postman:
        """A postman, as of another process, with the same mailbox and clock."""
        table = table or Table(self.store)
        return Postman(table, self.mailbox, HEAD, self.stopping.path, clock=self.clock)

    def begin(
        self,
        game: str = "abcdefghij",
        *,
        preset: str = "classic",
        settings: Settings | None = None,
        title: str = "Friday",
    ) -> Hosted:
        """Begin a game with somebody on each seat."""
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
            kept = (settings or Settings()).text()
            connection.execute(named.values(title=title, settings=kept))

        hosted.begin(Ruleset.load(preset, board="skerries"), 3, settings or Settings())
        self.store.write(people).result(SOON)
        return hosted

    def sweep(self, postman: Postman | None = None) -> list[EmailMessage]:
        """Let the postman go round until nothing is left; what was sent."""
        before = len(self.mailbox.letters)
        while asyncio.run((postman or self.postman).sweep()):
            pass
        return self.mailbox.letters[before:]

    def sweep_later(self, milliseconds: int = 2 * MINUTE) -> list[EmailMessage]:
        """Let time pass first."""
        self.clock.pass_by(milliseconds)
        return self.sweep()

    def wish(self, account: str, **values: object) -> None:
        """Change an account's row."""
        change = update(schema.account).where(schema.account.c.id == account).values(**values)
        self.store.write(lambda connection: connection.execute(change).rowcount).result(SOON)

    def sent(self) -> list[int | None]:
        """What is noted about notices that may lead to letters, in their order."""
        notice = schema.notice.c
        wanted = select(notice.sent).where(notice.kind != "facts", notice.seat != "")
        wanted = wanted.order_by(notice.id)
        return list(self.store.read(lambda c: c.execute(wanted).scalars().all()))

    def waiting(self) -> int:
        """How many notices wait."""
        counted = select(func.count()).select_from(schema.notice).where(schema.WAITING)
        return int(self.store.read(lambda c: c.execute(counted).scalar_one()))

    def close(self) -> None:
        """Let the postman go."""
        self.postman.close()


@contextmanager
def house(store: Store) -> Iterator[House]:
    """A house over a store."""
    made = House(store)
    try:
        yield made
    finally:
        made.close()
