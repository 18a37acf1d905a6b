"""The transcript: a text file with one entry a line, the genesis first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from rubicon.dice.canonical import Json, parse
from rubicon.dice.errors import BadEntry, DiceError, quoted
from rubicon.dice.hashing import FORMAT
from rubicon.dice.lines.entry import Entry

LARGEST_FILE = 64_000_000
FAMILY, _, VERSION = FORMAT.partition("/")


def read_transcript(file: BinaryIO) -> Sequence[Entry]:
    """The entries of an open file.

    DiceError where it is no transcript (`dice/too-large`, `not-utf8`, `empty`, `cut`,
    `not-a-transcript`, `newer`); BadEntry at a line that is no entry.
    """
    data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        message = f"The file is larger than {LARGEST_FILE:,} bytes."
        raise DiceError("dice/too-large", message, "Is it a transcript?")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"The file is not UTF-8 text (byte {error.start:,})."
        raise DiceError("dice/not-utf8", message, "Is it a transcript, or packed?") from error
    return entries_of(text)


def entries_of(text: str) -> Sequence[Entry]:
    """The entries of a transcript's text."""
    if not text.strip():
        raise DiceError("dice/empty", "There is nothing in the file.")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    elif not _is_whole(lines[-1]):
        message = f"The file is cut: line {len(lines):,} ends in the middle."
        raise DiceError("dice/cut", message, "Get the whole file, or remove that line.")
    lines = [line.removesuffix("\r") for line in lines]  # as mail programs write it
    _check_beginning(lines[0])
    return [_parsed(number, line) for number, line in enumerate(lines)]


def _parsed(number: int, line: str) -> Entry:
    try:
        return Entry.parse(line)
    except BadEntry as bad:
        raise BadEntry(
            bad.code.removeprefix("dice/"),
            f"Line {number + 1:,}: {bad.message}",
            bad.expected,
            bad.found,
            number,
        ) from bad


def _is_whole(line: str) -> bool:
    try:
        parse(line)
    except ValueError:
        return False
    return True


def _check_beginning(line: str) -> None:
    said = _format_of(line)
    if said is None:
        message = f"The file begins with {quoted(line[:60])}, not with a genesis entry."
        raise DiceError("dice/not-a-transcript", message, "Try: rubicon verify --example FILE")
    family, _, version = said.partition("/")
    if family == FAMILY and version.isascii() and version.isdigit() and int(version) > int(VERSION):
        message = f"The file is of the format {quoted(said)}; this program knows {FORMAT}."
        raise DiceError("dice/newer", message, "Use a newer Rubicon.")


def _format_of(line: str) -> str | None:
    """The format that a first line names; None if it is no genesis."""
    try:
        value: Json = parse(line)
    except ValueError:
        return None
    body = value.get("body") if isinstance(value, dict) else None
    said = body.get("format") if isinstance(body, dict) else None
    return said if isinstance(said, str) and len(said) < 100 else None
