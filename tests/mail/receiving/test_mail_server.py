"""The server for e-mails against friends and enemies, over real sockets."""

from __future__ import annotations

import logging
import smtplib
import socket
import time
from contextlib import ExitStack, suppress
from io import StringIO

import pytest

from rubicon.errors import RubiconError
from rubicon.mail import mail_server
from rubicon.mail import mail_server as connections
from rubicon.mail.mail_server import IncomingMailServer, ListenAt
from rubicon.server.log_config import configure_logging
from tests.mail.receiving.inboxes import PLAY, MemoryInbox
from tests.waiting import until

TAGGED = "play+K4WQ7NTM2VXH5RJPZC3BYD6FGA@risk.example.org"
MAIL = "From: ann@example.com\r\nSubject: orders\r\n\r\nEND\r\n"


def client(server: IncomingMailServer) -> smtplib.SMTP:
    kind = smtplib.LMTP if server.at.lmtp else smtplib.SMTP
    return kind("127.0.0.1", server.port)


def connected(server: IncomingMailServer) -> socket.socket:
    """A connection behind the greetings."""
    opened = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    assert answer(opened).startswith("220")
    opened.sendall(b"LHLO me\r\n" if server.at.lmtp else b"EHLO me\r\n")
    assert "250" in answer(opened)
    return opened


def welcome(server: IncomingMailServer) -> bool:
    """Whether a new connection is taken; those that have just ended may still be counted."""
    try:
        with client(server):
            return True
    except smtplib.SMTPConnectError:
        return False


def answer(opened: socket.socket) -> str:
    """What comes next; "" for the end."""
    lines = b""
    while True:
        try:
            more = opened.recv(4096)
        except ConnectionError:
            return lines.decode()
        lines += more
        last = lines.splitlines()[-1:] or [b""]
        if not more or (lines.endswith(b"\r\n") and last[0][3:4] == b" "):
            return lines.decode()


def test_a_message_for_us_is_kept_with_its_envelope(
    server: IncomingMailServer, inbox: MemoryInbox
) -> None:
    with client(server) as sending:
        sending.sendmail("ann@example.com", [TAGGED], MAIL)
    (kept,) = inbox.kept
    assert kept.envelope.sender == "ann@example.com"
    assert kept.envelope.recipients == (TAGGED,)
    assert kept.raw == MAIL.encode()


def test_the_null_return_path_is_known(server: IncomingMailServer, inbox: MemoryInbox) -> None:
    with client(server) as sending:
        sending.sendmail("", [PLAY], MAIL)
    assert inbox.kept[0].envelope.sender == ""


def test_nothing_is_relayed(server: IncomingMailServer, inbox: MemoryInbox) -> None:
    with client(server) as sending, pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        sending.sendmail("ann@example.com", ["bob@example.net", "other@risk.example.org"], MAIL)
    assert {code for code, _ in refused.value.recipients.values()} == {550}
    assert inbox.kept == []


def test_what_cannot_be_stored_is_to_be_sent_again(
    server: IncomingMailServer, inbox: MemoryInbox
) -> None:
    inbox.full = True
    with client(server) as sending, pytest.raises(smtplib.SMTPException) as failed:
        sending.sendmail("ann@example.com", [PLAY], MAIL)
    assert "451" in str(failed.value)


def test_lmtp_answers_each_recipient(inbox: MemoryInbox) -> None:
    server = IncomingMailServer(
        ListenAt(lmtp=True, host="127.0.0.1", port=0), inbox, frozenset({PLAY})
    )
    server.start()
    try:
        with connected(server) as opened:
            opened.sendall(b"MAIL FROM:<ann@example.com>\r\n")
            answer(opened)
            for _ in range(2):
                opened.sendall(f"RCPT TO:<{TAGGED}>\r\n".encode())
                answer(opened)
            opened.sendall(b"DATA\r\n")
            assert answer(opened).startswith("354")
            opened.sendall(MAIL.encode() + b".\r\n")
            said = answer(opened)
            while said.count("250") < 2:
                said += answer(opened)
    finally:
        server.close()
    assert len(inbox.kept) == 1


def test_too_many_recipients_are_refused(server: IncomingMailServer, inbox: MemoryInbox) -> None:
    with connected(server) as opened:
        opened.sendall(b"MAIL FROM:<ann@example.com>\r\n")
        answer(opened)
        said = []
        for _ in range(mail_server.MOST_RECIPIENTS + 1):
            opened.sendall(f"RCPT TO:<{PLAY}>\r\n".encode())
            said.append(answer(opened)[:3])
    assert said == ["250"] * mail_server.MOST_RECIPIENTS + ["452"]


