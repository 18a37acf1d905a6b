"""Databases that cannot be used are refused in a sentence, and left as they are."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from rubicon.cli.main import main
from rubicon.table.errors import TableError
from rubicon.table.storage.database import Store, migrate
from tests.table.conftest import Postgres
from tests.waiting import until


@pytest.fixture(autouse=True)
def _same_log() -> Iterator[None]:
    """`rubicon serve` sets up the log of its whole process."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers = handlers
    root.setLevel(level)


def text_file(path: Path) -> None:
    """A file that is no database."""
    path.write_text("This is a letter. " * 1000)


def of_another_program(path: Path) -> None:
    """A database with tables of somebody else."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE photo (name TEXT)")


def with_other_versions(path: Path) -> None:
    """A database of another program that uses Alembic."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("CREATE TABLE photo (name TEXT)")


def damaged(path: Path) -> None:
    """A database whose first page was overwritten."""
    of_another_program(path)
    data = bytearray(path.read_bytes())
    data[100:200] = b"x" * 100
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (text_file, "store/foreign"),
        (of_another_program, "store/foreign"),
        (with_other_versions, "store/foreign"),
        (damaged, "store/damaged"),
    ],
)
@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["table", "verify"]])
def test_a_file_that_is_not_rubicons_is_refused_and_not_changed(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    make: Callable[[Path], None],
    code: str,
    command: list[str],
) -> None:
    file = tmp_path / "games.db"
    make(file)
    before = file.read_bytes()
    assert main([*command, "--store", f"sqlite:///{file}"]) == 2
    told = capfd.readouterr().err.strip().splitlines()[-1]
    assert told.startswith("Error: The ") or told.startswith("Error: Another program")
    assert told.endswith(f"[{code}]")
    assert file.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["games.db"]


def test_an_empty_file_and_an_own_database_are_opened(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    file.touch()
    for _ in range(2):
        store = Store.open(str(file))
        version = migrate(store)
        store.close()
        assert version


def test_an_unreachable_postgresql_is_refused_in_a_sentence(
    capfd: pytest.CaptureFixture[str],
) -> None:
    url = "postgresql://ann:hidden@127.0.0.1:1/games"
    for command in (["serve", "--port", "0"], ["table", "verify"]):
        assert main([*command, "--store", url]) == 2
        told = capfd.readouterr().err.strip().splitlines()[-1]
        assert "Check that PostgreSQL runs, and the host and the port in the URL." in told
        assert told.endswith("[store/cannot-open]")
        assert "hidden" not in told


def test_a_missing_database_and_an_unknown_user_are_refused_with_what_to_do(
    postgres: Postgres,
) -> None:
    base, question, query = postgres.uri.partition("?")
    missing = f"{base.rpartition('/')[0]}/no_such_database{question}{query}"
    with pytest.raises(TableError, match="create the database: createdb") as caught:
        Store.open(missing)
    assert caught.value.code == "store/cannot-open"
    assert "no_such_database" in caught.value.message
    with pytest.raises(TableError, match="Check the user") as caught:
        Store.open(postgres.uri.replace("postgresql://postgres", "postgresql://nobody", 1))
    assert caught.value.code == "store/cannot-open"


@contextmanager
def asked_for_a_password(postgres: Postgres, user: str) -> Iterator[str]:
    """A URL with a wrong password of a user whom the server asks for one, over TCP or a socket."""
    if postgres.server is None:
        pytest.skip("the access rules of a server that was not started here are not changed")
    with psycopg.connect(postgres.uri, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {user} LOGIN PASSWORD 'right'".encode())
        row = connection.execute("SHOW hba_file").fetchone()
        assert row is not None
        rules = Path(row[0])
        before = rules.read_text("utf-8")
        both = f"local all {user} scram-sha-256\nhost all {user} all scram-sha-256\n"
        rules.write_text(both + before, "utf-8")
        try:
            connection.execute("SELECT pg_reload_conf()")
            yield postgres.uri.replace("://postgres:", f"://{user}:wrong", 1)
        finally:
            rules.write_text(before, "utf-8")
            connection.execute("SELECT pg_reload_conf()")
            connection.execute(f"DROP ROLE {user}".encode())


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["table", "verify"]])
def test_a_wrong_password_and_a_missing_database_are_refused_in_a_sentence(
    command: list[str], postgres: Postgres, capfd: pytest.CaptureFixture[str]
) -> None:
    def told(url: str) -> str:
        assert main([*command, "--store", url]) == 2
        shown = capfd.readouterr().err
        assert "Traceback" not in shown
        line = shown.strip().splitlines()[-1]
        assert line.endswith("[store/cannot-open]")
        return line

    base, question, query = postgres.uri.partition("?")
    missing = told(f"{base.rpartition('/')[0]}/no_such_database{question}{query}")
    assert "or create the database: createdb" in missing
    with asked_for_a_password(postgres, "careful") as url:
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            until_refused(url)
        refused = told(url)
    assert "Check the user and the password in the URL." in refused
    assert "wrong" not in refused


def until_refused(url: str) -> None:
    """Connect until the server uses its new rules, which it reads a moment later."""
    until(lambda: not _trusted(url))
    psycopg.connect(url).close()


def _trusted(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True
