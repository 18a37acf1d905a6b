"""What a server answers, read with bounds, and the errors of the API as the client raises them."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypedDict, TypeVar

import httpx
import msgspec

from rubicon.dice.client import Alarm

# Errors.


class ApiError(Exception):
    """An error of the API: `code` is stable, `status` the HTTP status (0 without a response).

    `body` is the whole JSON object, with fields such as `decision` and `problems`.
    """

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(body.get("code", ""))
        self.body = dict(body)
        super().__init__(f"{body.get('message', '')} {body.get('suggestion', '')}".strip())


class DiceAlarm(Exception):
    """The server did with the dice what an honest server does not do; no more links are given.

    Raised once by the next call for the game. `alarms` says what was seen, `journal` is the file
    with the evidence.
    """

    def __init__(self, game: str, alarms: Sequence[Alarm], journal: Path) -> None:
        self.game = game
        self.alarms = tuple(alarms)
        self.journal = journal
        self.code = alarms[0].code
        seen = " ".join(map(str, alarms))
        honest = (
            "An honest server does this only after a restore; the game then continues as a fork"
            if self.code == "lines-lost"
            else "An honest server does not do this"
        )
        super().__init__(
            f"Do not trust the dice of game {game}: {seen} {honest}; your program gives no"
            f" further links. Warn the other players, keep {journal}, get"
            f" the transcript, and run: rubicon verify --journal {journal} TRANSCRIPT"
        )


# What a program reads of the server's answers; every answer has more, and may have more yet.

# Beyond this a number is no count, index or time, and `datetime` and the screen cannot show it.
Whole = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]


class SeatAnswer(TypedDict):
    """A seat of a running game."""

    colour: str
    name: str
    bot: str | None


class GameAnswer(TypedDict):
    """The state of a game for one seat; `text` is its position in one line."""

    you: str | None
    seats: list[SeatAnswer]
    index: Whole
    decision: Whole | None
    deadlines: dict[str, Whole | None]
    now: Whole
    result: str | None
    text: str


class EventAnswer(TypedDict):
    """A line of the event log."""

    index: Whole
    kind: str
    body: Any


class FactAnswer(TypedDict, total=False):
    """What an event of the kind `events` tells: an event of the game, or a public log line."""

    event: str
    seat: str | None


class ChatAnswer(TypedDict):
    """A line of the chat; `to` is "" for all, `seat` "" where its author has left."""

    id: Whole
    seat: str
    to: str
    text: str


class TableSeatAnswer(TypedDict):
    """A seat of a table."""

    name: str
    free: bool


class PlaceAnswer(TableSeatAnswer):
    """A seat of a table with its colour, and who sits there."""

    colour: str
    bot: str | None
    host: bool


class ListedAnswer(TypedDict):
    """A table in any list."""

    id: str
    title: str
    state: str
    your_seat: str | None
    you_host: bool


class TableAnswer(ListedAnswer):
    """A table, as it is told line by line."""

    board: str
    seats: list[TableSeatAnswer]


class RoomAnswer(ListedAnswer):
    """A table before its game starts."""

    ruleset: str
    board: str
    seats: list[PlaceAnswer]


class RulesAnswer(TypedDict):
    """The rules of a table in a search."""

    name: str
    title: str
    board: str


class ClockAnswer(TypedDict):
    """The clock of a table: `none`, `live` or `days`; seconds for a decision."""

    kind: str
    decision_time: Whole


class MoveAnswer(TypedDict):
    """A seat that must decide, and until when, in milliseconds since 1970."""

    colour: str
    until: Whole | None


class ProgressAnswer(TypedDict):
    """How far a running game is, and for whom it waits."""

    round: Whole
    phase: str
    moving: list[MoveAnswer]
    paused: bool


class FoundAnswer(ListedAnswer):
    """A table that a search finds."""

    ruleset: RulesAnswer
    clock: ClockAnswer
    seats: list[PlaceAnswer]
    needs_you: bool
    game: ProgressAnswer | None


class InviteAnswer(TypedDict):
    """The invite links of a table."""

    url: str | None
    email: str | None
    seats: dict[str, str] | None


# What a server answers, read with bounds: a broken or hostile one costs no endless time or
# memory.
#
# Whatever is no answer of Rubicon's is an ApiError `http/bad-answer` with the status 502, as if
# what is before the server had answered: such answers do not last.

Json = dict[str, Any]
Kind = TypeVar("Kind")
MOST_BYTES = 64 * 1024 * 1024  # of one answer: a record or a transcript of the longest game fits
LONGEST = 120.0  # seconds for one answer, however slowly its bytes come
MOST_LINE = 4 * 1024 * 1024  # bytes of one line of an event stream
MOST_EVENTS = 1000  # that one cursor is for
SHOWN = 200  # characters of an answer in a message


def bad_answer(why: str) -> ApiError:
    """The error for an answer that is none."""
    body = {
        "code": "http/bad-answer",
        "message": f"This is no answer of a Rubicon server: {why}.",
        "suggestion": "Check the address, and whether this program is as new as the server.",
    }
    return ApiError(502, body)


def whole(response: httpx.Response) -> httpx.Response:
    """The same response with its whole body, which is at most MOST_BYTES long."""
    parts: list[bytes] = []
    size, end = 0, time.monotonic() + LONGEST
    try:
        for part in response.iter_bytes():
            size += len(part)
            if size > MOST_BYTES:
                raise bad_answer(f"it has more than {MOST_BYTES:,} bytes")
            if time.monotonic() > end:
                raise bad_answer(f"it takes longer than {LONGEST:.0f} seconds")
            parts.append(part)
    except httpx.DecodingError as error:
        raise bad_answer("its compression is broken") from error
    # The bytes are those after the compression, and are here at once.
    headers = httpx.Headers(response.headers)
    for name in ("content-encoding", "content-length", "transfer-encoding"):
        headers.pop(name, None)
    return httpx.Response(
        response.status_code, headers=headers, content=b"".join(parts), request=response.request
    )


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise bad_answer("it is not JSON") from error


def of_type(answer: Any, kind: type[Kind]) -> Kind:
    """An answer that must have this type; fields that are not declared are left out."""
    try:
        return msgspec.convert(answer, kind)
    except msgspec.ValidationError as error:
        raise bad_answer(f"it is no {kind.__name__}") from error


def answer_field(answer: Any, name: str, kind: type[Kind]) -> Kind:
    """A field of an answer, of this type."""
    found = answer.get(name) if isinstance(answer, dict) else None
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        raise bad_answer(f"{name!r} is missing, or is no {kind.__name__}") from error


def error_of(response: httpx.Response) -> ApiError:
    """What a response without success says."""
    if response.is_redirect:
        where = response.headers.get("location", "")[:SHOWN]
        body = {
            "code": "http/redirect",
            "message": f"The server sends this program to another address: {where}",
            "suggestion": "Your account is not shown there. If you trust it, name it yourself.",
        }
        return ApiError(response.status_code, body)
    try:
        found = json.loads(response.content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        code = f"http/{response.status_code}"
        found = {"code": code, "message": " ".join(response.text[:SHOWN].split())}
    return ApiError(response.status_code, found)


def wait_wanted(response: httpx.Response) -> float:
    """The seconds that a server asks for before the next attempt; 1 where it says nothing clear."""
    try:
        wanted = float(response.headers.get("retry-after", "1"))
    except ValueError:  # a date
        return 1.0
    return max(0.0, wanted) if math.isfinite(wanted) else 1.0


def lines_of(parts: Iterable[bytes]) -> Iterator[str]:
    """The lines of an event stream."""
    rest = b""
    for part in parts:
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")
        if len(rest) > MOST_LINE:
            raise bad_answer(f"a line of its stream has more than {MOST_LINE:,} bytes")


def read_events(lines: Iterable[str], *, pulses: bool = False) -> Iterator[Json]:
    """Server-sent events as JSON objects, each with the `cursor` after which a stream resumes.

    With `pulses` a comment, by which the server shows that it lives, is an event too.
    """
    pending: list[Json] = []
    for line in lines:
        if line.startswith("data: "):
            event = read_json(line[6:])
            answer_field(event, "kind", str)
            pending.append(event)
            if len(pending) > MOST_EVENTS:
                raise bad_answer("its stream has no cursors")
        elif pulses and line.startswith(":"):
            yield {"kind": "pulse"}
        elif line.startswith("id: "):
            for event in pending:
                yield event | {"cursor": line[4:]}
            pending = []
