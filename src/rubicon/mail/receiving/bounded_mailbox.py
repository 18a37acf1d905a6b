"""A connection to a mailbox whose answers are bounded, whatever its server sends (RFC 3501).

`imaplib` keeps all that a server says, and reads a literal of any size that the server announces.
"""

from __future__ import annotations

from collections.abc import Callable
from imaplib import IMAP4
from ssl import SSLContext

from imap_tools import BaseMailBox, MailBox, MailBoxUnencrypted

from rubicon.mail.reading.limits import ReadingLimits

# Of all that a server says between two calls of `renew`: the largest message, and as much again
# for lists of messages and for what a server tells without being asked.
MOST_BYTES = 2 * ReadingLimits().bytes + 4 * 1024 * 1024


class ReplyBudget:
    """How many more bytes a server may say; IMAP4.abort where it says more, and then for good."""

    def __init__(self, client: IMAP4) -> None:
        self._left = MOST_BYTES
        self._read: Callable[[int], bytes] = client.read
        self._readline: Callable[[], bytes] = client.readline
        client.read = self.read  # type: ignore[method-assign]
        client.readline = self.readline  # type: ignore[method-assign]

    @property
    def spent(self) -> bool:
        """Whether the server has said too much."""
        return self._left < 0

    def renew(self) -> None:
        """Allow as much again."""
        if not self.spent:
            self._left = MOST_BYTES

    def read(self, size: int) -> bytes:
        """A literal."""
        self._spend(size)
        return self._read(size)

    def readline(self) -> bytes:
        """A line; the library bounds its length."""
        line = self._readline()
        self._spend(len(line))
        return line

    def _spend(self, size: int) -> None:
        self._left -= size
        if self.spent:
            raise IMAP4.abort("the mailbox server says too much")


def open_mailbox(
    host: str, port: int, *, tls: SSLContext | None, timeout: float
) -> tuple[BaseMailBox, ReplyBudget]:
    """A connection that is not signed in yet, and its budget; `tls` is for TLS from the start."""
    mailbox: BaseMailBox
    if tls is not None:
        mailbox = MailBox(host, port, timeout=timeout, ssl_context=tls)
    else:
        mailbox = MailBoxUnencrypted(host, port, timeout=timeout)
    return mailbox, ReplyBudget(mailbox.client)
