"""The secret keys of a server's e-mails: all derived from one that the database holds."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from rubicon.mail.identity.alignment import mailbox_of
from rubicon.mail.identity.tokens import KEY_BYTES, TokenKeys
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store

MAIL_KEY = "mail key"  # its name among the server's secrets


@dataclass(frozen=True, slots=True)
class MailKeys:
    """One key for each use, so that a digest of one kind is never one of another kind."""

    tokens: TokenKeys
    codes: bytes
    senders: bytes

    @staticmethod
    def of(store: Store) -> MailKeys:
        """The keys of a database, made at the first start."""
        key = store.write(_stored_key).result()
        return MailKeys(
            tokens=TokenKeys(_derived(key, "tokens")),
            codes=_derived(key, "codes"),
            senders=_derived(key, "senders"),
        )

    def sender(self, address: str) -> str:
        """What is stored of the mailbox of a sender, hex digits: a copy tells no address.

        All tags of a mailbox are one sender: nobody gets more answers by them, or has more waiting.
        """
        mailbox = mailbox_of(address).encode("utf-8", "replace")
        return hmac.digest(self.senders, mailbox, "sha256").hex()


def _derived(key: bytes, use: str) -> bytes:
    return hmac.digest(key, f"rubicon mail {use}".encode(), "sha256")


def _stored_key(connection: Connection) -> bytes:
    columns = schema.secret.c
    wanted = select(columns.value).where(columns.name == MAIL_KEY)
    found = connection.execute(wanted).scalar_one_or_none()
    if found is None:
        found = secrets.token_bytes(KEY_BYTES)
        connection.execute(insert(schema.secret), {"name": MAIL_KEY, "value": found})
    return bytes(found)
