"""A message goes to the checked address over TLS, and only to who has a certificate of the name."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from rubicon.server.outbox import Outcome
from rubicon.server.push import PushMessage, PushQueue, ServerKey, to_base64
from rubicon.table.notices import DecisionDue
from rubicon.table.storage.database import Store, migrate
from tests.server.mail.mailing import IDENTITY
from tests.server.push.push_service import HOST, Browser

DAY = timedelta(days=1)


class TlsService:
    """A push service on this machine, with a certificate of a name."""

    def __init__(self, folder: Path, name: str) -> None:
        self.received: list[bytes] = []
        self.hosts: list[str | None] = []
        self.certificate = folder / "certificate.pem"
        key = ec.generate_private_key(ec.SECP256R1())
        issued = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        at = datetime.now(UTC)
        made = (
            x509.CertificateBuilder(issued, issued, key.public_key(), 1, at - DAY, at + DAY)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, SHA256())
        )
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        self.certificate.write_bytes(made.public_bytes(Encoding.PEM) + secret)
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                service.hosts.append(self.headers["host"])
                service.received.append(self.rfile.read(length))
                self.send_response(201)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Print nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self) -> None:
        """Stop."""
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def migrated(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(f"sqlite:///{tmp_path}/push.db")
    migrate(store)
    yield store
    store.close()


def send(service: TlsService, store: Store, browser: Browser) -> Outcome:
    """Send one message to the service; the name resolves to this machine."""

    async def resolve(host: str) -> str:
        return "127.0.0.1"

    async def main() -> Outcome:
        trusted = ssl.create_default_context(cafile=str(service.certificate))
        transport = httpx.AsyncHTTPTransport(verify=trusted)
        sender = PushQueue(
            store, ServerKey.of(store), IDENTITY, transport=transport, resolve=resolve
        )
        message = PushMessage(
            id=1,
            subscription=1,
            endpoint=f"https://{HOST}:{service.server.server_port}/send/one",
            p256dh=to_base64(browser.point),
            auth=to_base64(browser.auth),
            at=0,
            game="abcdefghij",
            title="Friday",
            kind="decision",
            notice=DecisionDue(3),
            stale=False,
        )
        async with httpx.AsyncClient(transport=transport) as http:
            return await sender.send(http, sender.plan(message, 0).parcel)

    return asyncio.run(main())


def test_the_certificate_must_be_of_the_name(tmp_path: Path, migrated: Store) -> None:
    browser = Browser("one")
    for name, delivered in ((HOST, True), ("other.example.org", False)):
        service = TlsService(tmp_path, name)
        result = send(service, migrated, browser)
        service.close()
        assert result.delivered is delivered
        assert len(service.received) == int(delivered)
        assert (result.reason == "") is delivered
        assert not result.gone
        if delivered:
            assert b'"Friday"' in browser.decrypt(service.received[0])
            assert service.hosts == [HOST]
