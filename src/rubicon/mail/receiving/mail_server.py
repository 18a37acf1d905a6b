"""Takes e-mails from a mail server (LMTP, RFC 2033) or from the world (SMTP, RFC 5321).

Only for our own addresses: this is no relay. A message is acknowledged when it is stored.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from rubicon.errors import RubiconError
from rubicon.mail.reading.incoming_mail import MailEnvelope
from rubicon.mail.reading.limits import ReadingLimits
from rubicon.mail.receiving.connections import TOO_MANY_CONNECTIONS, Connections, end
from rubicon.mail.receiving.received_mail import Inbox, ReceivedMail

MOST_BYTES = ReadingLimits().bytes
MOST_RECIPIENTS = 50
IDLE_SECONDS = 60.0
MOST_COMMANDS = 500  # of one kind in a session
MOST_REPLIES = 5_000  # in a session: what is no command is answered too
LINE_BYTES = 64 * 1024  # mail programs write longer lines than the standard allows
START_SECONDS = 20.0
KEPT = "250 2.0.0 Kept"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenAt:
    """Where to listen: a host and a port, or the path of a Unix socket."""

    lmtp: bool
    host: str = ""
    port: int = 0
    path: str = ""

    def __str__(self) -> str:
        scheme = "lmtp" if self.lmtp else "smtp"
        return f"{scheme}://{self.path or f'{self.host}:{self.port}'}"


class IncomingMailServer:
    """A server for e-mails in a thread of its own; `port` is known when it has started."""

    def __init__(self, at: ListenAt, inbox: Inbox, own: frozenset[str]) -> None:
        self.at = at
        self.port = at.port
        self._handler = Handler(inbox, own, lmtp=at.lmtp)
        self._connections = Connections()
        self._loop: asyncio.AbstractEventLoop | None = None  # while it runs
        self._thread = threading.Thread(target=self._run, name="mail-server", daemon=True)
        self._started: Future[None] = Future()
        self._stop = asyncio.Event()

    def start(self) -> None:
        """Listen; RubiconError `mail/listen` where the address cannot be used."""
        self._thread.start()
        try:
            self._started.result(START_SECONDS)
        except OSError as error:
            message = f"E-mails cannot be taken at {self.at}: {error.strerror or error}."
            hint = "Choose another port in mail_receive, or stop what uses it. Ports below 1024"
            hint += " need the rights of an administrator."
            raise RubiconError("mail/listen", message, hint) from error
        log.info("takes e-mails", extra={"at": str(self.at), "port": self.port})

    def close(self) -> None:
        """Stop listening; sessions under way are cut off, and their mail servers try again."""
        loop = self._loop
        if self._thread.is_alive() and loop is not None:
            loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            if self._started.done():
                raise
            self._started.set_exception(error)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        server = await self._listen()
        if not self.at.path:
            self.port = server.sockets[0].getsockname()[1]
        self._started.set_result(None)
        await self._stop.wait()
        server.close()
        self._connections.close()

    async def _listen(self) -> asyncio.Server:
        loop = asyncio.get_running_loop()
        if self.at.path:
            return await loop.create_unix_server(self._protocol, self.at.path)
        return await loop.create_server(self._protocol, self.at.host, self.at.port)

    def _protocol(self) -> asyncio.BaseProtocol:
        return ConnectionAdmission(self._connections, self._session)

    def _session(self) -> _Bounded:
        kind = BoundedLmtp if self.at.lmtp else BoundedSmtp
        return kind(self._handler, self._connections, asyncio.get_running_loop())


class ConnectionAdmission(asyncio.Protocol):
    """Begins a session where there is a place for the peer, and else refuses.

    A session of the library costs a thousand times as much as this.
    """

    def __init__(self, connections: Connections, session: Callable[[], _Bounded]) -> None:
        self._connections = connections
        self._session = session

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Hand the connection over to a session, or refuse it."""
        assert isinstance(transport, asyncio.Transport)
        if not self._connections.admit(transport):
            end(transport, TOO_MANY_CONNECTIONS)
            return
        session = self._session()
        transport.set_protocol(session)
        session.connection_made(transport)


class _Bounded(SMTP):
    """A session within bounds: connections, time, commands, replies, bytes."""

    line_length_limit = LINE_BYTES

    def __init__(
        self, handler: Handler, connections: Connections, loop: asyncio.AbstractEventLoop
    ) -> None:
        super().__init__(
            handler,
            data_size_limit=MOST_BYTES,
            enable_SMTPUTF8=True,
            ident="Rubicon",
            hostname=handler.hostname,  # without it the library asks for it in the DNS each time
            timeout=IDLE_SECONDS,
            command_call_limit=MOST_COMMANDS,
            loop=loop,
        )
        self._connections = connections
        self._replies = 0

    async def push(self, status: AnyStr) -> None:
        """Reply; a session that asks for too many replies ends."""
        self._replies += 1
        if self._replies > MOST_REPLIES and self.transport is not None:
            self.transport.close()
            raise asyncio.CancelledError  # for the library the end of a session, and no fault
        await super().push(status)

    def note_message(self) -> None:
        """Count a message that was stored: the session has been of use."""
        if self.transport is not None:
            self._connections.note_message(self.transport)

    def connection_lost(self, error: Exception | None) -> None:
        """End a session."""
        if self.transport is not None:
            self._connections.remove(self.transport)
        super().connection_lost(error)


class BoundedSmtp(_Bounded):
    """A session of SMTP."""


class BoundedLmtp(LMTP, _Bounded):
    """A session of LMTP."""


class Handler:
    """Answers the commands of a session."""

    def __init__(self, inbox: Inbox, own: frozenset[str], *, lmtp: bool) -> None:
        self._inbox = inbox
        self._own = own
        self._lmtp = lmtp
        self.hostname = min(own, default="@localhost").rpartition("@")[2]

    async def handle_RCPT(  # noqa: N802 - the library calls it so
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a recipient of ours, with or without a token."""
        if not self._is_own(address):
            return "550 5.1.1 No such address here; answer the newest e-mail of your game"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Keep a message; LMTP has a reply for each recipient."""
        status = await self._kept(envelope)
        if status == KEPT and isinstance(server, _Bounded):
            server.note_message()
        return "\r\n".join([status] * len(envelope.rcpt_tos)) if self._lmtp else status

    async def handle_exception(self, error: Exception) -> str:
        """A fault of ours is no reason to lose a message."""
        log.error("session failed", exc_info=error)
        return "451 4.3.0 Try again later"

    async def _kept(self, envelope: Envelope) -> str:
        content = envelope.original_content or b""
        received = ReceivedMail(
            raw=content,
            envelope=MailEnvelope((envelope.mail_from or "").strip("<>"), tuple(envelope.rcpt_tos)),
        )
        try:
            await asyncio.to_thread(self._inbox.keep, received)
        except RubiconError as error:
            log.warning("e-mail not kept", extra={"reason": error.message})
            return "451 4.3.0 The e-mail could not be stored, try again later"
        return KEPT

    def _is_own(self, address: str) -> bool:
        local, _, domain = address.strip().lower().rpartition("@")
        return f"{local.partition('+')[0]}@{domain}" in self._own
