"""What other workers commit is heard, also what was committed while the database was away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from rubicon.table import listening
from rubicon.table.listening import Listener
from rubicon.table.migrating import migrate
from rubicon.table.store import Store
from rubicon.table.table import Table
from tests.table.conftest import Postgres
from tests.table.hosted import GAME, SOON, Hosted
from tests.table.test_store import begin


class Heard:
    """What was told, to be waited for."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int]] = []
        self._changed = threading.Condition()

    def __call__(self, game: str, entry: int) -> None:
        with self._changed:
            self.told.append((game, entry))
            self._changed.notify_all()
        if game == "bad":
            raise KeyError(game)

    def wait_for(self, game: str, entry: int) -> None:
        """Until it is told."""
        with self._changed:
            assert self._changed.wait_for(lambda: (game, entry) in self.told, SOON), self.told


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
    entries = [entry for _, entry in heard.told]
    assert entries == sorted(entries)


def test_what_is_rolled_back_is_not_heard(stores: tuple[Store, Store], heard: Heard) -> None:
    def fail(connection: object) -> None:
        listening.announce(connection, "undone", 1)  # type: ignore[arg-type]
        raise KeyError("undone")

    assert stores[0].write(fail).exception(SOON)
    stores[0].write(lambda connection: listening.announce(connection, "bad", 2)).result(SOON)
    stores[0].write(lambda connection: listening.announce(connection, "kept", 3)).result(SOON)
    heard.wait_for("kept", 3)  # although telling of the one before failed
    assert [game for game, _ in heard.told] == ["bad", "kept"]


def test_what_was_missed_is_told_when_the_database_is_back(
    stores: tuple[Store, Store], postgres: Postgres
) -> None:
    game, told = begin(Table(stores[0])), Heard()
    listener = Listener(stores[1], told)
    assert listener.listening.wait(SOON)
    deadline = time.monotonic() + SOON
    while listener._healthy_at is None and time.monotonic() < deadline:
        time.sleep(0.01)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listening, "_LISTEN", "LISTEN to nobody")  # it cannot come back yet
        postgres.drop_connections(stores[0].url)
        while listener.listening.is_set() and time.monotonic() < deadline:
            time.sleep(0.01)
        game.play(3)
        assert (GAME, game.snapshot.head) not in told.told
    told.wait_for(GAME, game.snapshot.head)
    game.play(1)
    told.wait_for(GAME, game.snapshot.head)
    listener.close()


def test_on_sqlite_there_is_nothing_to_hear(new_url: Callable[[str], str]) -> None:
    store = Store.open(new_url("sqlite"))
    migrate(store)
    told = Heard()
    listener = Listener(store, told)
    Hosted(Table(store))
    begin(Table(store)).play(2)
    listener.close()
    assert told.told == []
    store.close()
