"""The event log of a game: numbered lines from which the game can be rebuilt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, bindparam, select

from rubicon.table.storage import schema

NO_DECISION = -1


class LineKind(StrEnum):
    """The kind of a log line; the comment describes its `text`."""

    BEGIN = "begin"  # the record's headers, as JSON
    ORDERS = "orders"  # the text of orders, as it was sent
    ACTION = "action"  # an action, in the notation of docs/notation.md
    SIGNED = "signed"  # a client's signature of the decision in the next line, as JSON
    REQUEST = "request"  # the number of the request in the dice transcript, or "typed"
    OUTCOME = "outcome"  # the outcome of chance, in the notation of docs/notation.md
    PRESENCE = "presence"  # who takes part in the dice: kind and id of the transcript's line
    LINK = "link"  # a participant, its link for the pending request, and its signature
    SILENT = "silent"  # a participant that gave no link in time
    SEALED = "sealed"  # the salted hash of a seat's placement, as the transcript's line has it
    OPENED = "opened"  # what a seat had sealed, the same
    REPORT = "report"  # the result of orders, as JSON
    UNDO = "undo"  # the log index of the action that is undone
    BOT = "bot"  # the stand-in bot of the seat; "" ends it
    VOTE = "vote"  # a motion; `-draw` withdraws the vote
    PAUSE = "pause"  # "on" or "off"
    EXTEND = "extend"  # empty: pending decisions get their time once more
    WARNED = "warned"  # empty: the seat was warned of its deadline
    LATE = "late"  # empty: the seat's deadline has passed, and the policy is to wait
    AWAY = "away"  # the first and last day of an absence, and its bot; "" ends it
    ERASED = "erased"  # empty: the seat's owner has erased their account
    # Lines of the dice transcript that this server has signed and has no longer, as a client was
    # shown them, behind the number of the first one. The game stops: it only goes on as a fork.
    LOST_LINES = "lost-lines"
    MASTER = "master"  # a request of the game master, as docs/orders.md writes it
    FORK = "fork"  # an earlier log index, and the game that continues from it
    END = "end"  # the winner's colour, "draw" or "void", and the reason


ANSWERS = (
    LineKind.ORDERS,
    LineKind.ACTION,
    LineKind.UNDO,
)  # lines that answer a decision


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One line of the log. `payload` is the parsed `text` of a new line; it is not stored."""

    index: int
    kind: LineKind
    seat: str = ""
    decision: int = NO_DECISION
    text: str = ""
    at: int  # milliseconds since 1970
    payload: Any = field(default=None, compare=False, repr=False)

    def row(self, game: str) -> dict[str, Any]:
        """The row in the table `log`."""
        return {
            "game": game,
            "log_index": self.index,
            "kind": self.kind.value,
            "seat": self.seat,
            "decision": self.decision,
            "text": self.text,
            "at": self.at,
        }


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


def first_lost(line: LogLine) -> int:
    """The number of the first dice line that a line LOST_LINES says is lost."""
    return int(line.text.partition("\n")[0])


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
    done = {str(row.log_index) for row in connection.execute(actions)}
    return any(row.text in done for row in connection.execute(undos))


def report_of(connection: Connection, game: str, seat: str, decision: int) -> LogLine | None:
    """The report of the orders for a decision; None while they are running."""
    key = {"game": game, "seat": seat, "decision": decision}
    row = connection.execute(_REPORT, key).one_or_none()
    return None if row is None else _line(row)


def _line(row: Any) -> LogLine:
    index, kind, seat, decision, text, at = row
    return LogLine(index=index, kind=LineKind(kind), seat=seat, decision=decision, text=text, at=at)
