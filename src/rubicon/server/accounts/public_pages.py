"""Which accounts have a public page: saved ones, unless their owner hides it."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, select

from rubicon.table.storage import schema


@dataclass(frozen=True, slots=True)
class SeatOwner:
    """What others may know of the owner of a seat; `seen` in milliseconds since 1970."""

    page: str | None  # the id of the public page
    seen: int


def seat_owners(connection: Connection, accounts: Collection[str]) -> dict[str, SeatOwner]:
    """The owners of seats, by account."""
    columns = schema.account.c
    wanted = select(columns.id, columns.email, columns.settings, columns.seen)
    rows = connection.execute(wanted.where(columns.id.in_(accounts)))
    return {row.id: SeatOwner(row.id if has_page(row) else None, row.seen) for row in rows}


def has_page(row: object) -> bool:
    """Whether the account of a row (`email`, `settings`) has a public page."""
    email, settings = getattr(row, "email", None), getattr(row, "settings", "")
    return email is not None and bool(json.loads(settings or "{}").get("listed", True))
