"""Reply tokens: unguessable, one for each e-mail, kept by digest, valid across a rotation."""

from dataclasses import replace

import pytest

from rubicon.mail.tokens import TokenKeys, TokenScope, is_reply_token, token_digest

OLD, NEW = b"o" * 32, b"n" * 32
SCOPE = TokenScope(game="lyon", seat="blue", decision=640, notification=7)


def test_a_token_has_130_bits_of_base32() -> None:
    token = TokenKeys(NEW).token(SCOPE)
    assert is_reply_token(token)
    assert token == token.lower()


def test_a_retry_of_an_e_mail_has_the_same_token() -> None:
    assert TokenKeys(NEW).token(SCOPE) == TokenKeys(NEW).token(replace(SCOPE))


@pytest.mark.parametrize(
    "other",
    [
        replace(SCOPE, game="paris"),
        replace(SCOPE, seat="red"),
        replace(SCOPE, decision=641),
        replace(SCOPE, notification=8),
        TokenScope(game='lyon", "blue', seat="x", decision=640, notification=7),
    ],
)
def test_a_token_stands_for_one_seat_decision_and_e_mail(other: TokenScope) -> None:
    keys = TokenKeys(NEW)
    assert keys.token(other) != keys.token(SCOPE)
    assert not keys.verify(keys.token(SCOPE), other)


def test_verification_ignores_letter_case_and_refuses_anything_else() -> None:
    keys = TokenKeys(NEW)
    token = keys.token(SCOPE)
    assert keys.verify(token.upper(), SCOPE)
    assert not any(keys.verify(wrong, SCOPE) for wrong in ("", token[:-1], token + "a", "é" * 26))


def test_after_a_rotation_earlier_tokens_verify_and_new_ones_differ() -> None:
    before = TokenKeys(OLD).token(SCOPE)
    rotated = TokenKeys(NEW, (OLD,))
    assert rotated.verify(before, SCOPE)
    assert rotated.token(SCOPE) != before
    assert not TokenKeys(NEW).verify(before, SCOPE)


def test_a_short_key_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        TokenKeys(NEW, (b"short",))


def test_the_digest_does_not_depend_on_letter_case_and_is_not_the_token() -> None:
    token = TokenKeys(NEW).token(SCOPE)
    assert token_digest(token) == token_digest(token.upper())
    assert token not in token_digest(token)
