"""`rubicon verify`: verify the dice of a game from its transcript."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from rubicon.dice.errors import DiceError
from rubicon.files import file_fault

if TYPE_CHECKING:
    from rubicon.dice.entry import Entry
    from rubicon.dice.errors import DiceFault
    from rubicon.dice.verify import Verdict
    from rubicon.table.admin.dice_audit import Compared

BAD = 1  # the exit status of a transcript with a bad entry
STANDARD_INPUT = "-"


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--head",
    "heads",
    multiple=True,
    metavar="[[GAME:]SEQ:]HASH",
    help="A fingerprint (chain head) from an e-mail; may be given several times.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="The record of the game: every roll and draw in it is compared.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option(
    "--example", is_flag=True, help="Write a small transcript to FILE, to try the command."
)
def command(
    file: Path, heads: tuple[str, ...], record: Path | None, as_json: bool, example: bool
) -> int:
    """Verify every die of the transcript FILE (`-` is standard input).

    The first bad entry is printed with its fault; the exit status is then 1.
    """
    if example:
        return _write_example(file)
    from rubicon.dice.verify import verify

    verdict = verify(_entries(file), known_heads=heads)
    compared = _compared(file, record) if record is not None and verdict.ok else None
    if as_json:
        result = verdict.as_dict()
        if compared is not None:
            result["record"] = compared.as_dict()
        click.echo(json.dumps(result, indent=2))
    else:
        for line in _fault_lines(verdict.fault) if verdict.fault else _lines(verdict):
            click.echo(line)
        for line in _record_lines(compared) if compared is not None else ():
            click.echo(line)
    return 0 if verdict.ok and (compared is None or compared.difference is None) else BAD


def _entries(file: Path) -> Iterable[Entry]:
    from rubicon.dice.transcript import read_transcript

    try:
        with _opened(file) as stream:
            return read_transcript(stream)
    except (OSError, ValueError) as error:
        message = f"{str(file)[:100]!r} cannot be read: {file_fault(error)}."
        raise DiceError("dice/cannot-read", message) from error


def _compared(file: Path, record: Path) -> Compared:
    if str(file) == STANDARD_INPUT:
        message = "A transcript from standard input cannot be compared with a record."
        raise DiceError("dice/cannot-read", message, "Save it as a file.")
    from rubicon.dice.chain import Chain
    from rubicon.rules.record.record import Record
    from rubicon.table.admin.dice_audit import compare

    return compare(Record.load(record), Chain(_entries(file)))


def _opened(file: Path) -> BinaryIO:
    return sys.stdin.buffer if str(file) == STANDARD_INPUT else file.open("rb")


def _lines(verdict: Verdict) -> Iterator[str]:
    picks = f", {verdict.picks:,} picks" if verdict.picks else ""
    yield f"verified: {verdict.entries:,} entries, {verdict.dice:,} dice{picks}"
    if not verdict.opened:
        yield "The seeds are still sealed. Every die follows from its key; whether the keys follow"
        yield "from the promised seed shows at the end of the game."
    if verdict.owes:
        yield "The last request is still to be answered."
    yield (
        f"In {verdict.mixed:,} of {verdict.answers:,} answers a player's own link took part"
        + (f"; in {verdict.silent:,} a seat was silent." if verdict.silent else ".")
    )
    if verdict.signatures:
        yield f"{verdict.signatures:,} signatures were not checked."
    yield f"head: {verdict.witness}"


def _record_lines(compared: Compared) -> Iterator[str]:
    different = compared.difference
    if different is not None:
        where = f"line {different.line:,} of the record" if different.line else "the record"
        yield f"bad: {where} [{different.code}]: {different.message}"
        if different.expected:
            yield f"  transcript: {different.expected}"
            yield f"  record:     {different.found}"
        return
    more = f", {compared.sealed:,} sealed picks not compared" if compared.sealed else ""
    more += f", {compared.typed:,} outcomes of real dice not checked" if compared.typed else ""
    yield f"record: {compared.outcomes:,} outcomes are the transcript's{more}"


def _fault_lines(fault: DiceFault) -> Iterator[str]:
    yield f"bad: line {fault.line:,}, entry {fault.seq:,} [{fault.code}]: {fault.message}"
    if fault.expected:
        yield f"  expected: {fault.expected}"
        yield f"  found:    {fault.found}"


def _write_example(file: Path) -> int:
    from rubicon.dice.example import example_chain
    from rubicon.dice.transcript import transcript

    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(transcript(example_chain()))
    except (OSError, ValueError) as error:
        message = f"{str(file)[:100]!r} cannot be written: {file_fault(error)}."
        raise DiceError("dice/cannot-write", message) from error
    click.echo(f"{file} written; try: rubicon verify {file}")
    return 0
