"""The public key of the dice server: the operator's setting, or that of its first answer."""

from __future__ import annotations

import logging
from collections.abc import Callable

from sqlalchemy import Connection, insert, select

from rubicon.table.storage import schema
from rubicon.table.storage.database import Store

NAME = "dice-server-key"  # among the server's secrets
log = logging.getLogger(__name__)


def pinned_key(store: Store, expected: str = "") -> Callable[[bytes], bytes]:
    """A function that is given the key of an answer, and returns the right one.

    Where the operator expects none (64 hexadecimal digits), the first key is stored.
    """

    def kept(connection: Connection, found: bytes) -> bytes:
        columns = schema.secret.c
        wanted = select(columns.value).where(columns.name == NAME)
        known = connection.execute(wanted).scalar_one_or_none()
        if known is not None:
            return bytes(known)
        connection.execute(insert(schema.secret), {"name": NAME, "value": found})
        log.info("dice server key stored", extra={"key": found.hex()})
        return found

    def pin(found: bytes) -> bytes:
        if expected:
            return bytes.fromhex(expected)
        return store.write(lambda connection: kept(connection, found)).result()

    return pin
