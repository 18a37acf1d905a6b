"""What other workers commit is heard, also what was committed while the database was away."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

import pytest
from sqlalchemy import Connection, insert, text

from rubicon.table import listening, schema
from rubicon.table.chat import Said, Talk
from rubicon.table.listening import Change, Listener, What
from rubicon.table.lobby import Lobby
from rubicon.table.lobby_wish import Wish
from rubicon.table.migrating import migrate
from rubicon.table.store import Store
from rubicon.table.table import Table
from tests.table.conftest import Postgres
from tests.table.hosted import GAME, SOON
from tests.table.test_store import begin
from tests.waiting import until


class Heard:
    """What was told, to be waited for."""

    def __init__(self) -> None:
        self.told: list[Change] = []
        self._changed = threading.Condition()

    def __call__(self, change: Change) -> None:
        with self._changed:
            self.told.append(change)
            self._changed.notify_all()
        if change.game == "bad":
            raise KeyError(change.game)

    def wait_for(self, game: str, entry: int) -> None:
        """Until it is told."""
        with self._changed:
            assert self._changed.wait_for(lambda: (game, entry) in self.pages(), SOON), self.told

    def pages(self) -> list[tuple[str, int]]:
        """Games and entries."""
        return [(told.game, told.number) for told in self.told if told.what is What.PAGE]


def tell(store: Store, game: str, entry: int) -> None:
    """Announce a page."""
    change = Change(What.PAGE, game, entry)
    store.write(lambda connection: listening.announce(connection, change)).result(SOON)


def account(connection: Connection, name: str) -> None:
    """Somebody."""
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


def test_every_page_of_another_worker_is_heard(stores: tuple[Store, Store], heard: Heard) -> None:
    game = begin(Table(stores[0]))
    for _ in range(5):
        game.play(1)
        heard.wait_for(GAME, game.snapshot.head)
    entries = [entry for _, entry in heard.pages()]
    assert entries == sorted(entries)
    pages = [told for told in heard.told if told.what is What.PAGE]
    for earlier, later in pairwise(pages):
        assert later.since == earlier.number  # whoever misses one sees that it does


def test_what_is_written_through_the_own_store_is_not_told(
    stores: tuple[Store, Store], heard: Heard
) -> None:
    game = begin(Table(stores[1]))
    game.play(2)
    tell(stores[0], "last", 1)
    heard.wait_for("last", 1)
    assert heard.pages() == [("last", 1)]


def test_what_is_said_and_who_comes_is_heard(stores: tuple[Store, Store], heard: Heard) -> None:
    table = Table(stores[0])
    lobby, talk = Lobby(table, ("greedy",)), Talk(table)
    for name in ("ann", "bob"):
        stores[0].write(partial(account, name=name)).result(SOON)
    game = lobby.open_table("ann", "Ann", Wish(seats=3)).result(SOON).game
    colour = lobby.join(game, "bob", "Bob").result(SOON)
    line = talk.say(game, colour, "Hello").result(SOON)
    tell(stores[0], "last", 1)
    heard.wait_for("last", 1)
    kinds = [(told.what, told.game, told.number) for told in heard.told[:-1]]
    assert kinds == [(What.TABLE, game, -1), (What.TABLE, game, -1), (What.CHAT, game, line.id)]
    said: list[Said] = []
    listening_talk = Talk(Table(stores[1]))
    listening_talk.watch(said.append)
    listening_talk.hear(line.id)
    assert said == [line]


def test_what_others_say_on_the_channel_is_passed_over(
    stores: tuple[Store, Store], heard: Heard
) -> None:
    def shout(connection: Connection) -> None:
        for words in ("", "hello", "a b c d e", "x page game one 2"):
            connection.execute(text("SELECT pg_notify('rubicon', :words)"), {"words": words})

    stores[0].write(shout).result(SOON)
    tell(stores[0], "last", 1)
    heard.wait_for("last", 1)
    assert len(heard.told) == 1


def test_what_is_rolled_back_is_not_heard(stores: tuple[Store, Store], heard: Heard) -> None:
    def fail(connection: object) -> None:
        listening.announce(connection, Change(What.PAGE, "undone", 1))  # type: ignore[arg-type]
        raise KeyError("undone")

    assert stores[0].write(fail).exception(SOON)
    tell(stores[0], "bad", 2)
    tell(stores[0], "kept", 3)
    heard.wait_for("kept", 3)  # although telling of the one before failed
    assert heard.pages() == [("bad", 2), ("kept", 3)]


def test_what_was_missed_is_told_when_the_database_is_back(
    stores: tuple[Store, Store], postgres: Postgres
) -> None:
    game, told = begin(Table(stores[0])), Heard()
    listener = Listener(stores[1], told)
    assert listener.listening.wait(SOON)
    until(lambda: listener._healthy_at is not None)
    before = listener.deaf_seconds  # until it began to listen
    assert before == listener.deaf_seconds
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listening, "_LISTEN", "LISTEN to nobody")  # it cannot come back yet
        postgres.drop_connections(stores[0].url)
        until(lambda: not listener.listening.is_set())
        game.play(3)
        assert (GAME, game.snapshot.head) not in told.pages()
        deaf = listener.deaf_seconds
        assert before < deaf < listener.deaf_seconds  # it grows until somebody is heard
    told.wait_for(GAME, game.snapshot.head)
    assert deaf < listener.deaf_seconds == listener.deaf_seconds < SOON
    game.play(1)
    told.wait_for(GAME, game.snapshot.head)
    listener.close()


def test_on_sqlite_there_is_nothing_to_hear(new_url: Callable[[str], str]) -> None:
    store = Store.open(new_url("sqlite"))
    migrate(store)
    told = Heard()
    listener = Listener(store, told)
    begin(Table(store)).play(2)
    listener.close()
    assert told.told == []
    assert listener.deaf_seconds == 0
    store.close()
