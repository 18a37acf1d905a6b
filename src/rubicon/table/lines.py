"""The log of a game: numbered lines from which everything can be rebuilt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, bindparam, select

from rubicon.table import schema

NO_DUTY = -1


class Kind(StrEnum):
    """What a line of the log says; `text` is…"""

    BEGIN = "begin"  # the record's headers, as JSON
    ORDERS = "orders"  # a whole text of orders, as it was sent
    ACTION = "action"  # a decision, in the words of docs/notation.md
    REQUEST = "request"  # the request id that the dice chain holds, or "typed"
    OUTCOME = "outcome"  # what chance answered, in the words of docs/notation.md
    DEPOSIT = "deposit"  # a seat's own hash chain begins: its length and its end
    LINK = "link"  # the seat's own link for the request that waits
    SILENT = "silent"  # the seat gave no link in time: its hash chain ends
    REPORT = "report"  # how far the orders came, as JSON
    UNDO = "undo"  # the entry of the decision that is taken back
    BOT = "bot"  # the bot that plays the seat from here; "" gives it back
    VOTE = "vote"  # a motion, or a motion withdrawn (`-draw`)
    PAUSE = "pause"  # "on" or "off"
    EXTEND = "extend"  # whoever is asked has the time of a duty once more
    WARNED = "warned"  # the seat was told that its time is running out
    LATE = "late"  # the seat's time is over, and the table waits
    AWAY = "away"  # the first and last day of an absence and the bot meanwhile; "" when it is over
    FORK = "fork"  # an earlier entry, and the game that goes on from it instead of this one
    END = "end"  # a winner's colour, "draw" or "void", and why


ANSWERS = (Kind.ORDERS, Kind.ACTION, Kind.UNDO)  # what a seat hands in for what it is asked


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of the log."""

    entry: int
    kind: Kind
    seat: str
    duty: int
    text: str
    at: int  # milliseconds since 1970

    def row(self, game: str) -> dict[str, Any]:
        """As it is stored."""
        return {
            "game": game,
            "entry": self.entry,
            "kind": self.kind.value,
            "seat": self.seat,
            "duty": self.duty,
            "text": self.text,
            "at": self.at,
        }


_LINES = select(
    schema.log.c.entry,
    schema.log.c.kind,
    schema.log.c.seat,
    schema.log.c.duty,
    schema.log.c.text,
    schema.log.c.at,
).order_by(schema.log.c.entry)


_ANSWER = _LINES.where(
    schema.log.c.game == bindparam("game"),
    schema.log.c.seat == bindparam("seat"),
    schema.log.c.duty == bindparam("duty"),
    schema.log.c.kind.in_([kind.value for kind in ANSWERS]),
).limit(1)
_REPORT = _LINES.where(
    schema.log.c.game == bindparam("game"),
    schema.log.c.seat == bindparam("seat"),
    schema.log.c.duty == bindparam("duty"),
    schema.log.c.kind == Kind.REPORT.value,
).limit(1)


def lines_of(connection: Connection, game: str, after: int = -1) -> list[Line]:
    """The lines of a game behind an entry, in order."""
    wanted = _LINES.where(schema.log.c.game == game, schema.log.c.entry > after)
    return [_line(row) for row in connection.execute(wanted)]


def first_answer(connection: Connection, game: str, seat: str, duty: int) -> Line | None:
    """What a seat handed in for a duty: the log is the receipt."""
    key = {"game": game, "seat": seat, "duty": duty}
    row = connection.execute(_ANSWER, key).one_or_none()
    return None if row is None else _line(row)


def report_of(connection: Connection, game: str, seat: str, duty: int) -> Line | None:
    """How far the orders came that a seat handed in for a duty; None while they are under way."""
    key = {"game": game, "seat": seat, "duty": duty}
    row = connection.execute(_REPORT, key).one_or_none()
    return None if row is None else _line(row)


def _line(row: Any) -> Line:
    return Line(row.entry, Kind(row.kind), row.seat, row.duty, row.text, row.at)
