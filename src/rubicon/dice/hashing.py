"""The two hashes that everything stands on: SHA-256 over parts, and HMAC-SHA256."""

import hmac
from functools import cache
from hashlib import sha256

from rubicon.dice.errors import DiceError, quoted

FORMAT = "rdice/2"
SIZE = 32  # bytes of a hash, a key, a seed and a link
_BLOCK = 64  # bytes of a block of SHA-256, to which HMAC fills its key up (RFC 2104)
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


def digest(tag: str, *parts: bytes | str | int) -> bytes:
    """SHA-256 over the tag and the parts, each preceded by its length in 8 bytes, big-endian.

    Text counts as UTF-8 and a whole number as its decimal digits. The tag says what is hashed, so
    that a hash made for one purpose never passes for another (docs/fair-dice.md, "Hashes").
    """
    hashed = [tag_bytes(tag)]
    for part in parts:
        data = part if isinstance(part, bytes) else _written(str(part))
        hashed += len(data).to_bytes(8, "big"), data
    return sha256(b"".join(hashed)).digest()


@cache
def tag_bytes(tag: str) -> bytes:
    """How every hash of a purpose begins: its tag and the version, with its length."""
    written = f"{FORMAT}/{tag}".encode()
    return len(written).to_bytes(8, "big") + written


def _written(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DiceError(
            "dice/not-text", f"{quoted(text)} is no text that can be written."
        ) from error


def keyed(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256.

    Not by `hmac.digest`, which lets the interpreter's lock go for microseconds, nor by `hmac.new`,
    which takes three times as long as the two hashes.
    """
    block = (key if len(key) <= _BLOCK else sha256(key).digest()).ljust(_BLOCK, b"\0")
    inner = sha256(block.translate(_INNER) + message).digest()
    return sha256(block.translate(_OUTER) + inner).digest()


def same(one: bytes, other: bytes) -> bool:
    """Whether two hashes are equal, in a time that does not tell where they differ."""
    return hmac.compare_digest(one, other)
