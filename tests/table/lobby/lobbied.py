"""A lobby for the tests, with accounts that open and join tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, insert, select, update

from rubicon.engine.warmup import warm
from rubicon.table.errors import TableError
from rubicon.table.lobby.lifecycle import OpenedTable
from rubicon.table.lobby.seats import SeatRow, seats_of
from rubicon.table.lobby.table_request import TableRequest
from rubicon.table.lobby_service import Lobby
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store
from rubicon.table.table_service import TableService
from tests.table.hosted import SOON, Hosted

Result = TypeVar("Result")
PEOPLE = ("ann", "bob", "cid", "dot")
BOTS = {name: name for name in ("greedy", "medium", "random")} | {"strongest": "medium"}


@contextmanager
def lobbied(folder: Path) -> Iterator[Lobbied]:
    """A lobby with its own database, and four accounts that were just seen."""
    warm()  # so that no timeout of a test includes the compiler
    store = Store.open(f"sqlite:///{folder}/table.db")
    schema.metadata.create_all(store.engine)
    lobby = Lobbied(Lobby(TableService(store), BOTS))
    lobby.write(add_people)
    try:
        yield lobby
    finally:
        store.close()


def add_people(connection: Connection) -> None:
    """The accounts of PEOPLE, who were just seen."""
    at = now(connection)
    for person in PEOPLE:
        row = {"id": person, "name": person.title(), "created": at, "seen": at, "settings": "{}"}
        connection.execute(insert(schema.account), row)


class Lobbied:
    """A lobby with short forms of its commands."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.table = lobby.table

    def open(self, account: str = "ann", **wish: Any) -> OpenedTable:
        """Open a table on a small board."""
        wished = TableRequest(**({"board": "skerries"} | wish))
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

    def seats(self, game: str) -> list[SeatRow]:
        """The seats as they are stored."""
        return self.read(lambda connection: seats_of(connection, game))

    def names(self, game: str) -> list[str]:
        """The names of the players, in the order of play."""
        return [seat.name for seat in self.seats(game)]

    def row(self, game: str) -> Any:
        """The game's row."""
        return self.read(
            lambda c: c.execute(select(schema.game).where(schema.game.c.id == game)).one()
        )

    def set(self, game: str, **values: object) -> None:
        """Change the game's row directly."""
        change = update(schema.game).where(schema.game.c.id == game).values(**values)
        self.write(lambda connection: connection.execute(change).rowcount)

    def last_seen(self, account: str, at: int) -> None:
        """Set the time at which an account was last seen."""
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
    """Expect a TableError with this code and a message."""
    with pytest.raises(TableError) as caught:
        yield
    assert caught.value.code == code
    assert caught.value.message
