"""Senders, with a mail server in this process: what is encrypted, what fails, what never goes."""

from __future__ import annotations

import asyncio
import gc
import io
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword

from rubicon.host import sender as module
from rubicon.host.host import letterhead_of
from rubicon.host.letters import duty_letter
from rubicon.host.sender import ConsoleSender, MailServer, NotSent, SmtpSender, sender_of
from rubicon.host.settings import HostSettings
from rubicon.rules.errors import RubiconError
from tests.host.posted import HEAD
from tests.host.test_letters import TOLD

LETTER = duty_letter(HEAD, TOLD)
# The mail server of these tests leaves connections open that are broken off.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(scope="module", autouse=True)
def _cleared_away() -> Iterator[None]:
    """So that what it leaves is not found in a later test."""
    yield
    gc.collect()


class Sink:
    """Keeps what arrives; says `refusal` to recipients, if there is one."""

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
        """Everybody may come in with one password."""
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
        yield MailServer("127.0.0.1", controller.port, starttls=False)
    finally:
        controller.stop()


def send(server: MailServer, trusted: ssl.SSLContext | None = None) -> None:
    asyncio.run(SmtpSender(server, trusted).send(LETTER))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for this machine with its key, in one file."""
    if shutil.which("openssl") is None:
        pytest.skip("a certificate cannot be made: openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    made = "req -x509 -newkey rsa:2048 -nodes -days 2 -keyout key -out cert -subj /CN=127.0.0.1"
    named = "-addext subjectAltName=IP:127.0.0.1"
    command = ["openssl", *made.split(" "), *named.split(" ")]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (folder / "both").write_bytes((folder / "key").read_bytes() + (folder / "cert").read_bytes())
    return folder / "both"


def contexts(certificate: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """For the server, and for who trusts it."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate)
    client = ssl.create_default_context(cafile=str(certificate.with_name("cert")))
    return server, client


def test_a_letter_arrives_as_it_was_written() -> None:
    sink = Sink()
    with mail_server(sink) as server:
        send(server)
    (envelope,) = sink.envelopes
    assert envelope.mail_from == "rubicon@risk.example.org"
    assert envelope.rcpt_tos == ["ann@example.org"]
    assert isinstance(envelope.content, bytes)
    letter = message_from_bytes(envelope.content)
    assert letter["Message-ID"] == LETTER["Message-ID"]
    assert letter["List-Unsubscribe"] == LETTER["List-Unsubscribe"]


def test_with_starttls_the_password_goes_encrypted(certificate: Path) -> None:
    at_server, trusting = contexts(certificate)
    sink = Sink()
    more = {"tls_context": at_server, "authenticator": sink.authenticate, "auth_required": True}
    with mail_server(sink, require_starttls=True, **more) as server:
        secret = replace(server, starttls=True, user="ann", password="sesame")
        send(secret, trusting)
        assert sink.passwords == [b"sesame"]
        assert sink.encrypted == [True]
        with pytest.raises(NotSent) as caught:
            send(replace(secret, password="wrong"), trusting)
        assert not caught.value.final
        assert "wrong" not in str(caught.value)
    assert len(sink.envelopes) == 1


def test_a_server_that_nobody_vouches_for_learns_no_password(certificate: Path) -> None:
    at_server, _ = contexts(certificate)
    sink = Sink()
    with mail_server(sink, tls_context=at_server, authenticator=sink.authenticate) as server:
        secret = replace(server, starttls=True, user="ann", password="sesame")
        with pytest.raises(NotSent, match=r"(?i)certificate"):
            send(secret)
    assert sink.passwords == []


def test_with_smtps_all_is_encrypted(certificate: Path) -> None:
    at_server, trusting = contexts(certificate)
    sink = Sink()
    with mail_server(sink, ssl_context=at_server) as server:
        send(replace(server, tls=True), trusting)
    assert len(sink.envelopes) == 1


