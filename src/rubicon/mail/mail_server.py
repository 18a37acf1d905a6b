"""Takes e-mails by LMTP (RFC 2033) or SMTP (RFC 5321), within bounds of connections."""

from __future__ import annotations

import asyncio
import logging
import threading
from asyncio.events import TimerHandle
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from rubicon.errors import RubiconError
from rubicon.mail.reading.bounded_message import ReadingLimits
from rubicon.mail.reading.incoming_mail import Inbox, MailEnvelope, ReceivedMail
from rubicon.networks import limited_address

# Which connections to the mail server are open, and which of them makes room for another peer.
#
# Where all places are taken, a peer that has few of them gets one from the peer that has the
# most. So no one shuts out others by holding connections, unless from as many addresses as there
# are places.

MOST_CONNECTIONS = 40
MOST_OF_PEER = 20  # one mail server may bring all our e-mails
MESSAGE_SECONDS = 120.0  # until a message has come, and from each message to the next one
SESSION_SECONDS = 600.0
# A connection so young is left alone by peers who have as many as its own: it is enough for an
# e-mail, where many peers push each other out.
SPARED_SECONDS = 5.0
TOO_MANY_CONNECTIONS = b"421 4.3.2 Too many connections, try again later\r\n"
TOO_SLOW = b"421 4.4.2 No e-mail came in time, try again later\r\n"


@dataclass(slots=True)
class _Place:
    """The place of a connection; `since` it has brought no message, in seconds of the loop."""

    peer: str
    opened: float
    since: float
    timer: TimerHandle


class Connections:
    """The open connections, which are counted in all and by peer."""

    def __init__(self) -> None:
        self._open: dict[asyncio.BaseTransport, _Place] = {}

    def admit(self, transport: asyncio.Transport) -> bool:
        """Whether the connection has a place now; another one may be ended for it."""
        peer = limited_address(str((transport.get_extra_info("peername") or ("",))[0]))
        of_peer = Counter(place.peer for place in self._open.values())
        if of_peer[peer] >= MOST_OF_PEER:
            return False
        if len(self._open) >= MOST_CONNECTIONS and not self._make_room(peer, of_peer):
            return False
        at = asyncio.get_running_loop().time()
        self._open[transport] = _Place(peer, at, at, self._timer(transport, at, at))
        return True

    def note_message(self, transport: asyncio.BaseTransport) -> None:
        """A connection has brought a message: it has time for another one."""
        place = self._open.get(transport)
        if place is not None and isinstance(transport, asyncio.Transport):
            place.timer.cancel()
            place.since = asyncio.get_running_loop().time()
            place.timer = self._timer(transport, place.opened, place.since)

    def remove(self, transport: asyncio.BaseTransport) -> None:
        """Forget a connection."""
        place = self._open.pop(transport, None)
        if place is not None:
            place.timer.cancel()  # it would keep the connection in memory

    def close(self) -> None:
        """Cut off all of them."""
        for transport in list(self._open):
            transport.close()

    def _make_room(self, peer: str, of_peer: Counter[str]) -> bool:
        """End the connection of the peer with the most that has brought nothing for longest."""
        most = max(of_peer.values())
        if most < of_peer[peer] + 1:
            return False
        held = ((one, place) for one, place in self._open.items() if of_peer[place.peer] == most)
        oldest, place = min(held, key=lambda pair: pair[1].since)
        age = asyncio.get_running_loop().time() - place.since
        if most == of_peer[peer] + 1 and age < SPARED_SECONDS:
            return False
        self._end(oldest, TOO_MANY_CONNECTIONS)
        return True

    def _timer(self, transport: asyncio.Transport, opened: float, since: float) -> TimerHandle:
        """Ends a connection whose time is over."""
        at = min(opened + SESSION_SECONDS, since + MESSAGE_SECONDS)
        return asyncio.get_running_loop().call_at(at, self._end, transport, TOO_SLOW)

    def _end(self, transport: asyncio.BaseTransport, reply: bytes) -> None:
        self.remove(transport)
        assert isinstance(transport, asyncio.Transport)
        end(transport, reply)


def end(transport: asyncio.Transport, reply: bytes) -> None:
    """End a connection with a last reply, at once: a peer that reads nothing is not waited for."""
    transport.write(reply)
    if transport.get_write_buffer_size():
        transport.abort()
    else:
        transport.close()


# The conversation. Only for our own addresses: this is no relay. A message is acknowledged when it
# is stored.

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
    """A server for e-mails in its own thread; `port` is known when it has started."""

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
