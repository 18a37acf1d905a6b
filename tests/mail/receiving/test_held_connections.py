"""Peers that hold connections and bring nothing do not keep others from delivering an e-mail."""

from __future__ import annotations

import asyncio
import smtplib
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from rubicon.mail import mail_server
from rubicon.mail.mail_server import IncomingMailServer
from tests.mail.receiving.inboxes import PLAY, MemoryInbox
from tests.mail.receiving.test_mail_server import MAIL, answer

THIRD = "127.0.0.200"
HALF = (b"MAIL FROM:<x@example.com>\r\n", f"RCPT TO:<{PLAY}>\r\n".encode(), b"DATA\r\n")


class Peers:
    """Connections from addresses of their own."""

    def __init__(self, server: IncomingMailServer, stack: ExitStack) -> None:
        self._server = server
        self._stack = stack

    def opened(self, address: str) -> socket.socket | None:
        """A connection behind the greetings; None where it is refused."""
        at = ("127.0.0.1", self._server.port)
        one = self._stack.enter_context(socket.create_connection(at, 20, (address, 0)))
        if not answer(one).startswith("220"):
            return None
        one.sendall(b"LHLO me\r\n" if self._server.at.lmtp else b"EHLO me\r\n")
        assert "250" in answer(one)
        return one

    def hold_all(self, address: str) -> list[socket.socket]:
        """As many connections as the address gets."""
        return list(iter(lambda: self.opened(address), None))

    def deliver(self, address: str) -> None:
        """Send an e-mail, as any mail server does."""
        kind = smtplib.LMTP if self._server.at.lmtp else smtplib.SMTP
        with kind("127.0.0.1", self._server.port, source_address=(address, 0)) as sending:
            sending.sendmail("ann@example.com", [PLAY], MAIL)


@pytest.fixture
def peers(server: IncomingMailServer) -> Iterator[Peers]:
    with ExitStack() as stack:
        yield Peers(server, stack)


def _begin_message(connection: socket.socket) -> None:
    """Write half of an e-mail."""
    for line in HALF:
        connection.sendall(line)
        assert answer(connection)[0] in "23"
    connection.sendall(b"half an e-mail\r\n")


@pytest.mark.parametrize("busy", [False, True], ids=["silent", "in-a-message"])
@pytest.mark.parametrize("count", [2, 8])
def test_some_peers_do_not_shut_out_another(
    peers: Peers, inbox: MemoryInbox, count: int, busy: bool
) -> None:
    for turn in range(1, 4):  # they take again what they have lost
        for number in range(count):
            held = peers.hold_all(f"127.0.0.{2 + number}")
            for one in held if busy else ():
                _begin_message(one)
        peers.deliver(THIRD)
        assert len(inbox.kept) == turn


def test_nobody_has_more_places_than_others_for_long(peers: Peers) -> None:
    first = peers.hold_all("127.0.0.2")
    assert len(first) == mail_server.MOST_OF_PEER
    assert len(peers.hold_all("127.0.0.3")) == mail_server.MOST_OF_PEER
    third = peers.hold_all(THIRD)
    assert abs(len(third) - mail_server.MOST_CONNECTIONS // 3) <= 1
    dropped = first[0]  # the oldest of those who have the most
    assert answer(dropped).startswith("421")
    assert answer(dropped) == ""


def test_an_email_under_way_is_brought_to_its_end(peers: Peers, inbox: MemoryInbox) -> None:
    sending = peers.opened(THIRD)
    assert sending is not None
    _begin_message(sending)
    for number in range(8):
        peers.hold_all(f"127.0.0.{2 + number}")
    sending.sendall(b".\r\n")
    assert answer(sending).startswith("250")
    assert len(inbox.kept) == 1


def test_as_many_peers_as_places_get_them_in_turn(
    peers: Peers, inbox: MemoryInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_server, "SPARED_SECONDS", 1.0)
    for number in range(mail_server.MOST_CONNECTIONS):
        assert peers.opened(f"127.0.0.{2 + number}") is not None
    time.sleep(1.1)
    peers.deliver(THIRD)
    assert len(inbox.kept) == 1


def test_a_young_connection_is_not_dropped_for_an_equal(
    peers: Peers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_server, "SPARED_SECONDS", 60.0)
    for number in range(mail_server.MOST_CONNECTIONS):
        assert peers.opened(f"127.0.0.{2 + number}") is not None
    assert peers.opened(THIRD) is None


def test_each_message_that_is_kept_is_noted(
    peers: Peers, inbox: MemoryInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[int] = []
    note = mail_server.Connections.note_message

    def counted(self: mail_server.Connections, transport: asyncio.BaseTransport) -> None:
        noted.append(len(inbox.kept))
        note(self, transport)

    monkeypatch.setattr(mail_server.Connections, "note_message", counted)
    sending = peers.opened(THIRD)
    assert sending is not None
    for inbox.full in (False, False, True):
        _begin_message(sending)
        sending.sendall(b".\r\n")
        assert answer(sending).startswith("451" if inbox.full else "250")
    assert noted == [1, 2]


class _FakeTimeLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock a test sets, so that minutes pass at once."""

    seconds = 0.0

    def time(self) -> float:
        return self.seconds

    def pass_time(self, seconds: float) -> None:
        """Move the clock on, and call what is due."""
        self.seconds += seconds
        for _ in range(2):  # a timer that is due is called in the round after
            self.run_until_complete(asyncio.sleep(0))


class _Connection(asyncio.Transport):
    """A connection that only notes what it is told last."""

    def __init__(self) -> None:
        super().__init__({"peername": (THIRD, 1)})
        self.told = b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.told += bytes(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def loop() -> Iterator[_FakeTimeLoop]:
    made = _FakeTimeLoop()
    yield made
    made.close()


async def _admitted(place: mail_server.Connections, one: _Connection) -> bool:
    return place.admit(one)


async def _noted(place: mail_server.Connections, one: _Connection) -> None:
    place.note_message(one)


def test_each_message_gives_time_for_another(loop: _FakeTimeLoop) -> None:
    places, one = mail_server.Connections(), _Connection()
    assert loop.run_until_complete(_admitted(places, one))
    for _ in range(3):
        loop.pass_time(mail_server.MESSAGE_SECONDS - 1)
        assert one.told == b""
        loop.run_until_complete(_noted(places, one))
    loop.pass_time(mail_server.MESSAGE_SECONDS - 1)
    assert one.told == b""
    loop.pass_time(2)  # and then nothing came
    assert one.told == mail_server.TOO_SLOW


def test_a_session_ends_however_many_messages_it_brings(loop: _FakeTimeLoop) -> None:
    places, one = mail_server.Connections(), _Connection()
    assert loop.run_until_complete(_admitted(places, one))
    minutes = int(mail_server.SESSION_SECONDS // 60)
    for _ in range(minutes - 1):
        loop.pass_time(60)
        loop.run_until_complete(_noted(places, one))
        assert one.told == b""
    loop.pass_time(61)
    assert one.told == mail_server.TOO_SLOW
