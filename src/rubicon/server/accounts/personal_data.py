"""Everything that is stored about a person: exported to them, or erased for them."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, delete, select, update

from rubicon.table.storage import schema

ERASED_NAME = "gone"


def export_account(connection: Connection, account: str) -> dict[str, Any]:
    """The account's row, its tokens without their secrets, its seats, chat and hosted games."""

    def rows(condition: Any, *columns: Any) -> list[dict[str, Any]]:
        found = connection.execute(select(*columns).where(condition))
        return [dict(row._mapping) for row in found]

    seat, chat, token, game = schema.seat.c, schema.chat.c, schema.token.c, schema.game.c
    (own,) = rows(schema.account.c.id == account, *schema.account.c)
    return {
        "account": own | {"settings": json.loads(own["settings"])},
        "tokens": rows(
            token.account == account, token.label, token.kind, token.created, token.email
        ),
        "seats": rows(seat.account == account, seat.game, seat.colour, seat.name),
        "chat": rows(chat.account == account, chat.game, chat.to, chat.text, chat.at),
        "hosted": rows(game.host == account, game.id),
    }


def erase_account(connection: Connection, account: str) -> None:
    """Erase a person inside an open transaction: name, address, tokens and chat are deleted.

    Seats stay in their games under the name of their colour, so that games remain complete.
    """
    seat, chat, game = schema.seat, schema.chat, schema.game
    own_seats = seat.c.account == account
    connection.execute(update(seat).where(own_seats).values(name=seat.c.colour, account=None))
    connection.execute(delete(chat).where(chat.c.account == account))
    connection.execute(delete(schema.kicked).where(schema.kicked.c.account == account))
    connection.execute(update(game).where(game.c.host == account).values(host=None))
    connection.execute(delete(schema.token).where(schema.token.c.account == account))
    blank = {"name": ERASED_NAME, "email": None, "settings": "{}"}
    connection.execute(update(schema.account).where(schema.account.c.id == account).values(**blank))
