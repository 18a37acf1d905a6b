"""The table's side of an independent dice server: its answers, its key and its public log."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
from sqlalchemy import Connection, insert, select

from rubicon.dice.crypto import SIZE, Json
from rubicon.dice.dice_server import LinkQuestion, PublicLog
from rubicon.dice.errors import BadEntry, DiceError
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.forms import LOWER_HEX, Fields
from rubicon.dice.lines.members import Deposit, Genesis
from rubicon.dice.lines.request import GivenLink
from rubicon.dice.lines.state import DICE_SERVER
from rubicon.errors import RubiconError
from rubicon.files import file_fault, read_bounded
from rubicon.server.settings import ServerSettings
from rubicon.table.errors import DiceRefused, DiceUnavailable
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store

# The table's side of an independent dice server: its answers over HTTP, in bounded time.
#
# It tries once: the table repeats a question with back-off, and the answer is the same.

TIMEOUT = 5.0  # seconds for a connection, and for each part of a response
LONGEST = 10.0  # seconds for a whole response
MAX_RESPONSE = 65_536  # bytes
CONNECTIONS = 8
REST = 2.0  # seconds in which no one is sent to a dice server that did not answer
CHECK = 30.0  # seconds after which it is asked whether it is there, if no game has asked it
TEMPORARY = (408, 429)  # besides 5xx
log = logging.getLogger(__name__)
Result = TypeVar("Result", Deposit, GivenLink)
Pin = Callable[[bytes], bytes]


class RemoteDiceServer:
    """The dice server at a URL. `pin` is given the key of a deposit, and returns the right key."""

    def __init__(
        self, url: str, pin: Pin, token: str = "", transport: httpx.BaseTransport | None = None
    ) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(
            base_url=f"{url.rstrip('/')}/v1",
            headers=headers,
            timeout=TIMEOUT,
            transport=transport,
            limits=httpx.Limits(max_connections=CONNECTIONS),
        )
        self._pin = pin
        self._threads = ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="dice-server")
        self._lock = threading.Lock()
        self._failed_at: float | None = None
        self._answered_at: float | None = None
        self._asked_at: float | None = None
        self._closed = False

    @property
    def away(self) -> bool:
        """Whether the last question found no one."""
        return self._failed_at is not None

    def health(self) -> dict[str, str | int | None]:
        """What a monitor sees of it: whether the last question was answered, and when.

        Questions are those of games, and those of `check`.
        """
        with self._lock:
            failed, answered = self._failed_at, self._answered_at
        known = "answers" if answered is not None else "not asked yet"
        ago = None if answered is None else int(time.monotonic() - answered)
        return {
            "dice_server": "away" if failed is not None else known,
            "dice_server_answered_seconds_ago": ago,
        }

    def check(self) -> Future[None] | None:
        """Ask whether it is there, where no one has asked it anything for CHECK seconds.

        To be called again and again; None where nothing is to be done. No game waits for it.
        """
        with self._lock:
            now, asked = time.monotonic(), self._asked_at
            if self._closed or (asked is not None and now - asked < CHECK):
                return None
            self._asked_at = now
        return self._threads.submit(self._check)

    def close(self) -> None:
        """Stop sending questions."""
        self._closed = True
        # Waits for questions under way, at most LONGEST: they need the client until then.
        self._threads.shutdown()
        self._http.close()

    def open(self, game: str) -> Future[Deposit]:
        """The deposit for a game."""
        return self._threads.submit(self._open, game)

    def link(self, question: LinkQuestion) -> Future[GivenLink]:
        """The link for a request."""
        return self._threads.submit(self._link, question)

    def _check(self) -> None:
        with suppress(DiceUnavailable):
            self._send("GET", "/key")

    def _open(self, game: str) -> Deposit:
        def read(fields: Fields) -> Deposit:
            deposit = Deposit.read(fields)
            fields.end()
            deposit.check(game)
            return deposit

        deposit = self._ask(f"/games/{game}", {}, read)
        right = self._pin(deposit.key)
        if deposit.key != right:
            message = f"The dice server has the key {deposit.key.hex()}, not {right.hex()}."
            suggestion = (
                "If you trust the new one, set RUBICON_DICE_SERVER_KEY to it; running games keep"
                " the old one."
            )
            raise DiceRefused("dice-server/other-key", message, suggestion)
        return deposit

    def _link(self, question: LinkQuestion) -> GivenLink:
        path = f"/games/{question.game}/link"
        return self._ask(path, question.form(), lambda fields: GivenLink.read(DICE_SERVER, fields))

    def _ask(self, path: str, body: Mapping[str, Json], read: Callable[[Fields], Result]) -> Result:
        self._check_rest()
        status, content = self._send("POST", path, body)
        try:
            answer = json.loads(content)
            if status != httpx.codes.OK:
                raise _refusal(status, answer)
            return read(Fields(answer, "answer"))
        # RecursionError: a stranger's JSON may be nested without end.
        except (ValueError, RecursionError) as error:
            raise DiceRefused("dice-server/unreadable", "The answer is no JSON.", "") from error
        except BadEntry as error:
            raise DiceRefused(error.code, error.message, error.suggestion) from error

    def _send(
        self, method: str, path: str, body: Mapping[str, Json] | None = None
    ) -> tuple[int, bytes]:
        """Status and body; DiceUnavailable where it does not answer now."""
        with self._lock:
            self._asked_at = time.monotonic()
        try:
            status, content = self._request(method, path, body)
        except httpx.HTTPError as error:
            self._note_away(type(error).__name__)
            raise DiceUnavailable("the dice server does not answer") from error
        if status >= 500 or status in TEMPORARY:
            self._note_away(f"status {status}")
            raise DiceUnavailable(f"the dice server answers with status {status}")
        self._note_there()
        return status, content

    def _request(
        self, method: str, path: str, body: Mapping[str, Json] | None
    ) -> tuple[int, bytes]:
        """Status and body; httpx bounds each part, and this the whole."""
        latest, content = time.monotonic() + LONGEST, b""
        with self._http.stream(method, path, json=body) as response:
            for part in response.iter_bytes():
                content += part
                if len(content) > MAX_RESPONSE or time.monotonic() > latest:
                    raise httpx.ReadError("too long or too slow")
            return response.status_code, content

    def _check_rest(self) -> None:
        """Fail at once while it is away: thousands of games must not queue up for a timeout."""
        with self._lock:
            failed = self._failed_at
        if self._closed:
            raise DiceUnavailable("this server stops")
        if failed is not None and time.monotonic() - failed < REST:
            raise DiceUnavailable("the dice server does not answer")

    def _note_away(self, reason: str) -> None:
        with self._lock:
            first, self._failed_at = self._failed_at is None, time.monotonic()
        if first:  # once, not for each game of an outage
            log.warning("dice server away", extra={"reason": reason})

    def _note_there(self) -> None:
        with self._lock:
            first, self._failed_at = self._failed_at is not None, None
            self._answered_at = time.monotonic()
        if first:
            log.info("dice server answers again")


def checked_url(settings: ServerSettings) -> str:
    """The URL of the dice server, "" for none; RubiconError `serve/settings` for a bad setting."""
    url, key = settings.dice_server, settings.dice_server_key
    if key and (len(key) != 2 * SIZE or not set(key) <= LOWER_HEX):
        message = f"The setting dice_server_key cannot be {key[:80]!r}."
        suggestion = "Write the 64 digits that `rubicon dice serve` prints."
        raise RubiconError("serve/settings", message, suggestion)
    parts = urlsplit(url)
    if url and not (parts.scheme in ("http", "https") and parts.hostname and not parts.username):
        message = f"The setting dice_server cannot be {url[:80]!a}."
        raise RubiconError("serve/settings", message, "Write: https://dice.example.org")
    return url


def _refusal(status: int, answer: Any) -> DiceRefused:
    told = answer if isinstance(answer, dict) else {}
    code = str(told.get("code", f"http/{status}"))[:60]
    return DiceRefused(
        code, str(told.get("message", ""))[:300], str(told.get("suggestion", ""))[:300]
    )


# The public key of the dice server: the operator's setting, or that of its first answer.

NAME = "dice-server-key"  # among the server's secrets


def pinned_key(store: Store, expected: str = "") -> Callable[[bytes], bytes]:
    """A function that is given the key of an answer, and returns the right one.

    Where the operator expects none (64 hexadecimal digits), the first key is stored.
    """

    def kept(connection: Connection, found: bytes) -> bytes:
        columns = schema.secret.c
        wanted = select(columns.value).where(columns.name == NAME)
        known = connection.execute(wanted).scalar_one_or_none()
        if known is not None:
            return bytes(known)
        connection.execute(insert(schema.secret), {"name": NAME, "value": found})
        log.info("dice server key stored", extra={"key": found.hex()})
        return found

    def pin(found: bytes) -> bytes:
        if expected:
            return bytes.fromhex(expected)
        return store.write(lambda connection: kept(connection, found)).result()

    return pin


# The public log of an independent dice server, from a file or from the server itself.

LARGEST = 16_000_000  # bytes of a whole log: 16,384 requests, and the refusals
LOG_TIMEOUT = 20.0  # seconds for each part of a response
SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class ComparedLog:
    """Compares a transcript with the dice server's log of its game."""

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
    """The parts of a log in a file, one after the other as the dice server has sent them."""
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
            response = httpx.get(at, params={"after": after}, timeout=LOG_TIMEOUT)
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
        # Without progress too: a server that repeats itself would keep us here for ever.
        if behind <= after or behind + 1 >= part.total:
            return
        after = behind


def _log(value: Any) -> PublicLog:
    try:
        return PublicLog.read_alone(value, "log")
    except BadEntry as error:
        raise _no_log(f"This is no public log of a dice server: {error.message}") from error


def _no_log(message: str) -> DiceError:
    hint = "Get it: curl -o game.log DICE-SERVER/v1/games/GAME/log"
    return DiceError("dice/no-dice-log", message, hint)
