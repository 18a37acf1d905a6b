"""The encryption of a push message for one device (RFC 8291, with the encoding of RFC 8188).

Written on `cryptography`, which the dice use already: the libraries for web push bring an HTTP
client of their own, which connects to whatever address a name resolves to.
"""

from __future__ import annotations

import base64
import binascii
import secrets

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from rubicon.table.errors import TableError

CURVE = ec.SECP256R1()
RECORD_SIZE = 4096  # bytes: the one record that a message has (RFC 8291, section 4)
MAX_PLAINTEXT = 3000  # bytes; push services take bodies of 4,096
SALT_BYTES, AUTH_BYTES, POINT_BYTES = 16, 16, 65
_LAST_RECORD = b"\x02"


def encrypt(
    plaintext: bytes,
    p256dh: bytes,
    auth: bytes,
    *,
    salt: bytes | None = None,
    sender: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """The body of a push message: header and one record, encoding `aes128gcm`.

    `p256dh` is the device's public key (an uncompressed point of P-256), `auth` its secret of 16
    bytes. `salt` and the `sender`'s key are new for every message; tests give those of the RFC.
    """
    if len(plaintext) > MAX_PLAINTEXT:
        raise ValueError(f"a push message of {len(plaintext)} bytes")
    salt = secrets.token_bytes(SALT_BYTES) if salt is None else salt
    sender = ec.generate_private_key(CURVE) if sender is None else sender
    own = point_of(sender.public_key())
    device = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, p256dh)
    shared = sender.exchange(ec.ECDH(), device)
    key_info = b"WebPush: info\x00" + p256dh + own
    secret = _derive(shared, auth, key_info, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\x00", 12)
    header = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(own)]) + own
    return header + AESGCM(key).encrypt(nonce, plaintext + _LAST_RECORD, None)


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as an uncompressed point: 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_keys(p256dh: str, auth: str) -> None:
    """TableError `push/keys` unless these are the keys of a device, as browsers give them."""
    try:
        point = from_base64(p256dh)
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
        good = len(point) == POINT_BYTES and len(from_base64(auth)) == AUTH_BYTES
    except ValueError:
        good = False
    if not good:
        message = "These are not the keys of a push subscription."
        raise TableError("push/keys", message, "Send the keys of PushSubscription.toJSON().")


def to_base64(data: bytes) -> str:
    """As base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_base64(text: str) -> bytes:
    """From base64url with or without padding; ValueError for any other text."""
    try:
        padded = text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
        return base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise ValueError("not base64url") from error


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)
