"""Delivery to a mail server in this process: encryption, failures, refusals."""

from __future__ import annotations

import asyncio
import gc
import io
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword

from rubicon.errors import RubiconError
from rubicon.server import delivery as module
from rubicon.server.delivery import (
    ConsoleTransport,
    DeliveryError,
    MailServer,
    SmtpTransport,
    transport_for,
)
from rubicon.server.emails import sign_in_email
from rubicon.server.server import email_identity
from rubicon.server.settings import ServerSettings
from tests.certificates import self_signed
from tests.server.mail.mailing import IDENTITY

MESSAGE = sign_in_email(IDENTITY, "ann@example.org", "k" * 26, 1_790_000_000_000, known=True)
# A header with a link is longer than the lines of SMTP are usually folded at.
MESSAGE["List-Unsubscribe"] = f"<{IDENTITY.url}/unsubscribe/k3vk3vk3vk3vk3vk/{'m' * 26}>"
# The mail server of these tests leaves connections open that are broken off.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(scope="module", autouse=True)
def _cleared_away() -> Iterator[None]:
    """So that what it leaves is not found in a later test."""
    yield
    gc.collect()


class Sink:
    """Stores messages; answers recipients with `refusal`, if it is set."""

    def __init__(self, refusal: str = "") -> None:
        self.envelopes: list[Envelope] = []
        self.passwords: list[bytes] = []
        self.encrypted: list[bool] = []
        self.refusal = refusal

    async def handle_RCPT(  # noqa: N802
        self, _: Any, session: Any, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.refusal:
            return self.refusal
        envelope.rcpt_tos.append(address)
        self.encrypted.append(session.ssl is not None)
        return "250 OK"

    async def handle_DATA(self, _: Any, session: Any, envelope: Envelope) -> str:  # noqa: N802
        self.envelopes.append(envelope)
        return "250 OK"

    def authenticate(self, _: Any, *more: Any) -> AuthResult:
        """Accept one password for every user."""
        (data,) = [part for part in more if isinstance(part, LoginPassword)]
        self.passwords.append(data.password)
        return AuthResult(success=data.password == b"sesame", handled=False)


class Served(Controller):
    """On a port that was free."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextmanager
def mail_server(sink: Sink, **more: Any) -> Iterator[MailServer]:
    """A server that listens."""
    controller = Served(sink, "127.0.0.1", 0, **more)
    controller.start()
    try:
        yield MailServer(host="127.0.0.1", port=controller.port, starttls=False)
    finally:
        controller.stop()


def send(server: MailServer, trusted: ssl.SSLContext | None = None) -> None:
    asyncio.run(SmtpTransport(server, trusted).send(MESSAGE))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return self_signed(tmp_path_factory.mktemp("tls"))


def contexts(certificate: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """For the server, and for who trusts it."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate)
    client = ssl.create_default_context(cafile=str(certificate.with_name("cert")))
    return server, client


def test_an_email_is_delivered_unchanged() -> None:
    sink = Sink()
    with mail_server(sink) as server:
        send(server)
    (envelope,) = sink.envelopes
    assert envelope.mail_from == "rubicon@risk.example.org"
    assert envelope.rcpt_tos == ["ann@example.org"]
    assert isinstance(envelope.content, bytes)
    message = message_from_bytes(envelope.content)
    assert message["Message-ID"] == MESSAGE["Message-ID"]
    assert message["List-Unsubscribe"] == MESSAGE["List-Unsubscribe"]


def test_starttls_encrypts_the_password(certificate: Path) -> None:
    at_server, trusting = contexts(certificate)
    sink = Sink()
    more = {"tls_context": at_server, "authenticator": sink.authenticate, "auth_required": True}
    with mail_server(sink, require_starttls=True, **more) as server:
        secret = replace(server, starttls=True, user="ann", password="sesame")
        send(secret, trusting)
        assert sink.passwords == [b"sesame"]
        assert sink.encrypted == [True]
        with pytest.raises(DeliveryError) as caught:
            send(replace(secret, password="wrong"), trusting)
        assert not caught.value.final
        assert "wrong" not in str(caught.value)
    assert len(sink.envelopes) == 1


def test_a_server_without_a_trusted_certificate_gets_no_password(certificate: Path) -> None:
    at_server, _ = contexts(certificate)
    sink = Sink()
    with mail_server(sink, tls_context=at_server, authenticator=sink.authenticate) as server:
        secret = replace(server, starttls=True, user="ann", password="sesame")
        with pytest.raises(DeliveryError, match=r"(?i)certificate"):
            send(secret)
    assert sink.passwords == []


def test_smtps_encrypts_from_the_start(certificate: Path) -> None:
    at_server, trusting = contexts(certificate)
    sink = Sink()
    with mail_server(sink, ssl_context=at_server) as server:
        send(replace(server, tls=True), trusting)
    assert len(sink.envelopes) == 1


def test_nothing_is_sent_without_the_required_starttls() -> None:
    sink = Sink()
    more = {"authenticator": sink.authenticate, "auth_require_tls": False}
    with mail_server(sink, **more) as server, pytest.raises(DeliveryError):
        send(replace(server, starttls=True, user="ann", password="sesame"))
    assert sink.passwords == []
    assert sink.envelopes == []


@pytest.mark.parametrize(
    ("refusal", "final", "unknown"),
    [
        ("550 no such mailbox", True, True),
        ("550 5.1.1 no such mailbox", True, True),
        ("550 5.7.1 listed as a sender of spam", True, False),
        ("552 mailbox full", True, False),
        ("451 later", False, False),
    ],
)
def test_a_refusal_has_its_reason_and_whether_it_is_final(
    refusal: str, final: bool, unknown: bool
) -> None:
    with (
        mail_server(Sink(refusal)) as server,
        pytest.raises(DeliveryError, match=refusal) as caught,
    ):
        send(server)
    assert caught.value.final is final
    assert caught.value.unknown_address is unknown


def test_a_silent_mail_server_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REPLY_TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(DeliveryError) as caught:
        send(MailServer(host="127.0.0.1", port=silent.getsockname()[1], starttls=False))
    assert not caught.value.final


def test_a_slow_mail_server_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer comes in time, but all of them together take too long."""
    monkeypatch.setattr(module, "DELIVERY_TIMEOUT", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(DeliveryError):
        send(MailServer(host="127.0.0.1", port=silent.getsockname()[1], starttls=False))


def test_a_refused_connection_is_a_delivery_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(DeliveryError):
        send(MailServer(host="127.0.0.1", port=port, starttls=False))


def test_the_console_prints_readable_emails() -> None:
    console = io.StringIO()
    asyncio.run(ConsoleTransport(console).send(MESSAGE))
    assert "--- e-mail to ann@example.org: Sign in to Rubicon" in console.getvalue()
    assert "open this page within a day" in console.getvalue()
    console.close()
    with pytest.raises(DeliveryError):
        asyncio.run(ConsoleTransport(console).send(MESSAGE))


@pytest.mark.parametrize(
    ("url", "server"),
    [
        (
            "smtp://ann:a%40b@mail.example.org",
            MailServer(
                host="mail.example.org", port=587, user="ann", password="a@b", starttls=True
            ),
        ),
        (
            "smtps://mail.example.org",
            MailServer(host="mail.example.org", port=465, tls=True, starttls=False),
        ),
        ("smtp://localhost:25", MailServer(host="localhost", port=25, starttls=False)),
        ("smtp://127.0.0.1:25?starttls=1", MailServer(host="127.0.0.1", port=25, starttls=True)),
        (
            "smtp://mail.example.org:25?starttls=0",
            MailServer(host="mail.example.org", port=25, starttls=False),
        ),
        ("smtp://[::1]:25", MailServer(host="::1", port=25, starttls=False)),
    ],
)
def test_servers_by_their_url(url: str, server: MailServer) -> None:
    assert MailServer.parse(url) == server


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.org",
        "https://ann:sesame@mail.example.org",
        "smtp://",
        "smtp://ann:sesame@mail.example.org:notaport",
        "smtp://ann:sesame@mail.example.org?starttls=0",
        "smtp://ann:sesame@mail.example.org?starttls=maybe",
        "smtp://ann:sesame@mail.example.org?check=0",
        "smtp://ann:sesame@mail.example.org/path",
        "smtp://ann:sesame@[::1",
    ],
)
def test_invalid_urls_are_refused_without_quoting_the_password(url: str) -> None:
    with pytest.raises(RubiconError) as caught:
        MailServer.parse(url)
    assert caught.value.code == "serve/settings"
    assert "sesame" not in str(caught.value.as_dict())


def test_passwords_are_not_in_representations() -> None:
    url = "smtp://ann:sesame@mail.example.org"
    settings = ServerSettings(mail_server=url, store="postgresql://ann:sesame@host/name")
    sender = transport_for(url)
    assert isinstance(sender, SmtpTransport)
    assert "sesame" not in f"{settings!r} {sender.server!r} {sender!r}"
    assert isinstance(transport_for(""), ConsoleTransport)


@pytest.mark.parametrize(
    "settings",
    [
        ServerSettings(mail_server="smtp://localhost"),
        ServerSettings(mail_from="nobody"),
        ServerSettings(public_url="risk.example.org"),
        ServerSettings(public_url="https://risk.example.org\nX: y"),
        ServerSettings(public_url="https://bücher.example"),
    ],
)
def test_incomplete_mail_settings_are_refused(settings: ServerSettings) -> None:
    with pytest.raises(RubiconError) as caught:
        email_identity(settings)
    assert caught.value.code == "serve/settings"
    assert caught.value.suggestion


def test_links_start_with_the_public_url() -> None:
    assert email_identity(ServerSettings()).url == "http://127.0.0.1:8042"
    assert (
        email_identity(ServerSettings(public_url="https://risk.example.org/")).url == IDENTITY.url
    )
