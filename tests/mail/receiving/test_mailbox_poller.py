"""Messages of a mailbox are kept once, whatever the server cannot do."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.mail import mailbox_poller
from rubicon.mail.mailbox_poller import MailboxAccount, MailboxPoller
from tests.certificates import self_signed
from tests.mail.receiving.imap_server import ImapServer, Session, imap_server
from tests.mail.receiving.inboxes import MemoryInbox

MAIL = b"From: ann@example.com\r\nSubject: orders\r\n\r\nEND\r\n"


@pytest.fixture
def server() -> Iterator[ImapServer]:
    with imap_server() as running:
        yield running


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return self_signed(tmp_path_factory.mktemp("tls"))


def poller(
    server: ImapServer, inbox: MemoryInbox, password: str = "secret", *, tls: bool = False
) -> MailboxPoller:
    account = MailboxAccount(
        host="127.0.0.1",
        port=server.port,
        user="user",
        password=password,
        folder="INBOX",
        tls=tls,
    )
    return MailboxPoller(account, inbox, poll=1)


def test_messages_are_kept_in_their_order_and_moved(server: ImapServer, inbox: MemoryInbox) -> None:
    for number in range(3):
        server.put(MAIL + b"%d" % number)
    assert poller(server, inbox).look() == 3
    assert [mail.raw[-1:] for mail in inbox.kept] == [b"0", b"1", b"2"]
    assert (len(server.inbox), len(server.moved)) == (0, 3)
    assert "Rubicon" in server.folders
    assert inbox.kept[0].envelope.sender is None


def test_a_message_that_was_not_kept_stays(server: ImapServer, inbox: MemoryInbox) -> None:
    server.put(MAIL)
    inbox.full = True
    with pytest.raises(Exception, match="disk is full"):
        poller(server, inbox).look()
    assert len(server.inbox) == 1
    inbox.full = False
    assert poller(server, inbox).look() == 1


def test_of_a_large_message_only_the_header_is_fetched(
    server: ImapServer, inbox: MemoryInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox_poller, "MOST_BYTES", 1_000)
    server.put(MAIL + b"x" * 2_000)
    poller(server, inbox).look()
    assert inbox.kept[0].envelope.cut
    assert b"x" not in inbox.kept[0].raw.partition(b"\r\n\r\n")[2]
    assert not any("BODY.PEEK[]" in command for command in server.fetched)
    assert any("BODY.PEEK[HEADER]<0." in command for command in server.fetched)


def test_where_nothing_can_be_moved_a_message_is_kept_once(inbox: MemoryInbox) -> None:
    with imap_server(can_move=False) as server:
        server.put(MAIL)
        reading = poller(server, inbox)
        assert (reading.look(), reading.look()) == (1, 0)
    assert len(inbox.kept) == 1


def test_new_numbers_of_a_mailbox_are_other_messages(inbox: MemoryInbox) -> None:
    with imap_server(can_move=False) as server:
        server.put(MAIL)
        reading = poller(server, inbox)
        reading.look()
        server.validity = 2
        assert reading.look() == 1


def test_a_sender_who_must_wait_delays_nobody(
    server: ImapServer, inbox: MemoryInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    flood = [server.put(b"From: eve@example.com\r\n\r\n%d" % n) for n in range(3)]
    server.put(MAIL)
    inbox.waiting = b"eve@"
    reading = poller(server, inbox)
    reading.look()
    assert [mail.raw for mail in inbox.kept] == [MAIL]
    assert list(server.inbox) == flood
    inbox.waiting = b""
    assert reading.look() == 0  # not yet
    monkeypatch.setattr("time.monotonic", lambda: 1e12)
    assert reading.look() == 3


class Repeating(Session):
    """Says that messages were moved, and lists them again."""

    def move(self, numbers: str, folder: str) -> None:
        """Do nothing."""
        self.done()


class Announcing(Session):
    """Announces a first message of a terabyte."""

    def fetch(self, number: int, part: str, most: int) -> None:
        """A number that is far too large."""
        if number == 1 and "BODY" in part:
            self.say("* 1 FETCH (UID 1 BODY[]<0> {1000000000000}")
            self.wfile.write(b"x" * 100_000)
            return
        super().fetch(number, part, most)


class Talking(Session):
    """Answers a search with lines that have no end."""

    def by_number(self, command: str) -> None:
        """Talk until the client is gone."""
        while command.startswith("SEARCH"):
            self.say("* OK " + "x" * 100_000)


def test_a_server_that_moves_nothing_is_asked_once_in_a_look(inbox: MemoryInbox) -> None:
    with imap_server(session=Repeating) as server:
        server.put(MAIL)
        assert poller(server, inbox).look() == 1


def test_a_message_of_any_size_that_is_announced_blocks_nothing(inbox: MemoryInbox) -> None:
    with imap_server(session=Announcing) as server:
        server.put(MAIL)
        server.put(MAIL + b"second")
        reading = poller(server, inbox)
        with pytest.raises(Exception, match="says too much"):
            reading.look()
        assert reading.look() == 1
    assert inbox.kept[0].raw.endswith(b"second")


def test_a_server_that_talks_for_ever_is_left(inbox: MemoryInbox) -> None:
    with imap_server(session=Talking) as server, pytest.raises(Exception, match="says too much"):
        poller(server, inbox).look()


def test_it_goes_on_in_its_thread_and_stops_at_once(server: ImapServer, inbox: MemoryInbox) -> None:
    reading = poller(server, inbox)
    reading.start()
    server.put(MAIL)
    inbox.wait_for(1)
    server.put(MAIL)
    inbox.wait_for(2)
    reading.close()
    server.put(MAIL)
    assert len(inbox.kept) == 2


def test_a_wrong_password_is_told_once_and_stops_nothing(
    server: ImapServer, inbox: MemoryInbox, caplog: pytest.LogCaptureFixture
) -> None:
    reading = poller(server, inbox, password="wrong")
    with pytest.raises(Exception, match="wrong password"):
        reading.look()
    assert inbox.kept == []


def test_a_message_that_comes_in_during_the_search_is_found_at_once(
    server: ImapServer, inbox: MemoryInbox
) -> None:
    server.late.append(MAIL)
    assert poller(server, inbox).look() == 1


def test_a_server_without_a_trusted_certificate_gets_no_password(
    certificate: Path, inbox: MemoryInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    at_server.load_cert_chain(certificate)
    with imap_server(tls=at_server) as server:
        reading = poller(server, inbox, tls=True)
        with pytest.raises(ssl.SSLCertVerificationError):
            reading.look()
        assert server.signed_in == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_name("cert")))
        server.put(MAIL)
        assert reading.look() == 1


def test_a_password_goes_to_another_machine_encrypted_alone(
    server: ImapServer, inbox: MemoryInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox_poller, "is_local", lambda host: False)
    with pytest.raises(Exception, match="TLS not supported"):
        poller(server, inbox).look()
    assert server.signed_in == []
