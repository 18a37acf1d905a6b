"""The setting `mail_receive` names receivers; what is wrong in it is told without its password."""

from __future__ import annotations

import pytest

from rubicon.errors import RubiconError
from rubicon.mail.mail_server import IncomingMailServer
from rubicon.mail.mail_service import receivers_of
from rubicon.mail.mailbox_poller import MailboxPoller
from tests.mail.receiving.inboxes import MemoryInbox


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("lmtp://127.0.0.1:8024", IncomingMailServer),
        ("lmtp:///run/rubicon/mail.sock", IncomingMailServer),
        ("smtp://0.0.0.0", IncomingMailServer),
        ("imaps://ann%40example.org:se%2Fcret@imap.example.org/INBOX", MailboxPoller),
        ("imap://ann:secret@127.0.0.1:1430", MailboxPoller),
    ],
)
def test_a_url_names_a_receiver(url: str, kind: type) -> None:
    (receiver,) = receivers_of([url], MemoryInbox(), ["play@example.org"], poll=30)
    assert isinstance(receiver, kind)


@pytest.mark.parametrize(
    "url",
    [
        "pop3://ann:secret@example.org",
        "imap://127.0.0.1",
        "smtp://user:secret@0.0.0.0:25",
        "lmtp://127.0.0.1:99999",
        "lmtp://127.0.0.1:8024/secret",
        "secret",
    ],
)
def test_a_bad_url_is_told_and_not_quoted(url: str) -> None:
    with pytest.raises(RubiconError) as error:
        receivers_of([url], MemoryInbox(), ["play@example.org"], poll=30)
    assert error.value.code == "serve/settings"
    assert "secret" not in str(error.value)
    assert error.value.suggestion.startswith("Write lmtp://")
