"""Everything that is stored about a person: exported to them, or erased for them."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, delete, select, update

from rubicon.server.push.subscriptions import forget_devices
from rubicon.server.webhooks.registry import forget_webhooks
from rubicon.table.lobby.departure import depart
from rubicon.table.storage import schema

ERASED_NAME = "gone"


def export_account(connection: Connection, account: str) -> dict[str, Any]:
    """The account's row, its tokens without secrets, seats, chat, hosted games, devices and
    passkeys."""

    def rows(condition: Any, *columns: Any) -> list[dict[str, Any]]:
        found = connection.execute(select(*columns).where(condition))
        return [dict(row._mapping) for row in found]

    seat, chat, token, game = schema.seat.c, schema.chat.c, schema.token.c, schema.game.c
    device, passkey = schema.push_subscription.c, schema.passkey.c
    hook = schema.webhook.c
    (own,) = rows(schema.account.c.id == account, *schema.account.c)
    return {
        "account": own | {"settings": json.loads(own["settings"])},
        "tokens": rows(
            token.account == account, token.label, token.kind, token.created, token.email
        ),
        "seats": rows(seat.account == account, seat.game, seat.colour, seat.name),
        "chat": rows(chat.account == account, chat.game, chat.to, chat.text, chat.at),
        "hosted": rows(game.host == account, game.id),
        "devices": rows(device.account == account, device.endpoint, device.label, device.created),
        "webhooks": rows(hook.account == account, hook.url, hook.form, hook.label, hook.created),
        "passkeys": rows(passkey.account == account, passkey.name, passkey.created, passkey.used),
    }


def erase_account(connection: Connection, account: str) -> list[str]:
    """Erase a person inside an open transaction: name, address, tokens, chat, devices and
    passkeys.

    The account departs from its tables: lobbies pass to the next person, and its seats in running
    games are treated as absent. Seats stay in games under the name of their colour. Returns the
    tables in the lobby that have changed.
    """
    tables = depart(connection, account)
    chat = schema.chat
    connection.execute(delete(chat).where(chat.c.account == account))
    connection.execute(delete(schema.kicked).where(schema.kicked.c.account == account))
    connection.execute(delete(schema.token).where(schema.token.c.account == account))
    forget_webhooks(connection, schema.webhook.c.account == account)
    connection.execute(delete(schema.news).where(schema.news.c.account == account))
    for table in (schema.mail_token, schema.mail_code, schema.mail_answer):
        connection.execute(delete(table).where(table.c.account == account))
    own = select(schema.account.c.email).where(schema.account.c.id == account).scalar_subquery()
    connection.execute(delete(schema.mail_join).where(schema.mail_join.c.address == own))
    forget_devices(connection, schema.push_subscription.c.account == account)
    connection.execute(delete(schema.passkey).where(schema.passkey.c.account == account))
    blank = {"name": ERASED_NAME, "email": None, "settings": "{}", "unreachable": None}
    connection.execute(update(schema.account).where(schema.account.c.id == account).values(**blank))
    return tables
