"""Notices that wait for a letter: found, claimed by one host, and told what became of them.

`rubicon.table.letters` says what `notice.sent` means. Times are milliseconds since 1970.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, exists, select, update

from rubicon.table import schema
from rubicon.table.letters import WAITS
from rubicon.table.lines import Kind

LOOKED_BACK = 500  # lines
ANSWERS = (Kind.ORDERS.value, Kind.ACTION.value, Kind.UNDO.value)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A notice that waits, and whom it is for; `email` "" where nobody is to be written to."""

    id: int
    game: str
    entry: int
    seat: str
    kind: str
    body: Mapping[str, Any]
    at: int
    sent: int
    title: str
    settings: str  # of the table, as JSON
    head: int  # of the game
    account: str
    name: str
    email: str
    answered: bool  # whether the seat has handed something in since


def waiting(connection: Connection, at: int, after: int, most: int) -> list[Waiting]:
    """What is due: new ones that are `after` milliseconds old, and those that have rested."""
    notice = schema.notice.c
    new = and_(notice.sent == WAITS, notice.at <= at - after)
    rested = and_(notice.sent < WAITS, notice.sent >= -at)
    return _found(connection, new, most) + _found(connection, rested, most)


def _found(connection: Connection, due: ColumnElement[bool], most: int) -> list[Waiting]:
    notice, seat, account, game = (
        table.c for table in (schema.notice, schema.seat, schema.account, schema.game)
    )
    log = schema.log.c
    since = and_(log.game == notice.game, log.entry > notice.entry, log.seat == notice.seat)
    answered = exists().where(since, log.duty >= 0, log.kind.in_(ANSWERS))
    wanted = (
        select(schema.notice, game.title, game.head, game.settings.label("kept"), seat.name)
        .add_columns(account.id.label("account"), account.email, account.settings)
        .add_columns(and_(account.email.is_not(None), answered).label("answered"))
        .join(schema.game, game.id == notice.game)
        .outerjoin(schema.seat, and_(seat.game == notice.game, seat.colour == notice.seat))
        .outerjoin(schema.account, account.id == seat.account)
        .where(schema.WAITING, due)
        .order_by(notice.sent, notice.at)
        .limit(most)
    )
    return [_waiting(row) for row in connection.execute(wanted)]


def _waiting(row: Any) -> Waiting:
    wishes = json.loads(row.settings or "{}")
    email = row.email if row.email and wishes.get("letters", True) else ""
    return Waiting(
        row.id,
        row.game,
        row.entry,
        row.seat,
        row.kind,
        json.loads(row.body),
        row.at,
        row.sent,
        row.title,
        row.kept,
        row.head,
        row.account or "",
        row.name or "",
        email,
        bool(row.answered),
    )


def mark(connection: Connection, marks: Sequence[tuple[Waiting, int | None]]) -> set[int]:
    """Give notices another `sent`, each only if nobody else has; which were given it."""
    notice = schema.notice.c
    seen = {waits.id: waits.sent for waits, _ in marks}
    wanted = select(notice.id, notice.sent).where(notice.id.in_(seen)).order_by(notice.id)
    rows = connection.execute(wanted.with_for_update(skip_locked=True))
    ours = {row.id for row in rows if row.sent == seen[row.id]}
    groups: dict[int | None, list[int]] = {}
    for waits, sent in marks:
        if waits.id in ours:
            groups.setdefault(sent, []).append(waits.id)
    for sent, ids in groups.items():
        connection.execute(update(schema.notice).where(notice.id.in_(ids)).values(sent=sent))
    return ours


def settle(connection: Connection, notice: int, claim: int, sent: int | None) -> None:
    """Say what became of a letter that was claimed, unless somebody else has claimed it since."""
    held = and_(schema.notice.c.id == notice, schema.notice.c.sent == claim)
    connection.execute(update(schema.notice).where(held).values(sent=sent))


def by_itself(connection: Connection, game: str, seat: str, duty: int) -> bool:
    """Whether a duty follows from the seat's own last decision: then its owner is there anyway.

    What orders have done counts as theirs from when they were handed in: where somebody else has
    decided something since, they were not there.
    """
    log = schema.log.c
    kinds = (*ANSWERS, Kind.REPORT.value)
    wanted = select(log.seat, log.kind, log.duty).where(
        log.game == game, log.entry <= duty, log.kind.in_(kinds)
    )
    reported: set[int] = set()
    for line in connection.execute(wanted.order_by(log.entry.desc()).limit(LOOKED_BACK)):
        if line.kind == Kind.REPORT:
            if line.seat == seat:
                reported.add(line.duty)
        elif line.seat != seat:
            return False
        elif line.kind != Kind.ACTION or line.duty not in reported:
            return True
    return False
