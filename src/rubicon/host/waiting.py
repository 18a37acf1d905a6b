"""Notices that wait for a letter: found, claimed by one host, and told what became of them.

`rubicon.table.letters` says what `notice.sent` means. Times are milliseconds since 1970.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, not_, or_, select, update

from rubicon.table import schema
from rubicon.table.letters import WAITS
from rubicon.table.lines import ANSWERS

_ADDRESS = schema.account.c.email.is_not(None)
_ANSWERED = exists().where(
    schema.log.c.game == schema.notice.c.game,
    schema.log.c.entry > schema.notice.c.entry,
    schema.log.c.seat == schema.notice.c.seat,
    schema.log.c.duty >= 0,
    schema.log.c.kind.in_([kind.value for kind in ANSWERS]),
)
_STALE = _ANSWERED.label("stale")


@dataclass(frozen=True, slots=True)
class WaitingNotice:
    """A notice that waits, and whom it is for."""

    id: int
    game: str
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
    wanted: bool  # whether there is anybody who wants to be told, and has not answered yet


def idle(connection: Connection, at: int, after: int, most: int) -> list[int]:
    """New notices that need no letter: nobody has an address, or it was answered since.

    They are by far the most, so that they are told apart where they lie.
    """
    notice = schema.notice.c
    idly = or_(not_(_reader().where(_ADDRESS).exists()), _ANSWERED)
    wanted = select(notice.id).where(schema.WAITING, *_new(at, after), idly)
    return list(connection.execute(wanted.order_by(notice.at).limit(most)).scalars())


def let_be(connection: Connection, ids: Sequence[int]) -> None:
    """These need no letter, unless somebody else has taken them up."""
    notice = schema.notice.c
    free = select(notice.id).where(notice.id.in_(ids), notice.sent == WAITS)
    locked = free.order_by(notice.id).with_for_update(skip_locked=True).scalar_subquery()
    change = update(schema.notice).where(notice.id.in_(locked))
    connection.execute(change.values(sent=None))


def waiting(connection: Connection, at: int, after: int, most: int) -> list[WaitingNotice]:
    """What is due: new ones that are `after` milliseconds old, and those that have rested."""
    notice = schema.notice.c
    new = (*_new(at, after), _ADDRESS, not_(_ANSWERED))
    rested = (notice.sent < WAITS, notice.sent >= -at)
    return [
        _waiting(row) for due in (new, rested) for row in connection.execute(_due(*due).limit(most))
    ]


def _new(at: int, after: int) -> tuple[ColumnElement[bool], ...]:
    return schema.notice.c.sent == WAITS, schema.notice.c.at <= at - after


def _reader() -> Select[Any]:
    """The account whose seat a notice is for."""
    notice, seat, account = schema.notice.c, schema.seat.c, schema.account.c
    joined = select(account.id).join(schema.seat, seat.account == account.id)
    here = and_(seat.game == notice.game, seat.colour == notice.seat)
    return joined.where(here).correlate(schema.notice)


def _due(*due: ColumnElement[bool]) -> Select[Any]:
    """Notices with everything that a letter of them needs."""
    notice, seat, account, game = (
        table.c for table in (schema.notice, schema.seat, schema.account, schema.game)
    )
    sat = and_(seat.game == notice.game, seat.colour == notice.seat)
    return (
        select(schema.notice, game.title, game.head, game.settings.label("kept"), seat.name)
        .add_columns(account.id.label("account"), account.email, account.settings, _STALE)
        .join(schema.game, game.id == notice.game)
        .outerjoin(schema.seat, sat)
        .outerjoin(schema.account, account.id == seat.account)
        .where(schema.WAITING, *due)
        .order_by(notice.sent, notice.at)
    )


def _waiting(row: Any) -> WaitingNotice:
    wishes = json.loads(row.settings or "{}")
    return WaitingNotice(
        row.id,
        row.game,
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
        row.email or "",
        bool(row.email) and not row.stale and wishes.get("letters", True),
    )


def mark(connection: Connection, marks: Sequence[tuple[WaitingNotice, int | None]]) -> set[int]:
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


def settle(connection: Connection, notice: int, claim: int | None, sent: int | None) -> None:
    """Say what became of a letter that was claimed, unless somebody else has claimed it since."""
    held = and_(schema.notice.c.id == notice, schema.notice.c.sent == claim)
    connection.execute(update(schema.notice).where(held).values(sent=sent))
