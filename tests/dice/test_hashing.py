"""Hashes keep their parts apart, and are those of the standards."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.dice.crypto import digest, keyed, same
from rubicon.dice.errors import DiceError


def test_a_hash_is_sha_256_over_tag_and_parts_with_their_lengths() -> None:
    parts = [b"rdice/2/link", b"ab", "é".encode(), b"12"]
    whole = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    assert digest("link", b"ab", "é", 12) == hashlib.sha256(whole).digest()


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_keyed_is_hmac(key: bytes, message: bytes) -> None:
    assert keyed(key, message) == hmac.digest(key, message, "sha256")


def test_hashes_keep_parts_apart() -> None:
    assert digest("a", "bc", "d") != digest("a", "b", "cd") != digest("a", "bcd")
    assert digest("a", 12) == digest("a", "12") == digest("a", b"12")


def test_text_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(DiceError) as refused:
        digest("a", "\ud800")
    assert refused.value.code == "dice/not-text"


def test_same() -> None:
    assert same(bytes(32), bytes(32))
    assert not same(bytes(32), bytes(31) + b"1")
