"""What writes the e-mails about games. The mailer only decides which of them to send, and when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Protocol

from sqlalchemy import Connection

from rubicon.server.mail.messages import EmailIdentity
from rubicon.server.mail.outbox import PendingEmail
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.storage.database import Store


def nothing(connection: Connection) -> None:
    """Store nothing: the e-mail expects no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenEmail:
    """An e-mail that is ready to be sent, and what must be stored with it."""

    message: EmailMessage
    # Stores what an answer to it will need; called in the transaction that claims the e-mail.
    record: Callable[[Connection], None] = nothing


class EmailWriter(Protocol):
    """Writes the e-mail of a notification."""

    def write(self, pending: PendingEmail, snapshot: Snapshot, at: int) -> WrittenEmail:
        """The e-mail of a notification, as its seat may know it; `at` in ms since 1970.

        It is called again for a retry. The Message-ID must derive from `pending.id`, so that a
        mail program recognises a repeat.
        """


# From an account and its address, the signed path that turns its e-mails off.
UnsubscribePath = Callable[[str, str], str]
EmailWriterFactory = Callable[[Store, EmailIdentity, UnsubscribePath], EmailWriter]
