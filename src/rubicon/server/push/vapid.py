"""How a push service recognises this server: its key pair, and a signed token (RFC 8292)."""

from __future__ import annotations

import json
import time
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from sqlalchemy import Connection, insert, select

from rubicon.server.push.encryption import CURVE, point_of, to_base64
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store

PUSH_KEY = "push key"  # its name among the server's secrets
KEY_BYTES = 32
VALID = 12 * 3600  # seconds that a token is valid; RFC 8292 allows 24 hours


class ServerKey:
    """The key pair with which a server signs. Devices subscribe to its public key."""

    def __init__(self, private: ec.EllipticCurvePrivateKey) -> None:
        self._private = private
        self.public = to_base64(point_of(private.public_key()))

    @staticmethod
    def of(store: Store) -> ServerKey:
        """The key pair of a database, made at the first start."""
        number = int.from_bytes(store.write(_stored_key).result(), "big")
        return ServerKey(ec.derive_private_key(number, CURVE))

    def authorization(self, endpoint: str, contact: str, at: float | None = None) -> str:
        """The header `Authorization` for a message to an endpoint; `at` in seconds since 1970."""
        parts = urlsplit(endpoint)
        expires = int(time.time() if at is None else at) + VALID
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": expires, "sub": contact}
        signed = f"{_part({'typ': 'JWT', 'alg': 'ES256'})}.{_part(claims)}"
        r, s = decode_dss_signature(self._private.sign(signed.encode(), ec.ECDSA(SHA256())))
        signature = r.to_bytes(KEY_BYTES, "big") + s.to_bytes(KEY_BYTES, "big")
        return f"vapid t={signed}.{to_base64(signature)}, k={self.public}"


def _part(content: dict[str, object]) -> str:
    return to_base64(json.dumps(content, separators=(",", ":")).encode())


def _stored_key(connection: Connection) -> bytes:
    columns = schema.secret.c
    wanted = select(columns.value).where(columns.name == PUSH_KEY)
    found = connection.execute(wanted).scalar_one_or_none()
    if found is None:
        number = ec.generate_private_key(CURVE).private_numbers().private_value
        found = number.to_bytes(KEY_BYTES, "big")
        connection.execute(insert(schema.secret), {"name": PUSH_KEY, "value": found})
    return bytes(found)
