"""What other workers commit is heard, also what was committed while the database was away."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

import pytest
from sqlalchemy import Connection, insert, text

from rubicon.table.chat import ChatLine, ChatService
from rubicon.table.lobby.table_request import TableRequest
from rubicon.table.lobby_service import Lobby
from rubicon.table.storage import notifications, schema
from rubicon.table.storage.database import Store, migrate
from rubicon.table.storage.notifications import Change, ChangeKind, Listener
from rubicon.table.table_service import TableService
from tests.table.conftest import Postgres
from tests.table.hosted import GAME, SOON
from tests.table.storage.test_database import begin
from tests.waiting import until


class Heard:
    """The received changes, with a wait for the next one."""

    def __init__(self) -> None:
        self.told: list[Change] = []
        self._changed = threading.Condition()

    def __call__(self, change: Change) -> None:
        with self._changed:
            self.told.append(change)
            self._changed.notify_all()
        if change.game == "bad":
            raise KeyError(change.game)

    def wait_for(self, game: str, index: int) -> None:
        """Wait until the change is received."""
        with self._changed:
            assert self._changed.wait_for(lambda: (game, index) in self.pages(), SOON), self.told

    def pages(self) -> list[tuple[str, int]]:
        """Games and entries."""
        return [(told.game, told.number) for told in self.told if told.what is ChangeKind.GAME]


def tell(store: Store, game: str, index: int) -> None:
    """Announce a change of a game."""
    change = Change(ChangeKind.GAME, game, index)
    store.write(lambda connection: notifications.announce(connection, change)).result(SOON)


def account(connection: Connection, name: str) -> None:
    """Insert an account."""
    row = {"id": name, "name": name, "created": 0, "seen": 0, "settings": "{}"}
    connection.execute(insert(schema.account), row)


@pytest.fixture
def stores(new_url: Callable[[str], str]) -> Iterator[tuple[Store, Store]]:
    """Two workers on one PostgreSQL."""
    url = new_url("postgresql")
    one, other = Store.open(url), Store.open(url)
    migrate(one)
    yield one, other
    one.close()
    other.close()


@pytest.fixture
def heard(stores: tuple[Store, Store]) -> Iterator[Heard]:
    """What the other worker hears."""
    told = Heard()
    listener = Listener(stores[1], told)
    assert listener.listening.wait(SOON)
    yield told
    listener.close()


def test_changes_of_other_servers_are_received(stores: tuple[Store, Store], heard: Heard) -> None:
    game = begin(TableService(stores[0]))
    for _ in range(5):
        game.play(1)
        heard.wait_for(GAME, game.snapshot.head)
    entries = [index for _, index in heard.pages()]
    assert entries == sorted(entries)
    pages = [told for told in heard.told if told.what is ChangeKind.GAME]
    for earlier, later in pairwise(pages):
        assert later.since == earlier.number  # so a receiver can see a gap


def test_own_changes_are_not_reported(stores: tuple[Store, Store], heard: Heard) -> None:
    game = begin(TableService(stores[1]))
    game.play(2)
    tell(stores[0], "last", 1)
    heard.wait_for("last", 1)
    assert heard.pages() == [("last", 1)]


def test_what_is_said_and_who_comes_is_heard(stores: tuple[Store, Store], heard: Heard) -> None:
    table = TableService(stores[0])
    lobby, service = Lobby(table, {"greedy": "greedy", "medium": "medium"}), ChatService(table)
    for name in ("ann", "bob"):
        stores[0].write(partial(account, name=name)).result(SOON)
    game = lobby.open_table("ann", "Ann", TableRequest(seats=3)).result(SOON).game
    colour = lobby.join(game, "bob", "Bob").result(SOON)
    line = service.say(game, colour, "Hello").result(SOON)
    tell(stores[0], "last", 1)
    heard.wait_for("last", 1)
    kinds = [(told.what, told.game, told.number) for told in heard.told[:-1]]
    assert kinds == [
        (ChangeKind.TABLE, game, -1),
        (ChangeKind.TABLE, game, -1),
        (ChangeKind.CHAT, game, line.id),
    ]
    said: list[ChatLine] = []
    listening_service = ChatService(TableService(stores[1]))
    listening_service.watch(lambda told, _: said.append(told))
    listening_service.publish(line.id)
    assert said == [line]


def test_payloads_of_other_programs_are_ignored(stores: tuple[Store, Store], heard: Heard) -> None:
    def shout(connection: Connection) -> None:
        for words in ("", "hello", "a b c d e", "x page game one 2"):
            connection.execute(text("SELECT pg_notify('rubicon', :words)"), {"words": words})

    stores[0].write(shout).result(SOON)
    tell(stores[0], "last", 1)
    heard.wait_for("last", 1)
    assert len(heard.told) == 1


def test_what_is_rolled_back_is_not_heard(stores: tuple[Store, Store], heard: Heard) -> None:
    def fail(connection: object) -> None:
        notifications.announce(connection, Change(ChangeKind.GAME, "undone", 1))  # type: ignore[arg-type]
        raise KeyError("undone")

    assert stores[0].write(fail).exception(SOON)
    tell(stores[0], "bad", 2)
    tell(stores[0], "kept", 3)
    heard.wait_for("kept", 3)  # although telling of the one before failed
    assert heard.pages() == [("bad", 2), ("kept", 3)]


def test_missed_changes_are_reported_after_reconnecting(
    stores: tuple[Store, Store], postgres: Postgres
) -> None:
    game, told = begin(TableService(stores[0])), Heard()
    listener = Listener(stores[1], told)
    assert listener.listening.wait(SOON)
    until(lambda: listener._healthy_at is not None)
    before = listener.disconnected_seconds  # until it began to listen
    assert before == listener.disconnected_seconds
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notifications, "_LISTEN", "LISTEN to nobody")  # so that reconnecting fails
        postgres.drop_connections(stores[0].url)
        until(lambda: not listener.listening.is_set())
        game.play(3)
        assert (GAME, game.snapshot.head) not in told.pages()
        deaf = listener.disconnected_seconds
        assert before < deaf < listener.disconnected_seconds  # grows until LISTEN works again
    told.wait_for(GAME, game.snapshot.head)
    assert deaf < listener.disconnected_seconds == listener.disconnected_seconds < SOON
    game.play(1)
    told.wait_for(GAME, game.snapshot.head)
    listener.close()


def test_on_sqlite_there_is_nothing_to_hear(new_url: Callable[[str], str]) -> None:
    store = Store.open(new_url("sqlite"))
    migrate(store)
    told = Heard()
    listener = Listener(store, told)
    begin(TableService(store)).play(2)
    listener.close()
    assert told.told == []
    assert listener.disconnected_seconds == 0
    store.close()
