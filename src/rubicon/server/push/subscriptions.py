"""The devices of an account that get push messages: none until the person asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from rubicon.server.push.encryption import check_keys
from rubicon.server.push.endpoints import check_endpoint
from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now

MAX_DEVICES = 10  # of one account; a new one replaces the oldest
MAX_LABEL = 40  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class PushDevice:
    """A subscription as its browser gives it; keys in base64url."""

    endpoint: str
    p256dh: str
    auth: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """A device without its keys; `created` in milliseconds since 1970."""

    id: int
    label: str
    created: int


def subscribe(connection: Connection, account: str, device: PushDevice) -> int:
    """Send push messages to a device from now on; its id. Idempotent.

    TableError `push/endpoint`, `push/keys` or `push/label`. A device belongs to the account that
    signed in on it last.
    """
    check_endpoint(device.endpoint)
    check_keys(device.p256dh, device.auth)
    label = device.label.strip()
    if len(label) > MAX_LABEL or not label.isprintable():
        message = f"A device's label has at most {MAX_LABEL} printable characters."
        raise TableError("push/label", message, "Send a shorter one.")
    columns = schema.push_subscription.c
    forget_devices(connection, columns.endpoint == device.endpoint)
    own = select(columns.id).where(columns.account == account).order_by(columns.id.desc())
    surplus = connection.execute(own.offset(MAX_DEVICES - 1)).scalars().all()
    forget_devices(connection, columns.id.in_(surplus))
    row = {"account": account, "endpoint": device.endpoint, "p256dh": device.p256dh}
    row |= {"auth": device.auth, "label": label}
    stored = connection.execute(
        insert(schema.push_subscription).values(**row, created=now(connection))
    ).inserted_primary_key
    assert stored is not None
    return int(stored[0])


def devices_of(connection: Connection, account: str) -> list[KnownDevice]:
    """The devices of an account, the oldest first."""
    columns = schema.push_subscription.c
    wanted = select(columns.id, columns.label, columns.created).where(columns.account == account)
    return [KnownDevice(*row) for row in connection.execute(wanted.order_by(columns.id))]


def unsubscribe(connection: Connection, account: str, device: int | None) -> None:
    """Send nothing more to a device of an account, or (None) to all of them.

    TableError `push/unknown` for a device that is not the account's.
    """
    columns = schema.push_subscription.c
    own = columns.account == account
    if device is None:
        forget_devices(connection, own)
    elif not forget_devices(connection, own & (columns.id == device)):
        message = f"You have no device with the number {device}."
        raise TableError("push/unknown", message, "GET /api/v1/me/push lists your devices.")


def forget_devices(connection: Connection, which: ColumnElement[bool]) -> Sequence[int]:
    """Delete subscriptions and what waits for them; their ids."""
    columns = schema.push_subscription.c
    found = connection.execute(select(columns.id).where(which)).scalars().all()
    if found:
        waiting = schema.push_message.c.subscription.in_(found)
        connection.execute(delete(schema.push_message).where(waiting))
        connection.execute(delete(schema.push_subscription).where(columns.id.in_(found)))
    return found
