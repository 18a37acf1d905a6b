"""`rubicon mail check` says of each setting whether it works, and changes nothing."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from rubicon.errors import RubiconError
from rubicon.mail.mail_service import check_mail, play_by_mail, reply_address_of, test_email
from rubicon.server.settings import ServerSettings
from tests.mail.receiving.imap_server import imap_server
from tests.ports import free_port

test_email.__test__ = False  # type: ignore[attr-defined]
FROM = "Rubicon <play@risk.example.org>"


class Taking:
    """A mail server that takes everything."""

    def __init__(self) -> None:
        self.taken = 0

    async def handle_DATA(  # noqa: N802 - the library calls it so
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Take an e-mail."""
        self.taken += 1
        return "250 OK"


@pytest.fixture
def mail_server() -> Iterator[tuple[int, Taking]]:
    taking, port = Taking(), free_port()
    controller = Controller(taking, hostname="127.0.0.1", port=port)
    controller.start()
    yield port, taking
    controller.stop()


def told(settings: ServerSettings) -> dict[str, bool]:
    """Whether each setting is good."""
    return {finding.what.partition(",")[0]: finding.good for finding in check_mail(settings)}


def test_good_settings_are_good_and_nothing_is_sent_or_fetched(
    mail_server: tuple[int, Taking],
) -> None:
    port, taking = mail_server
    with imap_server() as mailbox:
        mailbox.put(b"From: ann@example.com\r\n\r\nEND\r\n")
        settings = ServerSettings(
            mail_server=f"smtp://127.0.0.1:{port}",
            mail_from=FROM,
            public_url="https://risk.example.org",
            mail_receive=f"lmtp://127.0.0.1:{free_port()} "
            f"imap://user:secret@127.0.0.1:{mailbox.port}/INBOX",
            mail_authentication_servers="mx.example.org",
        )
        findings = list(check_mail(settings))
        assert len(mailbox.inbox) == 1
    assert [str(finding) for finding in findings if not finding.good] == []
    assert len(findings) == 6
    assert "1 e-mails wait" in str(findings[4])
    assert taking.taken == 0


def test_what_does_not_work_is_told_without_a_password(mail_server: tuple[int, Taking]) -> None:
    with imap_server() as mailbox, socket.create_server(("127.0.0.1", 0)) as used:
        settings = ServerSettings(
            mail_server=f"smtp://127.0.0.1:{free_port()}",
            mail_from=FROM,
            mail_receive=f"lmtp://127.0.0.1:{used.getsockname()[1]} "
            f"imap://user:hunter2@127.0.0.1:{mailbox.port}/INBOX",
        )
        findings = list(check_mail(settings))
    good = [finding.what for finding in findings if finding.good]
    assert good == ["mail_from", "mail_reply_to", "mail_authentication_servers"]
    assert str(findings[-1]).startswith("note   mail_authentication_servers: It is empty")
    assert "hunter2" not in "".join(map(str, findings))
    assert "wrong password" in "".join(map(str, findings))


def test_empty_settings_are_not_good() -> None:
    assert not any(told(ServerSettings()).get(name) for name in ("mail_server", "mail_receive"))


def test_a_test_email_goes_to_a_proper_address_only() -> None:
    settings = ServerSettings(mail_from=FROM, mail_server="smtp://127.0.0.1")
    message = test_email(settings, "Ann@example.com")
    assert (message["To"], message["Auto-Submitted"]) == ("ann@example.com", "auto-generated")
    with pytest.raises(RubiconError) as error:
        test_email(settings, "ann@example.com\nBcc: bob@example.com")
    assert error.value.code == "email/address"


def test_without_a_receiver_there_is_no_play_by_mail() -> None:
    assert play_by_mail(ServerSettings()) is None


@pytest.mark.parametrize(
    "settings",
    [
        ServerSettings(mail_receive="lmtp://127.0.0.1:8024"),
        ServerSettings(mail_receive="lmtp://127.0.0.1:8024", mail_reply_to="nobody"),
        ServerSettings(mail_receive="lmtp://127.0.0.1:8024", mail_reply_to="a+b@example.org"),
        ServerSettings(
            mail_receive="lmtp://127.0.0.1:8024", mail_reply_to=f"{'long' * 12}@example.org"
        ),
    ],
)
def test_an_address_that_cannot_carry_a_token_is_refused(settings: ServerSettings) -> None:
    with pytest.raises(RubiconError) as error:
        play_by_mail(settings)
    assert error.value.code == "serve/settings"
    assert error.value.suggestion


def test_the_reply_address_is_that_of_its_setting() -> None:
    settings = ServerSettings(mail_from=FROM, mail_reply_to="Game <orders@example.org>")
    assert reply_address_of(settings).addr_spec == "orders@example.org"
