"""A lobby for the tests: people with accounts, tables that they open and join."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, insert, select, update

from rubicon.rules.warmup import warm
from rubicon.table import schema
from rubicon.table.errors import TableError
from rubicon.table.lobby import Lobby
from rubicon.table.lobby_life import Opened
from rubicon.table.lobby_seats import Sitting, seats_of
from rubicon.table.lobby_wish import Wish
from rubicon.table.store import Store, now
from rubicon.table.table import Table
from tests.table.hosted import SOON, Hosted

Result = TypeVar("Result")
PEOPLE = ("ann", "bob", "cid", "dot")
BOTS = ("greedy", "random")


@contextmanager
def lobbied(folder: Path) -> Iterator[Lobbied]:
    """A lobby over a store of its own, with four people who have just been seen."""
    warm(lambda *_: None)  # whoever waits for a table does not wait for the compiler
    store = Store.open(f"sqlite:///{folder}/table.db")
    schema.metadata.create_all(store.engine)
    lobby = Lobbied(Lobby(Table(store), BOTS))
    lobby.write(_people)
    try:
        yield lobby
    finally:
        store.close()


def _people(connection: Connection) -> None:
    at = now(connection)
    for person in PEOPLE:
        row = {"id": person, "name": person.title(), "created": at, "seen": at, "settings": "{}"}
        connection.execute(insert(schema.account), row)


class Lobbied:
    """A lobby, and short words for what is done in it."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.table = lobby.table

    def open(self, account: str = "ann", **wish: Any) -> Opened:
        """Open a table on a small board."""
        wished = Wish(**({"board": "skerries"} | wish))
        return self.lobby.open_table(account, account.title(), wished).result(SOON)

    def full(self, **wish: Any) -> str:
        """A table at which Ann, Bob and Cid sit, in this order."""
        opened = self.open(**wish)
        for person in ("bob", "cid"):
            self.join(opened.game, person, invite=opened.invite)
        return opened.game

    def running(self, **wish: Any) -> Hosted:
        """The game of a full table, begun."""
        game = self.full(**wish)
        self.lobby.start(game, "ann").result(SOON)
        return Hosted(self.table, game)

    def join(
        self, game: str, account: str, colour: str | None = None, invite: str | None = None
    ) -> str:
        """Join under the account's name."""
        return self.lobby.join(game, account, account.title(), colour, invite).result(SOON)

    def seats(self, game: str) -> list[Sitting]:
        """The seats as they are stored."""
        return self.read(lambda connection: seats_of(connection, game))

    def names(self, game: str) -> list[str]:
        """Who sits there, in the order of play."""
        return [seat.name for seat in self.seats(game)]

    def row(self, game: str) -> Any:
        """The game's row."""
        return self.read(
            lambda c: c.execute(select(schema.game).where(schema.game.c.id == game)).one()
        )

    def set(self, game: str, **values: object) -> None:
        """Change the game's row behind the table's back."""
        change = update(schema.game).where(schema.game.c.id == game).values(**values)
        self.write(lambda connection: connection.execute(change).rowcount)

    def last_seen(self, account: str, at: int) -> None:
        """Let a person have been seen last at a moment."""
        change = update(schema.account).where(schema.account.c.id == account).values(seen=at)
        self.write(lambda connection: connection.execute(change).rowcount)

    def read(self, job: Callable[[Connection], Result]) -> Result:
        """Read from the store."""
        return self.table.store.read(job)

    def write(self, job: Callable[[Connection], Result]) -> Result:
        """Write to the store."""
        return self.table.store.write(job).result(SOON)


@contextmanager
def refused(code: str) -> Iterator[None]:
    """What is done here is refused with this code, and a sentence."""
    with pytest.raises(TableError) as caught:
        yield
    assert caught.value.code == code
    assert caught.value.message
