"""Delivery of e-mails: over SMTP, or to the console of a server without mail."""

from __future__ import annotations

import asyncio
import ssl
import sys
from dataclasses import dataclass, field
from email.message import EmailMessage
from ipaddress import ip_address
from typing import Protocol, TextIO
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

import aiosmtplib

from rubicon.errors import RubiconError

SUBMISSION_PORT, SUBMISSIONS_PORT = 587, 465
REPLY_TIMEOUT = 10.0  # seconds for each reply of the mail server
DELIVERY_TIMEOUT = 30.0  # seconds for one e-mail as a whole
PERMANENT_FAILURES = range(550, 560)  # SMTP replies that no later attempt changes
UNKNOWN_ADDRESS = frozenset({550, 551, 553})  # of these, those that refuse a recipient
URL_HINT = "Write: smtp://user:password@mail.example.org:587, or smtps://…:465."


class DeliveryError(RubiconError):
    """An e-mail was not delivered.

    `final` if another attempt would fail too; `unknown_address` if that is so for every e-mail to
    this address, whatever it says.
    """

    def __init__(self, reason: str, *, final: bool = False, unknown_address: bool = False) -> None:
        self.reason = reason
        self.final = final
        self.unknown_address = unknown_address
        super().__init__("email/not-delivered", f"The e-mail was not delivered: {reason}.", "")


class MailTransport(Protocol):
    """Delivers e-mails."""

    async def send(self, message: EmailMessage) -> None:
        """Deliver one e-mail; DeliveryError on failure, within DELIVERY_TIMEOUT."""


class ConsoleTransport:
    """Prints e-mails, so that the operator can pass them on by hand."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stdout if stream is None else stream

    async def send(self, message: EmailMessage) -> None:
        """Print an e-mail."""
        head = f"--- e-mail to {message['To']}: {message['Subject']}"
        text = message.get_body(("plain",))
        try:
            self._stream.write(f"{head}\n{text.get_content() if text else ''}---\n")
            self._stream.flush()
        except (OSError, ValueError) as error:
            raise DeliveryError("the console is closed") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """The address, credentials and encryption of a mail server."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False  # from the first byte (smtps)
    starttls: bool = True

    @staticmethod
    def parse(url: str) -> MailServer:
        """From `smtp://user:password@host:587?starttls=1` or `smtps://…`; RubiconError otherwise.

        The error quotes nothing of the URL, which may hold a password.
        """
        try:
            return _parse(urlsplit(url))
        except (ValueError, KeyError) as error:
            reason = str(error) if isinstance(error, _BadUrl) else "It is not a mail server's URL."
            message = f"The setting mail_server is not valid. {reason}"
            raise RubiconError("serve/settings", message, URL_HINT) from None


class _BadUrl(ValueError):
    pass


class SmtpTransport:
    """Delivers e-mails to a mail server, each over a connection of its own."""

    def __init__(self, server: MailServer, trusted: ssl.SSLContext | None = None) -> None:
        self.server = server
        self._trusted = trusted

    async def greet(self) -> None:
        """Connect, encrypt and sign in as for an e-mail, and send none; DeliveryError."""
        client = self._client()
        try:
            async with asyncio.timeout(DELIVERY_TIMEOUT):
                await client.connect()
                await client.quit()
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise DeliveryError(_reason(error)) from error
        finally:
            client.close()

    async def send(self, message: EmailMessage) -> None:
        """Deliver an e-mail; DeliveryError with the server's reply."""
        client = self._client()
        try:
            async with asyncio.timeout(DELIVERY_TIMEOUT):
                await client.connect()
                await client.sendmail(
                    str(message["From"].addresses[0].addr_spec),
                    [str(message["To"].addresses[0].addr_spec)],
                    message.as_bytes(),  # as bytes: the client would fold it, and break long links
                )
                await client.quit()
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise DeliveryError(
                _reason(error),
                final=_is_final(error),
                unknown_address=_is_unknown(error),
            ) from error
        finally:
            client.close()

    def _client(self) -> aiosmtplib.SMTP:
        server = self.server
        return aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            username=server.user,
            password=server.password,
            use_tls=server.tls,
            start_tls=server.starttls,
            tls_context=self._trusted,
            local_hostname="localhost" if is_local(server.host) else None,
            timeout=REPLY_TIMEOUT,
        )


def transport_for(mail_server: str) -> MailTransport:
    """The transport that the setting `mail_server` asks for; the console if it is empty."""
    return SmtpTransport(MailServer.parse(mail_server)) if mail_server else ConsoleTransport()


def _parse(url: SplitResult) -> MailServer:
    host, tls = url.hostname, url.scheme == "smtps"
    if url.scheme not in ("smtp", "smtps") or not host or url.path not in ("", "/"):
        raise _BadUrl("It is not a mail server's URL.")
    options = parse_qs(url.query, strict_parsing=True) if url.query else {}
    default = ["0" if is_local(host) else "1"]
    starttls = {"0": False, "1": True}[options.pop("starttls", default)[0]]
    if options:
        raise _BadUrl("The only option is starttls.")
    user = unquote(url.username) if url.username else None
    password = unquote(url.password) if url.password is not None else None
    if password is not None and not (tls or starttls or is_local(host)):
        raise _BadUrl("A password is not sent without encryption.")
    return MailServer(
        host=host,
        port=url.port or (SUBMISSIONS_PORT if tls else SUBMISSION_PORT),
        user=user,
        password=password,
        tls=tls,
        starttls=starttls and not tls,
    )


def is_local(host: str) -> bool:
    """Whether a host is this machine: what goes there leaves it on no wire."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _reason(error: Exception) -> str:
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return "; ".join(f"{reply.code} {_one_line(reply.message)}" for reply in error.recipients)
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {_one_line(error.message)}"
    return _one_line(str(error)) or type(error).__name__


def _is_final(error: Exception) -> bool:
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(refused.code in PERMANENT_FAILURES for refused in error.recipients)
    return isinstance(error, aiosmtplib.SMTPDataError) and error.code in PERMANENT_FAILURES


def _is_unknown(error: Exception) -> bool:
    """Whether the recipient was refused, and not for a policy (5.7, RFC 3463) that may change."""
    if not isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return False
    return all(
        refused.code in UNKNOWN_ADDRESS and not refused.message.lstrip().startswith("5.7.")
        for refused in error.recipients
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200].rstrip(".")
