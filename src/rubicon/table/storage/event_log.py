"""The event log, the digests of its rows, and the list of games that have begun."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, insert, select, text, update

from rubicon.table.game.log_lines import ANSWERS, LineKind, LogLine, Undone, read_payload
from rubicon.table.storage import schema

# The event log of a game: numbered lines from which the game can be rebuilt.

_LINES = select(
    schema.log.c.log_index,
    schema.log.c.kind,
    schema.log.c.seat,
    schema.log.c.decision,
    schema.log.c.text,
    schema.log.c.at,
).order_by(schema.log.c.log_index)


_ANSWER = _LINES.where(
    schema.log.c.game == bindparam("game"),
    schema.log.c.seat == bindparam("seat"),
    schema.log.c.decision == bindparam("decision"),
    schema.log.c.kind.in_([kind.value for kind in ANSWERS]),
).limit(1)
_REPORT = _LINES.where(
    schema.log.c.game == bindparam("game"),
    schema.log.c.seat == bindparam("seat"),
    schema.log.c.decision == bindparam("decision"),
    schema.log.c.kind == LineKind.REPORT.value,
).limit(1)


def lines_of(connection: Connection, game: str, after: int = -1) -> list[LogLine]:
    """The lines of a game after a log index, in order."""
    wanted = _LINES.where(schema.log.c.game == game, schema.log.c.log_index > after)
    return [_line(row) for row in connection.execute(wanted)]


def first_answer(connection: Connection, game: str, seat: str, decision: int) -> LogLine | None:
    """The line with which a seat answered a decision; the log is the store of receipts."""
    key = {"game": game, "seat": seat, "decision": decision}
    row = connection.execute(_ANSWER, key).one_or_none()
    return None if row is None else _line(row)


def is_undone(connection: Connection, game: str, seat: str, decision: int) -> bool:
    """Whether the seat has taken back an action with which it, or its orders, answered."""
    columns = schema.log.c
    of_seat = select(columns.log_index, columns.text).where(
        columns.game == game, columns.seat == seat
    )
    actions = of_seat.where(columns.decision == decision, columns.kind == LineKind.ACTION.value)
    undos = of_seat.where(columns.log_index > decision, columns.kind == LineKind.UNDO.value)
    done = {row.log_index for row in connection.execute(actions)}
    undone = (read_payload(LineKind.UNDO, row.text) for row in connection.execute(undos))
    return any(isinstance(says, Undone) and says.index in done for says in undone)


def report_of(connection: Connection, game: str, seat: str, decision: int) -> LogLine | None:
    """The report of the orders for a decision; None while they are running."""
    key = {"game": game, "seat": seat, "decision": decision}
    row = connection.execute(_REPORT, key).one_or_none()
    return None if row is None else _line(row)


def _line(row: Any) -> LogLine:
    index, kind, seat, decision, text, at = row
    return LogLine(index=index, kind=LineKind(kind), seat=seat, decision=decision, text=text, at=at)


# Digests of what is stored of a game, so that a change behind the table's back is found.
#
# `game.digest` is the sum, modulo 2^256, of the SHA-256 of each line of its log and of each
# notification: a row that is changed, added or deleted changes the sum, and rows can be added in
# any order. `game.seats_digest` is the SHA-256 of its seats and their owners since the beginning.
# No key is used: a person who can write to the database can compute them again. They find
# mistakes, and forgers who do not know them; against the operator only what players keep
# elsewhere helps.

LINE = ("log_index", "kind", "seat", "decision", "text", "at")
NOTIFICATION = ("log_index", "seat", "kind", "body", "at")
_LINE_VALUES, _NOTIFICATION_VALUES = itemgetter(*LINE), itemgetter(*NOTIFICATION)
_SIZE = 2**256
_encode = msgspec.json.Encoder().encode
Row = Mapping[str, Any]


def with_rows(digest: str, lines: Iterable[Row], notifications: Iterable[Row]) -> str:
    """The digest of a game after more lines and notifications; `digest` is "" at its beginning."""
    total = int(digest or "0", 16)
    for row in lines:
        total += _of("line", _LINE_VALUES(row))
    for row in notifications:
        total += _of("notification", _NOTIFICATION_VALUES(row))
    return f"{total % _SIZE:064x}"


def line_hash(row: Row) -> str:
    """The SHA-256 of one line of a log, as lower-case hex digits."""
    return f"{_of('line', _LINE_VALUES(row)):064x}"


def add_notification(connection: Connection, row: Row) -> None:
    """Add a stored notification to its game's digest; the caller has locked the game's row."""
    games = schema.game.c
    own = select(games.digest).where(games.id == row["game"])
    digest = with_rows(connection.execute(own).scalar_one(), [], [row])
    change = update(schema.game).where(games.id == row["game"])
    connection.execute(change.values(digest=digest))


def seats_digest(connection: Connection, game: str) -> str:
    """The digest of the seats of a game and their owners; names are left out."""
    seat = schema.seat.c
    wanted = select(seat.number, seat.colour, seat.account, seat.bot).where(seat.game == game)
    rows = [list(row) for row in connection.execute(wanted.order_by(seat.number))]
    return hashlib.sha256(json.dumps(["seats", rows]).encode()).hexdigest()


def seal_seats(connection: Connection, games: Sequence[str]) -> None:
    """Store the digests of the seats of these games anew, after their owners have changed."""
    columns = schema.game.c
    begun = select(columns.id).where(columns.id.in_(games), columns.head >= 0)
    for game in connection.execute(begun.order_by(columns.id)).scalars().all():
        change = update(schema.game).where(columns.id == game)
        connection.execute(change.values(seats_digest=seats_digest(connection, game)))


def _of(kind: str, values: Sequence[Any]) -> int:
    text = _encode([kind, *values])
    return int.from_bytes(hashlib.sha256(text).digest())


# Checkpoints: a numbered list of the games that have begun, so that a deleted game is missed.
#
# The hash of a row covers the row before it, the game and the first line of its log. A gap in the
# numbers, or a game that is not stored any more, shows a deletion. That the last games were
# deleted together with their checkpoints shows only a checkpoint that was kept elsewhere.

FIRST = "0" * 64  # the hash before the first checkpoint
# Two servers must not give the same number: the second one waits until the first has committed.
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(7461032)")


def add_checkpoint(connection: Connection, begin: Row) -> None:
    """Add a game that begins; `begin` is the row of the first line of its log."""
    if connection.dialect.name == "postgresql":
        connection.execute(_ONE_AT_A_TIME)
    columns = schema.checkpoint.c
    last = select(columns.number, columns.hash).order_by(columns.number.desc()).limit(1)
    number, before = connection.execute(last).one_or_none() or (0, FIRST)
    row = {"number": number + 1, "game": begin["game"]}
    row["hash"] = next_hash(before, number + 1, begin)
    connection.execute(insert(schema.checkpoint), row)


def next_hash(before: str, number: int, begin: Row) -> str:
    """The hash of a checkpoint after the one with the hash `before`."""
    covered = json.dumps([before, number, begin["game"], line_hash(begin)])
    return hashlib.sha256(covered.encode()).hexdigest()


def beginnings(connection: Connection) -> dict[str, Row]:
    """The first line of each log, by game."""
    log = schema.log.c
    wanted = select(log.game, *(log[name] for name in LINE)).where(log.log_index == 0)
    return {row.game: dict(row._mapping) for row in connection.execute(wanted)}