def test_where_starttls_is_wanted_nothing_goes_without_it() -> None:
    sink = Sink()
    more = {"authenticator": sink.authenticate, "auth_require_tls": False}
    with mail_server(sink, **more) as server, pytest.raises(NotSent):
        send(replace(server, starttls=True, user="ann", password="sesame"))
    assert sink.passwords == []
    assert sink.envelopes == []


@pytest.mark.parametrize(
    ("refusal", "final"), [("550 no such mailbox", True), ("451 later", False)]
)
def test_what_is_refused_says_why_and_whether_to_try_again(refusal: str, final: bool) -> None:
    with mail_server(Sink(refusal)) as server, pytest.raises(NotSent, match=refusal) as caught:
        send(server)
    assert caught.value.final is final


def test_a_server_that_says_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STEP_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(NotSent) as caught:
        send(MailServer("127.0.0.1", silent.getsockname()[1], starttls=False))
    assert not caught.value.final


def test_a_server_that_answers_too_slowly_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer comes in time, the whole does not."""
    monkeypatch.setattr(module, "LETTER_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(NotSent):
        send(MailServer("127.0.0.1", silent.getsockname()[1], starttls=False))


def test_where_nobody_listens_it_is_not_sent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(NotSent):
        send(MailServer("127.0.0.1", port, starttls=False))


def test_the_console_shows_a_letter_as_people_read_it() -> None:
    console = io.StringIO()
    asyncio.run(ConsoleSender(console).send(LETTER))
    assert "--- letter to ann@example.org: Your turn: Friday" in console.getvalue()
    assert "it is your turn in “Friday”" in console.getvalue()
    console.close()
    with pytest.raises(NotSent):
        asyncio.run(ConsoleSender(console).send(LETTER))


@pytest.mark.parametrize(
    ("url", "server"),
    [
        (
            "smtp://ann:a%40b@mail.example.org",
            MailServer("mail.example.org", 587, "ann", "a@b", starttls=True),
        ),
        ("smtps://mail.example.org", MailServer("mail.example.org", 465, tls=True, starttls=False)),
        ("smtp://localhost:25", MailServer("localhost", 25, starttls=False)),
        ("smtp://127.0.0.1:25?starttls=1", MailServer("127.0.0.1", 25, starttls=True)),
        (
            "smtp://mail.example.org:25?starttls=0",
            MailServer("mail.example.org", 25, starttls=False),
        ),
        ("smtp://[::1]:25", MailServer("::1", 25, starttls=False)),
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
def test_what_is_no_server_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(RubiconError) as caught:
        MailServer.parse(url)
    assert caught.value.code == "serve/settings"
    assert "sesame" not in str(caught.value.as_dict())


def test_no_password_is_shown() -> None:
    url = "smtp://ann:sesame@mail.example.org"
    settings = HostSettings(mail_server=url, store="postgresql://ann:sesame@host/name")
    sender = sender_of(url)
    assert isinstance(sender, SmtpSender)
    assert "sesame" not in f"{settings!r} {sender.server!r} {sender!r}"
    assert isinstance(sender_of(""), ConsoleSender)


@pytest.mark.parametrize(
    "settings",
    [
        HostSettings(mail_server="smtp://localhost"),
        HostSettings(mail_from="nobody"),
        HostSettings(public_url="risk.example.org"),
        HostSettings(public_url="https://risk.example.org\nX: y"),
        HostSettings(public_url="https://bücher.example"),
    ],
)
def test_settings_with_which_letters_cannot_be_written(settings: HostSettings) -> None:
    with pytest.raises(RubiconError) as caught:
        letterhead_of(settings)
    assert caught.value.code == "serve/settings"
    assert caught.value.suggestion


def test_links_lead_to_where_people_reach_the_house() -> None:
    assert letterhead_of(HostSettings()).url == "http://127.0.0.1:8042"
    assert letterhead_of(HostSettings(public_url="https://risk.example.org/")).url == HEAD.url
