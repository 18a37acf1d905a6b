"""The e-mails that the server sends, and the interface of what writes those about games."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from typing import Any, Protocol

from sqlalchemy import Connection

from rubicon.server.notifications import PendingEmail
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.storage.database import Store

# The e-mail of a link to sign in; those about games are written by `rubicon.mail`.

UNFOLDED = frozenset({"message-id", "references", "list-unsubscribe"})
FINGERPRINT_DIGITS = 32  # hex digits of the head of the dice transcript: 128 bits, and a short line
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000  # milliseconds
SIGN_IN = """\
Hello,

someone asked Rubicon at {url}
{purpose}. If it was you, open this page within a day
and press its button:

{url}/sign-in/{token}

If it was not you, ignore this e-mail. Nothing happens unless the button is pressed.
"""


class EmailFormat(EmailPolicy):
    """The SMTP policy, except that headers with links are not folded: clients must follow them."""

    def fold(self, name: str, value: Any) -> str:
        """A header as text."""
        if name.lower() in UNFOLDED:
            return f"{name}: {value}{self.linesep}"
        return str(super().fold(name, value))

    def fold_binary(self, name: str, value: Any) -> bytes:
        """A header as bytes."""
        if name.lower() in UNFOLDED:
            return self.fold(name, value).encode("ascii")
        return bytes(super().fold_binary(name, value))


POLICY = EmailFormat(linesep="\r\n")


@dataclass(kw_only=True)
class EmailIdentity:
    """The From address, and the server's public URL (without a slash at the end)."""

    url: str
    sender: Address


def sign_in_email(
    identity: EmailIdentity, address: str, token: str, at: int, *, known: bool
) -> EmailMessage:
    """A one-time link. It quotes nothing that the requester wrote: it may reach a stranger."""
    purpose = "to sign in with this address" if known else "to save your seats under this address"
    message = EmailMessage(POLICY)
    message["From"] = identity.sender
    message["To"] = Address(addr_spec=address)
    message["Subject"] = "Sign in to Rubicon" if known else "Save your seats at Rubicon"
    message["Date"] = format_datetime(datetime.fromtimestamp(at / 1000, UTC))
    message["Message-ID"] = f"<link-{at}.{secrets.token_hex(6)}@{identity.sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    text = SIGN_IN.format(url=identity.url, purpose=purpose, token=token)
    message.set_content(text, cte="quoted-printable")
    return message


def one_line(text: str) -> str:
    """Text that people wrote, as one printable line: it cannot add a header or a paragraph."""
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(printable.split())


# What writes the e-mails about games. The outbox only decides which of them to send, and when.


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
