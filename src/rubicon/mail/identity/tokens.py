"""Reply tokens: proof that the sender read an e-mail that went to one seat about one decision.

A token is 130 bits of an HMAC over what it stands for, so a retry of an e-mail writes the same
token, and the next e-mail another. The database keeps a digest only: a copy of it plays no orders.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass

TOKEN_LENGTH = 26  # letters of base32, 5 bits each
KEY_BYTES = 32
ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenScope:
    """What a token stands for; `notification` is the e-mail that carries it."""

    game: str
    seat: str
    decision: int
    notification: int


@dataclass(frozen=True, slots=True)
class TokenKeys:
    """The secret keys, each of at least 32 bytes; `earlier` ones still verify after a rotation."""

    current: bytes
    earlier: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        if any(len(key) < KEY_BYTES for key in (self.current, *self.earlier)):
            raise ValueError(f"A key of reply tokens has at least {KEY_BYTES} bytes.")

    def token(self, scope: TokenScope) -> str:
        """The token of an e-mail, in lower case."""
        return _derived(self.current, scope)

    def verify(self, token: str, scope: TokenScope) -> bool:
        """Whether a token stands for `scope`; takes the same time wherever they differ."""
        sent = token.lower().encode("ascii", "replace")
        keys = (self.current, *self.earlier)
        # All keys are tried, so the time does not tell which one fits.
        fits = [hmac.compare_digest(_derived(key, scope).encode(), sent) for key in keys]
        return any(fits)


def _derived(key: bytes, scope: TokenScope) -> str:
    # A list in JSON: no two different scopes have the same text.
    named = ["reply-token", scope.game, scope.seat, scope.decision, scope.notification]
    digest = hmac.digest(key, json.dumps(named).encode(), "sha256")
    return base64.b32encode(digest).decode().lower()[:TOKEN_LENGTH]


def token_digest(token: str) -> str:
    """What a database keeps of a token, to find its scope again."""
    return hashlib.sha256(b"reply-token:" + token.lower().encode("utf-8", "replace")).hexdigest()


def is_reply_token(text: str) -> bool:
    """Whether a text has the shape of a token, in lower or upper case."""
    return len(text) == TOKEN_LENGTH and set(text.lower()) <= set(ALPHABET)
