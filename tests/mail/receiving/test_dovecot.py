"""The poller reads a real mailbox: at once, in order, and again after its server was away."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from rubicon.mail import mailbox_poller
from rubicon.mail.mailbox_poller import MailboxAccount, MailboxPoller
from tests.mail.receiving.dovecot import (
    PASSWORD,
    PATIENCE,
    USER,
    WHY_NOT,
    Dovecot,
    dovecot,
    is_there,
)
from tests.mail.receiving.inboxes import MemoryInbox

pytestmark = pytest.mark.skipif(not is_there(), reason=WHY_NOT)
MAIL = b"From: ann@example.com\r\nTo: user+TOKEN@example.org\r\nSubject: orders\r\n\r\nEND\r\n"
LONG = 600  # seconds between two looks: longer than the test, so IDLE alone can tell


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with dovecot() as running:
        yield running


def poller(
    server: Dovecot, inbox: MemoryInbox, *, poll: int = LONG, folder: str = "INBOX"
) -> MailboxPoller:
    account = MailboxAccount(
        host="127.0.0.1",
        port=server.port,
        user=USER,
        password=PASSWORD,
        folder=folder,
        tls=False,
    )
    return MailboxPoller(account, inbox, poll=poll)


def numbered(inbox: MemoryInbox) -> list[bytes]:
    """The last characters of what was kept; Dovecot itself may swap what came at one moment."""
    return sorted(mail.raw.strip()[-3:] for mail in inbox.kept)


def test_messages_are_kept_and_moved(server: Dovecot, inbox: MemoryInbox) -> None:
    before = server.messages("Rubicon")
    for number in range(3):
        server.put(MAIL + b"%03d" % number, "user+token@example.org")
    assert poller(server, inbox).try_out() == 3
    assert poller(server, inbox).look() == 3
    assert numbered(inbox) == [b"000", b"001", b"002"]
    assert (server.messages(), server.messages("Rubicon") - before) == (0, 3)
    assert "Rubicon" in (server.folder / "mail" / "subscriptions").read_text()


def test_idle_tells_of_each_message_at_once(server: Dovecot, inbox: MemoryInbox) -> None:
    reading = poller(server, inbox)
    reading.start()
    try:
        for number in range(30):  # some arrive while the mailbox is searched or moved in
            server.put(MAIL + b"%03d" % number)
            if number % 3 == 0:
                inbox.wait_for(number + 1)
        inbox.wait_for(30)
        server.wait_until_read()
    finally:
        reading.close()
    assert numbered(inbox) == [b"%03d" % number for number in range(30)]


def test_it_reads_on_when_its_connection_was_lost(
    server: Dovecot, inbox: MemoryInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox_poller, "SHORTEST_DELAY", 0.1)
    reading = poller(server, inbox)
    reading.start()
    try:
        server.put(MAIL + b"000")
        inbox.wait_for(1)
        server.wait_until_read()
        server.drop_connections()
        server.put(MAIL + b"001")
        inbox.wait_for(2)
        server.wait_until_read()
    finally:
        began = time.monotonic()
        reading.close()
    assert time.monotonic() - began < PATIENCE / 3
    assert numbered(inbox) == [b"000", b"001"]


def test_a_message_that_was_not_kept_stays(server: Dovecot, inbox: MemoryInbox) -> None:
    server.put(MAIL + b"000")
    inbox.full = True
    with pytest.raises(Exception, match="disk is full"):
        poller(server, inbox).look()
    assert server.messages() == 1
    inbox.full = False
    assert poller(server, inbox).look() == 1


def test_of_a_large_message_only_the_header_is_fetched(
    server: Dovecot, inbox: MemoryInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox_poller, "MOST_BYTES", 1_000)
    server.put(MAIL + b"x" * 2_000)
    assert poller(server, inbox).look() == 1
    assert inbox.kept[0].envelope.cut
    assert inbox.kept[0].raw.endswith(b"\r\n\r\n")
    assert server.messages() == 0


def test_a_missing_folder_and_a_wrong_password_are_told(
    server: Dovecot, inbox: MemoryInbox
) -> None:
    with pytest.raises(Exception, match="Mailbox doesn't exist") as missing:
        poller(server, inbox, folder="Games").try_out()
    assert mailbox_poller.mailbox_reason(missing.value).startswith("Mailbox doesn't exist: Games")


def test_folders_below_the_inbox_are_made_there(inbox: MemoryInbox) -> None:
    with dovecot(prefix="INBOX.") as server:
        server.put(MAIL + b"000")
        assert poller(server, inbox).look() == 1
        assert (server.messages(), server.messages("Rubicon")) == (0, 1)
