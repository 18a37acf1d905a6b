"""A browser with an authenticator made of software: it answers as they do, or as a forger."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

from rubicon.server.passkeys import NewPasskeyAnswer, SignInAnswer

PRESENT, HAS_KEY = 0x01, 0x40  # flags of the authenticator's data


def _new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@dataclass
class Authenticator:
    """One passkey, at pages of an origin; `counter` counts its signatures (0: it does not)."""

    origin: str
    site: str
    counter: int = 1
    account: str = ""  # the user handle; known once it is registered
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(default_factory=_new_key)

    def create(self, options: dict[str, Any]) -> NewPasskeyAnswer:
        """The answer to the options of registering."""
        self.account = base64url_to_bytes(options["user"]["id"]).decode()
        credential = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + self._public_key()
        data = self._data(HAS_KEY) + credential
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return NewPasskeyAnswer(self.id, self._client_data("webauthn.create", options), attestation)

    def get(self, options: dict[str, Any]) -> SignInAnswer:
        """The answer to the options of signing in; each counts."""
        self.counter += self.counter > 0
        client_data, data = self._client_data("webauthn.get", options), self._data()
        signed = data + hashlib.sha256(client_data).digest()
        signature = self.key.sign(signed, ec.ECDSA(SHA256()))
        return SignInAnswer(self.id, client_data, data, signature, self.account)

    def _client_data(self, kind: str, options: dict[str, Any]) -> bytes:
        content = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(content).encode()

    def _data(self, flags: int = 0) -> bytes:
        site = hashlib.sha256(self.site.encode()).digest()
        return site + bytes([PRESENT | flags]) + self.counter.to_bytes(4, "big")

    def _public_key(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        key = {1: 2, 3: -7, -1: 1, -2: x, -3: y}  # COSE: EC2, ES256, P-256
        return bytes(encode_cbor(key))


def as_new(answer: NewPasskeyAnswer, name: str = "Phone") -> dict[str, str]:
    """The body of the request that adds a passkey."""
    return {
        "name": name,
        "id": bytes_to_base64url(answer.id),
        "client_data": bytes_to_base64url(answer.client_data),
        "attestation": bytes_to_base64url(answer.attestation),
    }


def as_sign_in(answer: SignInAnswer) -> dict[str, str]:
    """The body of the request that signs in."""
    return {
        "id": bytes_to_base64url(answer.id),
        "client_data": bytes_to_base64url(answer.client_data),
        "authenticator_data": bytes_to_base64url(answer.authenticator_data),
        "signature": bytes_to_base64url(answer.signature),
        "user_handle": bytes_to_base64url(answer.account.encode()),
    }
