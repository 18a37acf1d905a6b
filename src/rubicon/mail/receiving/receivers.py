"""What brings e-mails in, from the URLs of the setting `mail_receive`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol
from urllib.parse import SplitResult, unquote, urlsplit

from rubicon.errors import RubiconError
from rubicon.mail.receiving.mail_server import IncomingMailServer, ListenAt
from rubicon.mail.receiving.mailbox_poller import MailboxAccount, MailboxPoller
from rubicon.mail.receiving.received_mail import Inbox

HINT = "Write lmtp://127.0.0.1:8024, smtp://0.0.0.0:25 or imaps://USER:PASSWORD@HOST/INBOX."
PORTS = {"lmtp": 8024, "smtp": 25, "imap": 143, "imaps": 993}


class Receiver(Protocol):
    """Takes e-mails from one place, and keeps them in an inbox."""

    def start(self) -> None:
        """Begin; RubiconError where that is not possible."""

    def close(self) -> None:
        """Stop; what was acknowledged is kept."""


def receivers_of(
    urls: Sequence[str], inbox: Inbox, own: Iterable[str], *, poll: int
) -> tuple[Receiver, ...]:
    """The receivers; `own` are the addresses of this server, `poll` the seconds of a mailbox.

    RubiconError `serve/settings` for a URL that is none; it never quotes one: it may hold a
    password.
    """
    addresses = frozenset(address.lower() for address in own)
    return tuple(_receiver(url, inbox, addresses, poll) for url in urls)


def _receiver(url: str, inbox: Inbox, own: frozenset[str], poll: int) -> Receiver:
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS[parts.scheme]
    except (ValueError, KeyError):
        raise _bad("It is no URL of a mail server or a mailbox.") from None
    if parts.scheme in ("imap", "imaps"):
        return MailboxPoller(_account(parts, port), inbox, poll=poll)
    if parts.username or parts.query:
        raise _bad("A server that takes e-mails has no user and no options.")
    if parts.scheme == "lmtp" and parts.path and not parts.netloc:
        return IncomingMailServer(ListenAt(lmtp=True, path=parts.path), inbox, own)
    if not parts.hostname or parts.path not in ("", "/"):
        raise _bad("The host is missing, or there is a path behind it.")
    at = ListenAt(lmtp=parts.scheme == "lmtp", host=parts.hostname, port=port)
    return IncomingMailServer(at, inbox, own)


def _account(parts: SplitResult, port: int) -> MailboxAccount:
    if not parts.hostname or not parts.username:
        raise _bad("A mailbox needs its host and its user.")
    return MailboxAccount(
        host=parts.hostname,
        port=port,
        user=unquote(parts.username),
        password=unquote(parts.password or ""),
        folder=unquote(parts.path.strip("/")) or "INBOX",
        tls=parts.scheme == "imaps",
    )


def _bad(why: str) -> RubiconError:
    return RubiconError("serve/settings", f"The setting mail_receive is not valid. {why}", HINT)
