"""Random tokens, and the kinds of them that the database keeps a digest of."""

from __future__ import annotations

import secrets

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"  # 32 characters, so each carries 5 random bits
TOKEN_LENGTH = 26  # characters, that is 130 bits
COOKIE, API, ADMIN = "cookie", "api", "admin"
LINK, USED = "link", "used"  # one-time links; they authenticate no request
SIGNED_IN = (COOKIE, API, ADMIN)


def random_text(length: int) -> str:
    """Random lower-case letters and digits, 5 bits each, from the system's secure generator."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def new_token() -> str:
    """A token of 130 random bits."""
    return random_text(TOKEN_LENGTH)


def is_token(text: str) -> bool:
    """Whether a text has the shape of a token; cheap, so that garbage costs no database query."""
    return len(text) == TOKEN_LENGTH and text.isascii()
