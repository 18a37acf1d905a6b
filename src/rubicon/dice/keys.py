"""Ed25519 keys and signatures (RFC 8032), with weak public keys refused."""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SIGNATURE_SIZE = 64
_PRIME = 2**255 - 19
_SIGN_BIT = 2**255
# The y coordinates of the points of small order: a signature by one of them binds to nothing.
_SMALL_ORDER = frozenset(
    {
        0,
        1,
        _PRIME - 1,
        0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
        _PRIME - 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    }
)


def public_key(private: bytes) -> bytes:
    """The public key of a private one, both of 32 bytes."""
    return _private(private).public_key().public_bytes_raw()


def sign(private: bytes, message: bytes) -> bytes:
    """The signature of a message, 64 bytes."""
    return _private(private).sign(message)


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is that of this key over this message."""
    try:
        _public(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_usable(public: bytes) -> bool:
    """Whether this is a public key that may be registered: a point in its one canonical writing,
    and not one of small order, whose signatures fit messages that nobody signed."""
    y = int.from_bytes(public, "little") & (_SIGN_BIT - 1)
    if y >= _PRIME or y in _SMALL_ORDER:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1024)
def _private(private: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(private)


@lru_cache(maxsize=1024)
def _public(public: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public)
