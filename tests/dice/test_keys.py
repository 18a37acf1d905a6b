"""Ed25519 as RFC 8032 has it, without keys that bind to nothing."""

import pytest

from rubicon.dice.crypto import is_signed, is_usable, public_key, sign

# RFC 8032, section 7.1: private key, public key, message, signature.
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]
PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
# The y coordinates of the eight points of small order, by the sign of x where it matters.
EIGHTH = int("5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826".zfill(64), 16)
SMALL = [0, 1, PRIME - 1, EIGHTH, PRIME - EIGHTH]


def key_of(y: int, sign_bit: int = 0) -> bytes:
    """A public key with this y coordinate."""
    return (y | sign_bit << 255).to_bytes(32, "little")


@pytest.mark.parametrize(("private", "public", "message", "signature"), VECTORS)
def test_the_vectors_of_the_rfc(private: str, public: str, message: str, signature: str) -> None:
    secret, key = bytes.fromhex(private), bytes.fromhex(public)
    assert public_key(secret) == key
    assert sign(secret, bytes.fromhex(message)).hex() == signature
    assert is_signed(key, bytes.fromhex(message), bytes.fromhex(signature))
    assert is_usable(key)


def test_a_signature_of_something_else_is_none() -> None:
    private, public, message, signature = (bytes.fromhex(text) for text in VECTORS[1])
    other = public_key(bytes(32))
    assert not is_signed(public, message + b"x", signature)
    assert not is_signed(other, message, signature)
    assert not is_signed(public, message, signature[:-1])
    assert not is_signed(public, message, b"")
    assert not is_signed(public[:-1], message, signature)
    assert not is_signed(public, message, sign(private, b"else"))


def test_a_signature_has_one_writing() -> None:
    """S + L has the same value modulo L: it must be refused, or a signature could be changed."""
    _, public, message, signature = (bytes.fromhex(text) for text in VECTORS[1])
    s = int.from_bytes(signature[32:], "little") + ORDER
    assert not is_signed(public, message, signature[:32] + s.to_bytes(32, "little"))


@pytest.mark.parametrize("y", SMALL)
@pytest.mark.parametrize("sign_bit", [0, 1])
def test_keys_of_small_order_are_refused(y: int, sign_bit: int) -> None:
    assert not is_usable(key_of(y, sign_bit))


@pytest.mark.parametrize("y", [PRIME, PRIME + 1, PRIME + 3, 2**255 - 1])
@pytest.mark.parametrize("sign_bit", [0, 1])
def test_keys_in_another_writing_are_refused(y: int, sign_bit: int) -> None:
    assert not is_usable(key_of(y, sign_bit))


@pytest.mark.parametrize("size", [0, 31, 33])
def test_keys_of_another_size_are_refused(size: int) -> None:
    assert not is_usable(bytes([9]) * size)
