"""Senders of letters: the console, for a house without mail, or a mail server by SMTP."""

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

from rubicon.rules.errors import RubiconError

SUBMISSION, SUBMISSIONS = 587, 465  # ports
STEP_SECONDS = 10.0  # for each answer of the server
LETTER_SECONDS = 30.0  # for a letter as a whole
_PERMANENT = range(550, 560)  # codes that no later attempt changes
_HINT = "Write: smtp://user:password@mail.example.org:587, or smtps://…:465."


class NotSent(RubiconError):
    """A letter did not go out; `final` where another attempt would be refused alike."""

    def __init__(self, why: str, *, final: bool = False) -> None:
        self.final = final
        super().__init__("letter/not-sent", f"The letter was not sent: {why}.", "")


class Sender(Protocol):
    """Whoever takes letters."""

    async def send(self, letter: EmailMessage) -> None:
        """Hand it on; NotSent where that failed, within LETTER_SECONDS."""


class ConsoleSender:
    """Prints letters, for whoever runs the house to pass on."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stdout if stream is None else stream

    async def send(self, letter: EmailMessage) -> None:
        """Print it."""
        told = f"--- letter to {letter['To']}: {letter['Subject']}\n{letter.get_content()}---\n"
        try:
            self._stream.write(told)
            self._stream.flush()
        except (OSError, ValueError) as error:
            raise NotSent("nobody reads the console") from error


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where letters are handed in, and how."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False  # from the first byte
    starttls: bool = True

    @staticmethod
    def parse(url: str) -> MailServer:
        """From `smtp://user:password@host:587?starttls=1` or `smtps://…`; RubiconError otherwise.

        Nothing of the URL is quoted: it may hold a password. One is never sent in the clear to
        another machine.
        """
        try:
            return _server_of(urlsplit(url))
        except (ValueError, KeyError) as error:
            why = str(error) if isinstance(error, _BadUrl) else "It is no URL of a mail server."
            message = f"The setting mail_server cannot be used. {why}"
            raise RubiconError("serve/settings", message, _HINT) from None


class _BadUrl(ValueError):
    pass


class SmtpSender:
    """Hands letters to a mail server, each over a connection of its own."""

    def __init__(self, server: MailServer, trusted: ssl.SSLContext | None = None) -> None:
        self.server = server
        self._trusted = trusted

    async def send(self, letter: EmailMessage) -> None:
        """Hand it in; NotSent with what the server said."""
        client = self._client()
        try:
            async with asyncio.timeout(LETTER_SECONDS):
                await client.connect()
                await client.sendmail(
                    str(letter["From"].addresses[0].addr_spec),
                    [str(letter["To"].addresses[0].addr_spec)],
                    letter.as_bytes(),  # the client would fold it anew, and break long links
                )
                await client.quit()
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise NotSent(_reason(error), final=_is_final(error)) from error
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
            local_hostname="localhost" if _is_local(server.host) else None,
            timeout=STEP_SECONDS,
        )


def sender_of(mail_server: str) -> Sender:
    """The sender that a setting names."""
    return SmtpSender(MailServer.parse(mail_server)) if mail_server else ConsoleSender()


def _server_of(url: SplitResult) -> MailServer:
    host, tls = url.hostname, url.scheme == "smtps"
    if url.scheme not in ("smtp", "smtps") or not host or url.path not in ("", "/"):
        raise _BadUrl("It is no URL of a mail server.")
    asked = parse_qs(url.query, strict_parsing=True) if url.query else {}
    starttls = {"0": False, "1": True}[asked.pop("starttls", ["0" if _is_local(host) else "1"])[0]]
    if asked:
        raise _BadUrl("Its only option is starttls.")
    user = unquote(url.username) if url.username else None
    password = unquote(url.password) if url.password is not None else None
    if password is not None and not (tls or starttls or _is_local(host)):
        raise _BadUrl("A password is not sent in the clear.")
    port = url.port or (SUBMISSIONS if tls else SUBMISSION)
    return MailServer(host, port, user, password, tls, starttls and not tls)


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _reason(error: Exception) -> str:
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return "; ".join(f"{said.code} {_one_line(said.message)}" for said in error.recipients)
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {_one_line(error.message)}"
    return _one_line(str(error)) or type(error).__name__


def _is_final(error: Exception) -> bool:
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(refused.code in _PERMANENT for refused in error.recipients)
    return isinstance(error, aiosmtplib.SMTPDataError) and error.code in _PERMANENT


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200].rstrip(".")
