"""Canonical JSON, hashes, signatures, hash chains, and numbers from keyed hashes."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from itertools import count
from typing import NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from rubicon.dice.errors import DiceError, quoted

# Canonical JSON: one text for one value, so that it can be hashed (RFC 8785, whole numbers).

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]

LARGEST = 2**53 - 1  # the largest whole number that every JSON reader keeps exact
_LONG_NUMBER = re.compile("[0-9]{16}")  # as many digits as the largest has
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def canonical(value: Json) -> str:
    """The one text of a value; ValueError where it has none."""
    text = _ENCODER.encode(value)
    if not text.isascii() or _LONG_NUMBER.search(text):  # else there is nothing to find
        _check(value)
        text.encode("utf-8")  # a lone surrogate has no UTF-8
    return text


def parse(text: str) -> Json:
    """The value of a JSON text; ValueError where it is none, or has a fraction."""
    try:
        value: Json = json.loads(text, parse_float=_refuse, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value


def _check(value: Json) -> None:
    if isinstance(value, dict):
        # The order of RFC 8785 and Python's agree on ASCII, and no key of ours needs more.
        if not "".join(value).isascii():
            raise ValueError("a name outside ASCII")
        _check_all(value.values())
    elif isinstance(value, list):
        _check_all(value)
    elif isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError("a number too large")


def _check_all(values: Iterable[Json]) -> None:
    for value in values:
        if type(value) is not str:
            _check(value)


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text} is no whole number")


# The two hashes that everything is built on: SHA-256 over parts, and HMAC-SHA256.

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
    """Whether two hashes are equal, in a time that does not depend on where they differ."""
    # Most of what is compared is public. Recovery codes are not, so nothing here compares by `==`.
    return hmac.compare_digest(one, other)


# Ed25519 keys and signatures (RFC 8032), with weak public keys refused.

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
    and not one of small order, whose signatures fit messages that no one signed."""
    y = int.from_bytes(public, "little") & (_SIGN_BIT - 1)
    if y >= _PRIME or y in _SMALL_ORDER:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public)
    except ValueError:
        return False
    return True


# Making a key object takes longer than one signature, and a table uses the same few keys for ever.
@lru_cache(maxsize=1024)
def _private(private: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(private)


@lru_cache(maxsize=1024)
def _public(public: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public)


# Unbiased draws from a key: dice, and one of at most 256 things.

FACES = 6
BYTE = 256  # how many values a byte has, and the most things to pick from
_WHOLE_CYCLES = BYTE - BYTE % FACES  # bytes from here on would make low faces more likely


def stream(key: bytes) -> Iterator[int]:
    """The endless bytes of a key: HMAC(key, 0), HMAC(key, 1), … with 8 bytes for the counter."""
    for counter in count():
        yield from keyed(key, counter.to_bytes(8, "big"))


def below(k: int, numbers: Iterator[int]) -> int:
    """One of 0 … k - 1, all equally likely: bytes of the incomplete last cycle are passed over."""
    # `number % k` of all 256 bytes would give the low results one chance more than the others.
    limit = BYTE - BYTE % k  # 252 for a die
    number = next(numbers)
    while number >= limit:
        number = next(numbers)
    return number % k


def faces(count: int, numbers: Iterator[int]) -> tuple[int, ...]:
    """That many dice."""
    found: list[int] = []
    while len(found) < count:
        number = next(numbers)
        if number < _WHOLE_CYCLES:
            found.append(number % FACES + 1)
    return tuple(found)


# Hash chains: a secret hashed many times, whose links are given away from the end backwards.
#
# A person who knows one link can check the next, which hashes to it, but cannot work it out.

REQUIRED_LENGTH = 16_384  # of the server and a dice server: no table's log holds more requests
SHORTEST, LONGEST = 64, 4_096  # of a player's client
NONCE_SIZE = 16
_SECTION = 256  # links between two that are stored
_CHAIN_BLOCK = 32  # links that are kept in memory
_SIZE = SIZE.to_bytes(8, "big")


def chain_id_of(table: str, key: bytes, nonce: bytes) -> bytes:
    """The name of a chain, which enters each of its hashes: no chain serves two tables."""
    return digest("chain-id", table, key, nonce)


def forward(chain_id: bytes, link: bytes, number: int, steps: int) -> bytes:
    """From link `number` of a chain the one `steps` further: c_k = H("chain", id, k, c_(k-1))."""
    # `digest` written out: a restart may hash thousands of links, which all begin alike.
    prefix = tag_bytes("chain") + _SIZE + chain_id
    for k in range(number + 1, number + steps + 1):
        written = str(k).encode()
        parts = prefix, len(written).to_bytes(8, "big"), written, _SIZE, link
        link = sha256(b"".join(parts)).digest()
    return link


@dataclass(frozen=True)
class HashChain:
    """A chain of `length` links after its secret, c_0.

    `checkpoints` are every 256th link from c_0 on, where they were stored: then no more links
    than that are hashed again after a restart.
    """

    secret: bytes = field(repr=False)
    chain_id: bytes
    length: int
    checkpoints: Sequence[bytes] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) != SIZE or not 1 <= self.length <= REQUIRED_LENGTH:
            message = f"A chain has a secret of {SIZE} bytes and 1 to {REQUIRED_LENGTH:,} links."
            raise DiceError("dice/chain-size", message)

    def stored_checkpoints(self) -> tuple[bytes, ...]:
        """What to store, to hand it in as `checkpoints` later."""
        return tuple(self._sections)

    def link(self, number: int) -> bytes:
        """Link c_number; c_length is the end, which is deposited."""
        if not 0 <= number <= self.length:
            message = f"A chain of {self.length:,} links has none with the number {number:,}."
            raise DiceError("dice/no-link", message)
        # A chain is given away backwards, but can only be hashed forwards. So two levels are kept:
        # every 256th link of a chain, and of the section in use every 32nd one and one block of 32.
        section, inside = divmod(number, _SECTION)
        block = inside // _CHAIN_BLOCK
        links = _links_from(
            self.chain_id, self._sections[section], section * _SECTION, _CHAIN_BLOCK
        )
        start = section * _SECTION + block * _CHAIN_BLOCK
        return _links_from(self.chain_id, links[block], start, 1)[number - start]

    @property
    def end(self) -> bytes:
        """The link that is deposited."""
        return self.link(self.length)

    @cached_property
    def _sections(self) -> Sequence[bytes]:
        if self.checkpoints:
            return self.checkpoints
        links = [self.secret]
        for number in range(0, self.length - _SECTION + 1, _SECTION):
            links.append(forward(self.chain_id, links[-1], number, _SECTION))
        return links


