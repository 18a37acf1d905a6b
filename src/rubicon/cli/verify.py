"""`rubicon verify`: check the dice of a game from its transcript."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from rubicon.cli.verify_text import (
    dice_log_lines,
    fault_lines,
    journal_lines,
    record_lines,
    verdict_lines,
)
from rubicon.dice.errors import BadEntry, DiceError, fault_of
from rubicon.files import file_fault, read_bounded

if TYPE_CHECKING:
    from rubicon.dice.journal import Journal, JournalVerdict
    from rubicon.dice.lines.entry import Entry
    from rubicon.server.dice_log import ComparedLog
    from rubicon.table.admin.dice_audit import Compared

BAD = 1  # the exit status of a transcript with a bad entry
STANDARD_INPUT = "-"
LARGEST_JOURNAL = 64_000_000


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--head",
    "heads",
    multiple=True,
    metavar="[[GAME:]SEQ:]HASH",
    help="A head from an e-mail or a client's journal; may be given several times.",
)
@click.option(
    "--key",
    metavar="HEX",
    help="The public key of your own client: is it there? A --journal has it.",
)
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    help="The journal of your own client: its heads, links and receipts are compared.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="The record of the game: every roll and pick of it is compared, and whether the rules"
    " demanded it.",
)
@click.option(
    "--dice-log",
    metavar="FILE|URL",
    help="The independent dice server, or the public log of the game that it has sent: every link"
    " of it is compared.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option(
    "--example", is_flag=True, help="Write a small transcript to FILE, to try the command."
)
def command(
    file: Path,
    heads: tuple[str, ...],
    key: str | None,
    journal: Path | None,
    record: Path | None,
    dice_log: str | None,
    as_json: bool,
    example: bool,
) -> int:
    """Check every line of the dice transcript FILE (`-` is standard input).

    Prints who took part in the dice, and what that shows (docs/fair-dice.md). The first bad line is
    printed with its fault; the exit status is then 1.
    """
    if example:
        return _write_example(file)
    from rubicon.dice.verify import verify

    try:
        entries = _entries(file)
    except BadEntry as bad:
        for line in fault_lines(fault_of(bad, 0)):
            click.echo(line)
        return BAD
    kept = _journal(journal) if journal is not None else None
    known = [*heads, *(kept.heads if kept is not None else ())]
    key = key if key is not None or kept is None else kept.key
    verdict = verify(entries, known_heads=known, key=key)
    own = _own(kept, entries) if kept is not None and entries else None
    compared = _compared(entries, record) if record is not None and verdict.ok else None
    logged = _logged(dice_log, entries) if dice_log is not None and verdict.ok else None
    if as_json:
        result = verdict.as_dict()
        if compared is not None:
            result["record"] = compared.as_dict()
        if logged is not None:
            result["dice_log"] = logged.as_dict()
        if own is not None:
            result["journal"] = asdict(own) | {"ok": own.ok}
        click.echo(json.dumps(result, indent=2))
    else:
        for line in fault_lines(verdict.fault) if verdict.fault else verdict_lines(verdict):
            click.echo(line)
        for line in record_lines(compared) if compared is not None else ():
            click.echo(line)
        for line in dice_log_lines(logged) if logged is not None else ():
            click.echo(line)
        for line in journal_lines(own) if own is not None else ():
            click.echo(line)
    good = verdict.ok and verdict.key_found is not False and (own is None or own.ok)
    good = good and (logged is None or logged.ok)
    return 0 if good and (compared is None or compared.difference is None) else BAD


def _entries(file: Path) -> Sequence[Entry]:
    from rubicon.dice.transcript_file import read_transcript

    try:
        with _opened(file) as stream:
            return read_transcript(stream)
    except (OSError, ValueError) as error:
        message = f"{str(file)[:100]!r} cannot be read: {file_fault(error)}."
        raise DiceError("dice/cannot-read", message) from error


def _journal(path: Path) -> Journal:
    from rubicon.dice.journal import Journal

    try:
        return Journal.read(read_bounded(path, LARGEST_JOURNAL).decode("utf-8"))
    except (OSError, ValueError) as error:
        message = f"{str(path)[:100]!r} cannot be read: {file_fault(error)}."
        raise DiceError("dice/cannot-read", message) from error


def _own(journal: Journal, entries: Sequence[Entry]) -> JournalVerdict | None:
    """What the journal says beside the transcript; None for lines that cannot be read."""
    from rubicon.dice.journal import compare

    try:
        return compare(journal, entries)
    except BadEntry:
        return None


def _compared(entries: Sequence[Entry], record: Path) -> Compared:
    from rubicon.rules.record.record import Record
    from rubicon.table.admin.dice_audit import compare

    return compare(Record.load(record), entries)


def _logged(where: str, entries: Sequence[Entry]) -> ComparedLog:
    from rubicon.server.dice_log import compare_log

    return compare_log(where, entries)


def _opened(file: Path) -> BinaryIO:
    return sys.stdin.buffer if str(file) == STANDARD_INPUT else file.open("rb")


def _write_example(file: Path) -> int:
    from rubicon.dice.example import example_entries

    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.writelines(f"{entry.text()}\n" for entry in example_entries())
    except (OSError, ValueError) as error:
        message = f"{str(file)[:100]!r} cannot be written: {file_fault(error)}."
        raise DiceError("dice/cannot-write", message) from error
    click.echo(f"{file} written; try: rubicon verify {file}")
    return 0
