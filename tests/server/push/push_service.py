"""A push service, and a browser that subscribes to it and decrypts what it gets (RFC 8291)."""

from __future__ import annotations

import json
import secrets
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC

from rubicon.server.push import CURVE, PushDevice, from_base64, point_of, to_base64

HOST = "push.example.org"


def hmac(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA-256: the RFC states its derivations by it."""
    mac = HMAC(key, SHA256())
    mac.update(data)
    return mac.finalize()


class Browser:
    """One device: its key pair, its secret, and its endpoint at the service."""

    def __init__(self, name: str) -> None:
        self.private = ec.generate_private_key(CURVE)
        self.auth = secrets.token_bytes(16)
        self.endpoint = f"https://{HOST}/send/{name}"
        self.point = point_of(self.private.public_key())

    @property
    def device(self) -> PushDevice:
        """The subscription, as it is sent to the server."""
        return PushDevice(
            endpoint=self.endpoint,
            p256dh=to_base64(self.point),
            auth=to_base64(self.auth),
            label="laptop",
        )

    def decrypt(self, body: bytes) -> bytes:
        """The plaintext of a message, by the steps of RFC 8291, section 3.4."""
        salt, length = body[:16], body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        shared = self.private.exchange(ec.ECDH(), public)
        info = b"WebPush: info\x00" + self.point + sender + b"\x01"
        secret = hmac(hmac(self.auth, shared), info)
        derived = hmac(salt, secret)
        key = hmac(derived, b"Content-Encoding: aes128gcm\x00\x01")[:16]
        nonce = hmac(derived, b"Content-Encoding: nonce\x00\x01")[:12]
        plaintext = AESGCM(key).decrypt(nonce, record, None)
        assert plaintext.endswith(b"\x02")  # the last record, without padding
        return plaintext[:-1]


class PushService:
    """Takes messages for its browsers; `status` is what it answers."""

    def __init__(self) -> None:
        self.browsers: dict[str, Browser] = {}
        self.received: list[dict[str, Any]] = []
        self.requests: list[httpx.Request] = []
        self.status = 201
        self.transport = httpx.MockTransport(self._answer)

    def browser(self, name: str = "one") -> Browser:
        """A new device."""
        made = Browser(name)
        self.browsers[f"/send/{name}"] = made
        return made

    async def resolve(self, host: str) -> str:
        """The address of this service."""
        assert host == HOST
        return "203.0.113.7"

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.status == 201:
            found = self.browsers[request.url.path].decrypt(request.content)
            self.received.append(json.loads(found))
        return httpx.Response(self.status)


def check_signature(authorization: str, public: str) -> dict[str, Any]:
    """The claims of a header `Authorization`, after its signature was verified (RFC 8292)."""
    scheme, _, rest = authorization.partition(" ")
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, fields["k"]) == ("vapid", public)
    signed, _, signature = fields["t"].rpartition(".")
    raw = from_base64(signature)
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, from_base64(public))
    key.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(SHA256()))
    claims = signed.partition(".")[2]
    return dict(json.loads(from_base64(claims)))