@lru_cache(maxsize=4096)  # 8 or 32 links each, some 6 MB
def _links_from(chain_id: bytes, link: bytes, number: int, step: int) -> tuple[bytes, ...]:
    """From a link the next ones: each single one of a block, or the first one of each block."""
    links = [link]
    for _ in range((_SECTION if step == _CHAIN_BLOCK else _CHAIN_BLOCK) // step - 1):
        links.append(forward(chain_id, links[-1], number, step))
        number += step
    return tuple(links)


# The recovery code of a seat: its device's private key as text that a person can write down.
#
# A person who has it can certify a further device, and so play for the seat.

CHECK_SIZE = 3  # bytes of the check sum: with the key 35 bytes, which are 56 letters and digits
GROUP = 4  # letters and digits between two hyphens


def recovery_code(table: str, seat: str, private_key: bytes) -> str:
    """The code: 14 groups of 4, letters and the digits 2 to 7 (RFC 4648, base32)."""
    text = base64.b32encode(private_key + _check_sum(table, seat, private_key)).decode()
    return "-".join(text[i : i + GROUP] for i in range(0, len(text), GROUP))


def read_recovery_code(table: str, seat: str, code: str) -> bytes:
    """The private key of a code; hyphens, blanks and the size of the letters do not matter.

    DiceError `dice/bad-recovery-code` where it is mistyped, or of another game or seat.
    """
    text = "".join(sign for sign in code.upper() if sign != "-" and not sign.isspace())
    try:
        data = base64.b32decode(text)
    except (binascii.Error, ValueError):
        data = b""
    key, found = data[:SIZE], data[SIZE:]
    if len(data) == SIZE + CHECK_SIZE and same(found, _check_sum(table, seat, key)):
        return key
    message = f"This is no recovery code of {seat} in game {table}."
    hint = "Each game and seat has its own: 14 groups of 4 letters and digits. Compare every sign."
    raise DiceError("dice/bad-recovery-code", message, hint)


def _check_sum(table: str, seat: str, private_key: bytes) -> bytes:
    return digest("recovery-code", table, seat, private_key)[:CHECK_SIZE]
