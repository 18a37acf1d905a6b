"""`rubicon table`: look after the database of hosted games."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rubicon.table.store import Store
    from rubicon.table.verifying import Damaged

BAD = 1  # the exit status where something is wrong with a game
Command = TypeVar("Command", bound=Callable[..., Any])


def with_store(command: Command) -> Command:
    """The option that says which database."""
    option = click.option(
        "--store",
        "url",
        envvar="RUBICON_STORE",
        default="sqlite:///rubicon.db",
        show_default=True,
        metavar="URL",
        help="sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/NAME.",
    )
    return option(command)


@click.group("table")
def command() -> None:
    """Look after the database of hosted games.

    What only reads (verify, export, backup) may be done while a server runs.
    """


@command.command("migrate")
@with_store
def migrate_store(url: str) -> None:
    """Make the tables, or bring them to the version of this program."""
    from rubicon.table.migrating import migrate

    with _opened(url, write=True) as store:
        click.echo(f"The store is of version {migrate(store)}.")


@command.command("admin-token")
@with_store
@click.option("--renew", is_flag=True, help="Make a new one; the old one is void at once.")
def admin_token(url: str, renew: bool) -> None:
    """Make the token of whoever runs the house, where none was made or the old one is lost.

    It is shown this once. On a SQLite file, stop the server first.
    """
    from rubicon.host.accounts import Accounts
    from rubicon.table.errors import TableError
    from rubicon.table.migrating import migrate

    with _opened(url, write=True) as store:
        migrate(store)
        accounts = Accounts(store, ())
        token = accounts.renew_admin_token() if renew else accounts.admin_token()
    if token is None:
        message = "There is a token already, and it is stored nowhere: it cannot be shown."
        raise TableError("admin/token", message, "rubicon table admin-token --renew")
    click.echo(f"The admin's token, shown this once: {token}")


@command.command("verify")
@with_store
@click.option("--game", "games", multiple=True, metavar="ID", help="Only this game.")
@click.option(
    "--head",
    "heads",
    multiple=True,
    metavar="GAME:SEQ:HASH",
    help="A head that a letter quoted: the game must still have it.",
)
def verify_games(url: str, games: tuple[str, ...], heads: tuple[str, ...]) -> int:
    """Rebuild games from their logs and compare them with all that is stored.

    Of each game that is not right the first bad entry is named; the exit status is then 1.
    """
    from rubicon.table.migrating import check_version
    from rubicon.table.verifying import verify_store

    with _opened(url) as store:
        store.read(check_version)
        report = verify_store(store, games, heads, _progress("verified {} of {} games"))
    for game, damaged in report.damaged.items():
        for line in _damage_lines(game, damaged):
            click.echo(line)
    for game in report.sealed:
        click.echo(
            f"sealed: game {game} is over, but its dice were never opened: it proves nothing"
        )
    good = report.games - len(report.damaged)
    click.echo(
        f"verified: {good:,} of {report.games:,} games, {report.entries:,} entries, "
        f"{report.answers:,} answers of the dice"
    )
    return BAD if report.damaged else 0


@command.command("backup")
@with_store
@click.argument("file", type=click.Path(path_type=Path))
def write_backup(url: str, file: Path) -> None:
    """Write everything to the new FILE, as of one moment; `.gz` in its name packs it.

    It holds the seeds of running games and the addresses of people: keep it to yourself.
    """
    from rubicon.table.backup import backup

    with _opened(url) as store:
        copied = backup(store, file, _progress("{}: {} rows so far"))
    click.echo(f"{file}: {copied.rows:,} rows, {copied.games:,} games")


@command.command("restore")
@with_store
@click.argument("file", type=click.Path(path_type=Path))
def read_backup(url: str, file: Path) -> None:
    """Fill an empty database of either kind from the backup FILE."""
    from rubicon.table.backup import restore

    with _opened(url, write=True) as store:
        copied = restore(store, file, _progress("{}: {} rows so far"))
    made = datetime.fromtimestamp(copied.at / 1000, UTC)
    click.echo(f"{copied.rows:,} rows, {copied.games:,} games, as of {made:%Y-%m-%d %H:%M} UTC")
    click.echo("What was played since is lost. Compare with a head that a player has:")
    click.echo("rubicon table verify --head GAME:SEQ:HASH")


@command.command("export")
@with_store
@click.option("--seat", default="", help="Of a running game: what this seat may know.")
@click.argument("game")
@click.argument("folder", type=click.Path(path_type=Path))
def export_game(url: str, seat: str, game: str, folder: Path) -> None:
    """Write the files of GAME into FOLDER: its record and the transcript of its dice.

    Of a game that is not over, what spectators (or a seat) may know, in place of the record.
    """
    from rubicon.table.exporting import exported

    with _opened(url) as store:
        found = store.read(lambda connection: exported(connection, game, seat), frozen=True)
    for path in found.save(folder):
        click.echo(str(path))


@command.command("import")
@with_store
@click.option("--bot", "bots", multiple=True, metavar="COLOUR=NAME", help="A bot for a seat.")
@click.argument("file", type=click.Path(path_type=Path))
def import_game(url: str, bots: tuple[str, ...], file: Path) -> None:
    """Begin a game where the record FILE ends, with dice of its own.

    Whoever has the invite of a seat may sit down there. No server may run on the same SQLite file.
    """
    from rubicon.rules.record import Record
    from rubicon.table.importing import import_record
    from rubicon.table.migrating import migrate
    from rubicon.table.table import Table

    record = Record.load(file)
    chosen = dict(_pair(bot) for bot in bots)
    with _opened(url, write=True) as store:
        migrate(store)
        job = store.write(lambda c: import_record(c, record, file.stem, bots=chosen))
        imported = job.result()
        Table(store).wake(imported.game).result()
    click.echo(f"game: {imported.game}")
    for colour, invite in imported.invites.items():
        click.echo(f"{colour}: {invite}")


def _pair(text: str) -> tuple[str, str]:
    colour, equals, bot = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not COLOUR=NAME.", param_hint="--bot")
    return colour.strip().lower(), bot.strip().lower()


def _damage_lines(game: str, damaged: Damaged) -> Iterator[str]:
    where = f", entry {damaged.entry:,}" if damaged.entry is not None else ""
    yield f"bad: game {game}{where} [{damaged.code}]: {damaged.message}"
    if damaged.expected:
        yield f"  expected: {damaged.expected}"
        yield f"  found:    {damaged.found}"


def _progress(words: str) -> Callable[[Any, Any], None]:
    """Says on a terminal, in one line that is written over, how far it is."""
    if not sys.stderr.isatty():
        return lambda one, other: None
    return lambda one, other: click.echo(f"\r\x1b[K{words.format(one, other)}", nl=False, err=True)


@contextmanager
def _opened(url: str, *, write: bool = False) -> Iterator[Store]:
    """The store, to be looked at only or also to be written to, until the command is done."""
    from rubicon.table.store import Store

    store = Store.open(url) if write else Store.look(url)
    try:
        yield store
    finally:
        store.close()
        _end_progress()


def _end_progress() -> None:
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