def test_a_message_that_is_too_large_is_refused_for_good(
    server: IncomingMailServer, inbox: MemoryInbox
) -> None:
    with client(server) as sending, pytest.raises(smtplib.SMTPException) as failed:
        sending.sendmail(
            "a@example.com",
            [PLAY],
            MAIL + "x" * 990 + "\r\n" + ("y" * 990 + "\r\n") * (mail_server.MOST_BYTES // 990),
        )
    assert "552" in str(failed.value)
    assert inbox.kept == []


def test_data_without_an_end_is_cut_off(server: IncomingMailServer, inbox: MemoryInbox) -> None:
    with connected(server) as opened:
        opened.sendall(b"MAIL FROM:<ann@example.com>\r\n")
        answer(opened)
        opened.sendall(f"RCPT TO:<{PLAY}>\r\n".encode())
        answer(opened)
        opened.sendall(b"DATA\r\n")
        answer(opened)
        opened.sendall(b"half a message")
    with client(server) as sending:  # the next one is as welcome as ever
        sending.sendmail("ann@example.com", [PLAY], MAIL)
    assert [kept.raw for kept in inbox.kept] == [MAIL.encode()]


def test_an_end_that_is_none_smuggles_no_second_message(
    server: IncomingMailServer, inbox: MemoryInbox
) -> None:
    second = f"MAIL FROM:<x@example.com>\nRCPT TO:<{PLAY}>\nDATA\nFrom: red\n\nRESIGN\n"
    smuggled = f"{MAIL}\n.\n{second}".encode()
    with connected(server) as opened:
        opened.sendall(b"MAIL FROM:<ann@example.com>\r\n")
        answer(opened)
        opened.sendall(f"RCPT TO:<{PLAY}>\r\n".encode())
        answer(opened)
        opened.sendall(b"DATA\r\n")
        answer(opened)
        opened.sendall(smuggled + b"\r\n.\r\n")
        answer(opened)
    assert len(inbox.kept) <= 1


def test_one_peer_cannot_take_all_connections(
    server: IncomingMailServer, inbox: MemoryInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_OF_PEER", 3)
    with ExitStack() as open_:
        for _ in range(3):
            open_.enter_context(connected(server))
        more = open_.enter_context(socket.create_connection(("127.0.0.1", server.port), 20))
        assert answer(more).startswith("421")
    until(lambda: welcome(server))
    with client(server) as sending:
        sending.sendmail("ann@example.com", [PLAY], MAIL)
    assert len(inbox.kept) == 1


def test_all_connections_together_are_limited(
    server: IncomingMailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 2)
    with ExitStack() as open_:
        for _ in range(2):
            open_.enter_context(connected(server))
        more = open_.enter_context(socket.create_connection(("127.0.0.1", server.port), 20))
        assert answer(more).startswith("421")
        assert answer(more) == ""


@pytest.mark.parametrize("line", [b"\r\n", b"\xff\r\n"])
def test_a_session_has_so_many_replies(
    server: IncomingMailServer, monkeypatch: pytest.MonkeyPatch, line: bytes
) -> None:
    monkeypatch.setattr(mail_server, "MOST_REPLIES", 30)
    with connected(server) as opened:
        opened.sendall(line * 100)
        said = ""
        while more := answer(opened):
            said += more
    assert 20 < said.count("500 ") <= 30


def test_what_peers_say_is_not_logged(
    server: IncomingMailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, stream = logging.getLogger(), StringIO()
    monkeypatch.setattr(root, "handlers", list(root.handlers))
    monkeypatch.setattr(root, "level", root.level)
    configure_logging(stream=stream)
    logging.getLogger("rubicon").info("the log is written")
    with client(server) as sending:
        sending.sendmail("ann@example.com", [TAGGED], MAIL)
        sending.docmd("NONSENSE", "secret")
    logging.captureWarnings(False)
    said = stream.getvalue()
    assert "the log is written" in said
    assert not any(word in said for word in ("K4WQ7", "ann@", "secret"))


@pytest.mark.parametrize(
    "junk", [b"\x00\xff" * 500 + b"\r\n", b"A" * 200_000, b"GET / HTTP/1.1\r\n\r\n", b"\r\n" * 50]
)
def test_junk_ends_in_an_answer_or_the_end_of_the_session(
    server: IncomingMailServer, inbox: MemoryInbox, junk: bytes
) -> None:
    with connected(server) as opened:
        try:
            opened.sendall(junk + b"\r\n")
            said = answer(opened)
        except ConnectionError:
            said = ""
        assert said == "" or said[0] in "45"
    with client(server) as sending:
        sending.sendmail("ann@example.com", [PLAY], MAIL)
    assert len(inbox.kept) == 1


def test_whoever_says_nothing_is_cut_off(
    inbox: MemoryInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_server, "IDLE_SECONDS", 0.2)
    server = IncomingMailServer(
        ListenAt(lmtp=True, host="127.0.0.1", port=0), inbox, frozenset({PLAY})
    )
    server.start()
    try:
        with socket.create_connection(("127.0.0.1", server.port), 20) as opened:
            replies = list(iter(lambda: answer(opened), ""))
        assert [reply[:3] for reply in replies] in ([], ["220"], ["220", "421"])
    finally:
        server.close()


@pytest.mark.parametrize("seconds", ["SESSION_SECONDS", "MESSAGE_SECONDS"])
def test_whoever_talks_for_ever_is_cut_off(
    inbox: MemoryInbox, monkeypatch: pytest.MonkeyPatch, seconds: str
) -> None:
    monkeypatch.setattr(connections, seconds, 0.3)
    server = IncomingMailServer(
        ListenAt(lmtp=True, host="127.0.0.1", port=0), inbox, frozenset({PLAY})
    )
    server.start()
    try:
        with socket.create_connection(("127.0.0.1", server.port), 20) as opened:
            said = ""
            while more := answer(opened):
                said += more
                time.sleep(0.02)  # so few that the limit of commands is far away
                with suppress(ConnectionError):
                    opened.sendall(b"NOOP\r\n")
        assert said.splitlines()[-1].startswith("421 4.4.2")
    finally:
        server.close()


def test_a_port_in_use_is_told(server: IncomingMailServer, inbox: MemoryInbox) -> None:
    at = ListenAt(lmtp=True, host="127.0.0.1", port=server.port)
    other = IncomingMailServer(at, inbox, frozenset({PLAY}))
    with pytest.raises(RubiconError, match="cannot be taken at") as error:
        other.start()
    assert error.value.code == "mail/listen"
    other.close()
