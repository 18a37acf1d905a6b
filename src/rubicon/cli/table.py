"""`rubicon table`: maintain the database of a server."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rubicon.table.admin.backup import Copied
    from rubicon.table.admin.dice_lines import Damaged
    from rubicon.table.storage.database import Store

BAD = 1  # the exit status if a game is damaged
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
    """Maintain the database of a server.

    Commands that only read (verify, export, backup) may run while a server uses the database.
    """


@command.command("migrate")
@with_store
def migrate_store(url: str) -> None:
    """Create or migrate the tables."""
    from rubicon.table.storage.database import migrate

    with _opened(url, write=True) as store:
        click.echo(f"The database is at version {migrate(store)}.")


@command.command("admin-token")
@with_store
@click.option(
    "--renew", is_flag=True, help="Create a new token; the old one becomes invalid at once."
)
def admin_token(url: str, renew: bool) -> None:
    """Create the admin token of the server.

    It is shown only this once; with --renew a lost token is replaced. On a SQLite file, stop the
    server first.
    """
    from rubicon.server.accounts import Accounts
    from rubicon.table.errors import TableError
    from rubicon.table.storage.database import migrate

    with _opened(url, write=True) as store:
        migrate(store)
        accounts = Accounts(store, ())
        token = accounts.renew_admin_token() if renew else accounts.create_admin_token()
    if token is None:
        message = "There is a token already; only its hash is stored, so it cannot be shown."
        raise TableError("admin/token", message, "rubicon table admin-token --renew")
    click.echo(f"Admin token, shown only this once: {token}")


@command.command("verify")
@with_store
@click.option("--game", "games", multiple=True, metavar="ID", help="Only this game.")
@click.option(
    "--head",
    "heads",
    multiple=True,
    metavar="GAME:SEQ:HASH",
    help="A fingerprint of the dice from an e-mail, or a checkpoint of an earlier check"
    " (games:NUMBER:HASH): the database must still have it.",
)
def verify_games(url: str, games: tuple[str, ...], heads: tuple[str, ...]) -> int:
    """Check stored games against their logs.

    Each game is rebuilt from its log and compared with everything that is stored of it.

    The first bad log index of each damaged game is shown; the exit status is then 1.
    """
    from rubicon.table.admin.audit import verify_store
    from rubicon.table.storage.database import check_version

    with _opened(url) as store:
        store.read(check_version)
        report = verify_store(store, games, heads, _progress("verified {} of {} games"))
    for game, damaged in report.damaged.items():
        for line in _damage_lines(game, damaged):
            click.echo(line)
    for game in report.sealed:
        click.echo(f"sealed: game {game} is over, but its dice never began")
    for game, (first, fork) in report.lost_lines.items():
        then = f"continued as {fork}" if fork else f"stopped; rubicon table fork {game}"
        click.echo(f"lines lost: game {game}, dice line {first:,} was shown to players; {then}")
    click.echo(
        f"verified: {report.good:,} of {report.games:,} games, {report.log_lines:,} log lines, "
        f"{report.answers:,} answers of the dice"
    )
    if report.checkpoint:
        click.echo(f"checkpoint: {report.checkpoint}")
    return BAD if report.damaged else 0


@command.command("backup")
@with_store
@click.argument("file", type=click.Path(path_type=Path))
def write_backup(url: str, file: Path) -> None:
    """Write a backup to a new file.

    It is a snapshot of one moment; a FILE with the ending .gz is compressed. It holds the secrets
    of running games and e-mail addresses: keep it secret.
    """
    from rubicon.table.admin.backup import backup

    with _opened(url) as store:
        copied = backup(store, file, _progress("{}: {} rows so far"))
    click.echo(f"{file}: {_size(copied)}")


@command.command("restore")
@with_store
@click.argument("file", type=click.Path(path_type=Path))
def read_backup(url: str, file: Path) -> None:
    """Fill an empty database from a backup.

    The backup FILE fits SQLite and PostgreSQL.
    """
    from rubicon.table.admin.backup import restore

    with _opened(url, write=True) as store:
        copied = restore(store, file, _progress("{}: {} rows so far"))
    made = datetime.fromtimestamp(copied.at / 1000, UTC)
    click.echo(f"{_size(copied)}, as of {made:%Y-%m-%d %H:%M} UTC")
    click.echo("Anything played since then is lost. Compare with a fingerprint that a player has:")
    click.echo("rubicon table verify --head GAME:SEQ:HASH")


@command.command("fork")
@with_store
@click.argument("game")
def fork_game(url: str, game: str) -> None:
    """Continue a stopped game as a new one.

    Only for a GAME that has lost lines of its dice, which its players have seen, after a restore.
    The new game begins at the last stored position, with new dice; its id is printed, and every
    seat is told. Stop a server that uses the same SQLite file first.
    """
    from rubicon.table.commands.votes import fork_stopped
    from rubicon.table.storage.database import check_version
    from rubicon.table.table_service import TableService

    with _opened(url, write=True) as store:
        store.read(check_version)
        table = TableService(store)
        table.change(game, fork_stopped).result()
        click.echo(f"game: {table.snapshot(game).forked}")
        click.echo("Dice that players saw after that position are rolled again; let them know.")


@command.command("export")
@with_store
@click.option("--seat", default="", help="For a running game: what this seat may see.")
@click.argument("game")
@click.argument("folder", type=click.Path(path_type=Path))
def export_game(url: str, seat: str, game: str, folder: Path) -> None:
    """Write the record and the dice of a game.

    FOLDER gets the record of GAME and the transcript of its dice. While the game runs, FOLDER gets
    the events that spectators (or a seat) may see instead of the record.
    """
    from rubicon.table.admin.game_files import exported

    with _opened(url) as store:
        found = store.read(lambda connection: exported(connection, game, seat), frozen=True)
    for path in found.save(folder):
        click.echo(str(path))


@command.command("import")
@with_store
@click.option("--bot", "bots", multiple=True, metavar="COLOUR=NAME", help="A bot for a seat.")
@click.argument("file", type=click.Path(path_type=Path))
def import_game(url: str, bots: tuple[str, ...], file: Path) -> None:
    """Begin a game where a record ends.

    The game gets new dice. The invite of a seat admits one player. Stop a server that uses the same
    SQLite file first.
    """
    from rubicon import Record
    from rubicon.players.characters import FULL_NAMES
    from rubicon.table.admin.game_files import import_record
    from rubicon.table.lobby.table_request import checked_bot
    from rubicon.table.storage.database import migrate
    from rubicon.table.table_service import TableService

    record = Record.load(file)
    chosen = {seat: checked_bot(bot, FULL_NAMES) for seat, bot in map(_pair, bots)}
    with _opened(url, write=True) as store:
        migrate(store)
        job = store.write(lambda c: import_record(c, record, file.stem, bots=chosen))
        imported = job.result()
        TableService(store).wake(imported.game).result()
    click.echo(f"game: {imported.game}")
    for colour, invite in imported.invites.items():
        click.echo(f"{colour}: {invite}")


def _size(copied: Copied) -> str:
    """How much a backup holds: `2,026 rows, 1 game`."""
    sizes = ((copied.rows, "row"), (copied.games, "game"))
    return ", ".join(f"{size:,} {noun}{'s' * (size != 1)}" for size, noun in sizes)


def _pair(text: str) -> tuple[str, str]:
    colour, equals, bot = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not COLOUR=NAME.", param_hint="--bot")
    return colour.strip().lower(), bot.strip().lower()


def _damage_lines(game: str, damaged: Damaged) -> Iterator[str]:
    where = f", log index {damaged.index:,}" if damaged.index is not None else ""
    yield f"bad: game {game}{where} [{damaged.code}]: {damaged.message}"
    if damaged.expected:
        yield f"  expected: {damaged.expected}"
        yield f"  found:    {damaged.found}"


def _progress(words: str) -> Callable[[Any, Any], None]:
    """Shows the progress on a terminal, on one line."""
    if not sys.stderr.isatty():
        return lambda one, other: None
    return lambda one, other: click.echo(f"\r\x1b[K{words.format(one, other)}", nl=False, err=True)


@contextmanager
def _opened(url: str, *, write: bool = False) -> Iterator[Store]:
    """The database, for reading or also for writing, until the command ends."""
    from rubicon.table.storage.database import Store

    store = Store.open(url) if write else Store.open_read_only(url)
    try:
        yield store
    finally:
        store.close()
        _end_progress()


def _end_progress() -> None:
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
