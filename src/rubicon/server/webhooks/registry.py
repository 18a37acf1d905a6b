"""The webhooks of accounts: none until the person adds one."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from rubicon.server.push.endpoints import host_or_fault
from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now

MAX_WEBHOOKS = 5  # of one account
MAX_LABEL = 40  # characters
KEY_PREFIX = "whsec_"  # of a secret in text, as in the Standard Webhooks specification


class WebhookForm(StrEnum):
    """What a webhook is sent: an object for programs, or a message for a Discord channel."""

    JSON = "json"
    DISCORD = "discord"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWebhook:
    """A webhook as a person names it."""

    url: str
    form: WebhookForm = WebhookForm.JSON
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWebhook:
    """A webhook without its secret and without its address, which may be a secret too.

    `created` in milliseconds since 1970.
    """

    id: int
    host: str
    form: WebhookForm
    label: str
    created: int


def add_webhook(connection: Connection, account: str, wanted: NewWebhook) -> tuple[int, str]:
    """Send the account's notifications to a URL from now on; its number and its secret.

    TableError `webhook/url`, `webhook/label` or `webhook/too-many`.
    """
    _, fault = host_or_fault(wanted.url)
    if fault:
        message = f"This URL cannot be used: {fault}."
        raise TableError("webhook/url", message, "Write it as https://example.org/path.")
    label = wanted.label.strip()
    if len(label) > MAX_LABEL or not label.isprintable():
        message = f"A webhook's label has at most {MAX_LABEL} printable characters."
        raise TableError("webhook/label", message, "Send a shorter one.")
    columns = schema.webhook.c
    row = select(schema.account.c.id).where(schema.account.c.id == account)
    connection.execute(row.with_for_update())  # serialises requests of one account
    counted = select(func.count()).where(columns.account == account)
    if connection.execute(counted).scalar_one() >= MAX_WEBHOOKS:
        message = f"An account can have at most {MAX_WEBHOOKS} webhooks."
        raise TableError("webhook/too-many", message, "Remove one that is not used.")
    secret = KEY_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()
    values: dict[str, object] = {"account": account, "url": wanted.url, "form": wanted.form.value}
    values |= {"secret": secret, "label": label, "created": now(connection)}
    stored = connection.execute(insert(schema.webhook).values(**values)).inserted_primary_key
    assert stored is not None
    return int(stored[0]), secret


def webhooks_of(connection: Connection, account: str) -> list[KnownWebhook]:
    """The webhooks of an account, the oldest first."""
    columns = schema.webhook.c
    wanted = select(schema.webhook).where(columns.account == account).order_by(columns.id)
    return [
        KnownWebhook(
            id=row.id,
            host=host_or_fault(row.url)[0],
            form=WebhookForm(row.form),
            label=row.label,
            created=row.created,
        )
        for row in connection.execute(wanted)
    ]


def remove_webhook(connection: Connection, account: str, webhook: int) -> None:
    """Send nothing more to a webhook; TableError `webhook/unknown` if the account has no such."""
    columns = schema.webhook.c
    if not forget_webhooks(connection, (columns.account == account) & (columns.id == webhook)):
        message = f"You have no webhook with the number {webhook}."
        raise TableError("webhook/unknown", message, "GET /api/v1/me/webhooks lists yours.")


def forget_webhooks(connection: Connection, which: ColumnElement[bool]) -> Sequence[int]:
    """Delete webhooks and what waits for them; their ids."""
    columns = schema.webhook.c
    found = connection.execute(select(columns.id).where(which)).scalars().all()
    if found:
        waiting = schema.webhook_message.c.webhook.in_(found)
        connection.execute(delete(schema.webhook_message).where(waiting))
        connection.execute(delete(schema.webhook).where(columns.id.in_(found)))
    return found
