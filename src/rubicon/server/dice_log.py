"""The public log of an independent dice server, from a file or from the server itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx

from rubicon.dice.errors import BadEntry, DiceError
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.genesis import Genesis
from rubicon.dice.lines.reading import Fields
from rubicon.dice.participants.public_log import PublicLog
from rubicon.files import file_fault, read_bounded

LARGEST = 16_000_000  # bytes of a whole log: 16,384 requests, and the refusals
TIMEOUT = 20.0  # seconds for each part of a response
SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class ComparedLog:
    """A transcript beside the dice server's log of its game."""

    answered: int  # requests in the log
    differences: tuple[str, ...]
    refusals: tuple[str, ...]  # what the dice server has refused the table

    @property
    def ok(self) -> bool:
        """Whether nothing differs and nothing was refused."""
        return not self.differences and not self.refusals

    def as_dict(self) -> dict[str, Any]:
        """As programs get it."""
        return asdict(self) | {"ok": self.ok}


def compare_log(where: str, entries: Sequence[Entry]) -> ComparedLog:
    """Compare the log in a file or at a URL with a transcript that was found right.

    The URL is that of the dice server, or of the log itself. DiceError `dice/cannot-read` or
    `dice/no-dice-log` where there is no such log.
    """
    game = Genesis.read(Fields(entries[0].body, "entry.genesis")).table
    parts = _fetched(where, game) if where.startswith(SCHEMES) else _read(Path(where))
    log = next(parts)
    for part in parts:
        log = log.joined(part)
    return ComparedLog(len(log.answered), tuple(log.differences(entries)), log.refusals)


def _read(path: Path) -> Iterator[PublicLog]:
    """The parts of a log in a file, one behind the other as the dice server has sent them."""
    try:
        text = read_bounded(path, LARGEST).decode("utf-8").strip()
    except (OSError, ValueError) as error:
        message = f"{str(path)[:100]!r} cannot be read: {file_fault(error)}."
        raise DiceError("dice/cannot-read", message) from error
    at = 0
    while at < len(text) or not at:
        try:
            value, at = json.JSONDecoder().raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise _no_log(f"{str(path)[:100]!r} is not JSON.") from error
        at += len(text[at:]) - len(text[at:].lstrip())
        yield _log(value)


def _fetched(url: str, game: str) -> Iterator[PublicLog]:
    """The parts of a log from the dice server."""
    url = url.rstrip("/")
    at = url if url.endswith("/log") else f"{url}/v1/games/{game}/log"
    after, size = -1, 0
    while True:
        try:
            response = httpx.get(at, params={"after": after}, timeout=TIMEOUT)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            message = f"{at[:200]!a} cannot be read: {str(error) or type(error).__name__}."
            raise DiceError("dice/cannot-read", message, "Is this the dice server?") from error
        size += len(response.content)
        try:
            value = response.json()
        except (ValueError, RecursionError):
            value = None
        if response.status_code != httpx.codes.OK or size > LARGEST:
            told = value.get("message", "") if isinstance(value, dict) else ""
            message = f"{at[:200]!a} answers with status {response.status_code}. {str(told)[:200]}"
            raise DiceError("dice/cannot-read", message.strip(), "Is this the dice server?")
        part = _log(value)
        yield part
        behind = max((one.n for one in part.answered), default=after)
        if behind <= after or behind + 1 >= part.total:
            return
        after = behind


def _log(value: Any) -> PublicLog:
    try:
        return PublicLog.read(Fields(value, "log"))
    except BadEntry as error:
        raise _no_log(f"This is no public log of a dice server: {error.message}") from error


def _no_log(message: str) -> DiceError:
    hint = "Get it: curl -o game.log DICE-SERVER/v1/games/GAME/log"
    return DiceError("dice/no-dice-log", message, hint)
