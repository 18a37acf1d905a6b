"""`rubicon verify`: verify the dice of a game, and say what was found."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from rubicon.dice.errors import BadEntry, DiceError, fault_of
from rubicon.files import file_fault, read_bounded

if TYPE_CHECKING:
    from rubicon.dice.errors import DiceFault
    from rubicon.dice.journal import Journal, JournalVerdict
    from rubicon.dice.lines.entry import Entry
    from rubicon.dice.verify import SeatSummary, Verdict
    from rubicon.server.dice_server import ComparedLog
    from rubicon.table.admin.record_audit import Compared


# What `rubicon verify` prints: never more than a transcript shows (docs/fair-dice.md).


def verdict_lines(verdict: Verdict) -> Iterator[str]:
    """What a transcript shows that was found right."""
    yield _history_line(verdict)
    yield _known_line(verdict)
    yield f"table {verdict.table}: {verdict.lines:,} lines, none of them wrong"
    yield (
        f"requests: {verdict.requests:,}, with {verdict.dice:,} dice and {verdict.picks:,} picks;"
        f" {verdict.without_clients:,} without any player's client"
    )
    if verdict.dice_server:
        yield f"an independent dice server took part in {verdict.dice_server:,}"
    for seat in verdict.seats.values():
        yield _seat_line(seat, verdict.requests)
    yield from _placement_lines(verdict)
    for silence in verdict.silences:
        yield f"silent: {silence.id} in request {silence.n}; the roll with its link: {silence.roll}"
    for table, head in verdict.earlier:
        yield (
            f"continues table {table}, which began with {head.hex()[:16]}: dice that were seen"
            " there after the common position are rolled again here"
        )
    yield _secrets_line(verdict)
    if verdict.trailing:
        yield f"the last {verdict.trailing:,} lines are not signed by the server"
    if verdict.key_found is not None:
        own = f"there, in {verdict.with_key:,} of {verdict.answered:,}"
        yield "your key: " + (own if verdict.key_found else "NOT THERE")
    yield f"head: {verdict.witness}"


def _history_line(verdict: Verdict) -> str:
    """Whether anything shows that this is the history that everyone saw."""
    if verdict.known_up_to is None:
        return (
            "The dice follow from these lines. Only a head that someone kept shows that these"
            " lines were never replaced (--head, --journal)."
        )
    if verdict.known_up_to == verdict.lines - 1:
        return "The dice are unchanged since the heads that you gave were kept."
    return (
        f"The dice are unchanged up to line {verdict.known_up_to + 1:,}, since the heads that you"
        " gave were kept; the later lines follow from those before."
    )


def _known_line(verdict: Verdict) -> str:
    """Who could know the dice in advance."""
    every = verdict.answered
    if not every:
        return "No request has been answered: there are no dice yet."
    if verdict.dice_server == every:
        return (
            f"An independent dice server took part in all {every:,} requests: if its operator is"
            " honest, no one could know the first roll of any of them in advance."
        )
    told = f"{verdict.with_clients:,} of {every:,} requests had a client of a player in them;"
    if verdict.known_to_operator:
        return f"{told} the operator could know the dice of the other" + (
            f" {verdict.known_to_operator:,} in advance."
        )
    return f"{told} the operator could know their dice in advance only together with those players."


def _seat_line(seat: SeatSummary, requests: int) -> str:
    if not seat.chains:
        return f"{seat.seat}: no client"
    parts = [f"took part in {seat.took_part:,} of {requests:,}"]
    for number, word in (
        (seat.took_part_uncertified, "with a key that nobody vouches for"),
        (seat.left, "left"),
        (seat.lost, "lost, on the server's word"),
        (seat.silent, "silent"),
        (seat.uncertified, "keys not certified"),
    ):
        if number:
            parts.append(f"{word}: {number:,}")
    parts.append(f"orders signed: {seat.signed:,}, unsigned: {seat.unsigned:,}")
    return f"{seat.seat}: {'; '.join(parts)}"


def _placement_lines(verdict: Verdict) -> Iterator[str]:
    found = verdict.placements
    sealed = len(found.by_clients) + len(found.by_server)
    if not sealed:
        return
    clients = ", ".join(found.by_clients) or "none"
    server = ", ".join(found.by_server) or "none"
    not_opened = f"; not opened in time: {', '.join(found.not_opened)}" if found.not_opened else ""
    out = f"; out of the game: {', '.join(found.out)}" if found.out else ""
    yield (
        f"placements: {len(found.opened):,} of {sealed:,} opened, sealed by clients: {clients};"
        f" by the server: {server}{not_opened}{out}"
    )


def _secrets_line(verdict: Verdict) -> str:
    if verdict.broken:
        return "secrets: open; the game was broken off while a request waited"
    if verdict.opened:
        return "secrets: open; every order and every card was recomputed"
    waiting = "; the last request waits for its answer" if verdict.waiting else ""
    return f"secrets: sealed until the end of the game{waiting}"


def record_lines(compared: Compared) -> Iterator[str]:
    """What the record shows, compared with the transcript."""
    different = compared.difference
    if different is not None:
        where = f"line {different.line:,} of the record" if different.line else "the record"
        yield f"bad: {where} [{different.code}]: {different.message}"
        if different.expected:
            yield f"  expected: {different.expected}"
            yield f"  found:    {different.found}"
        return
    more = f", {compared.sealed:,} sealed picks not compared" if compared.sealed else ""
    more += f", {compared.typed:,} outcomes of real dice not checked" if compared.typed else ""
    yield f"record: {compared.outcomes:,} outcomes are the transcript's and the rules'{more}"


def dice_log_lines(logged: ComparedLog) -> Iterator[str]:
    """What the dice server's public log shows, compared with the transcript."""
    for difference in logged.differences:
        yield f"bad: {difference}"
    for refusal in logged.refusals:
        yield f"the dice server has refused: {refusal!a}"
    if not logged.differences:
        yield f"dice server's log: {logged.answered:,} requests, the transcript's, in order"


def journal_lines(own: JournalVerdict) -> Iterator[str]:
    """What a client's journal shows, compared with the transcript."""
    yield (
        f"journal of {own.seat}: {own.given:,} links given, {own.used:,} in answers,"
        f" {own.receipts:,} receipts; {own.signed:,} decisions signed, {own.accepted:,} accepted"
    )
    for finding in own.findings:
        word = "PROOF OF FRAUD" if finding.proof else "bad"
        yield f"{word}: [dice/{finding.code}]: {finding.message}"
    for alarm in own.alarms:
        yield f"alarm that your client raised: {alarm}"


def fault_lines(fault: DiceFault) -> Iterator[str]:
    """The first bad line."""
    yield f"bad: line {fault.line:,} (number {fault.seq:,}) [dice/{fault.code}]: {fault.message}"
    if fault.expected:
        yield f"  expected: {fault.expected}"
        yield f"  found:    {fault.found}"


# The command.

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
    from rubicon.dice.transcript import read_transcript

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
    """What the journal shows, compared with the transcript; None for lines that cannot be read."""
    from rubicon.dice.journal import compare

    try:
        return compare(journal, entries)
    except BadEntry:
        return None


def _compared(entries: Sequence[Entry], record: Path) -> Compared:
    from rubicon import Record
    from rubicon.table.admin.record_audit import compare

    return compare(Record.load(record), entries)


def _logged(where: str, entries: Sequence[Entry]) -> ComparedLog:
    from rubicon.server.dice_server import compare_log

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
