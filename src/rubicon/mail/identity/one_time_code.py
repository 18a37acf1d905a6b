"""One-time codes: mailed to the registered address alone, they confirm what a token may not.

A code lapses after a day or five wrong attempts; the server keeps a digest of it. The digest
covers what is confirmed, so a code for one request confirms no other.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, replace
from enum import StrEnum

DAY = 86_400_000  # milliseconds
MOST_ATTEMPTS = 5
LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that looks like another one
GROUP, GROUPS = 4, 2  # 39 bits: enough for five attempts


class CodePurpose(StrEnum):
    """What a code confirms."""

    RESIGN = "resign"
    ADDRESS = "address"  # a change of the registered address
    MAILBOX = "mailbox"  # that the new address is read by the player: its code goes there
    ORDERS = "orders"  # of a sender that is not aligned
    REQUEST = "request"  # that cannot be taken back, such as a vote for a draw


class CodeVerdict(StrEnum):
    """Whether a code confirms."""

    CONFIRMED = "confirmed"
    WRONG = "wrong"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingConfirmation:
    """What waits for its code. `subject` is what exactly is confirmed, such as the orders' hash."""

    purpose: CodePurpose
    game: str
    seat: str
    subject: str
    digest: str = ""
    expires_at: int = 0
    attempts: int = 0

    def matches(self, code: str, key: bytes) -> bool:
        """Whether the code is the one that was mailed; in constant time."""
        return hmac.compare_digest(_digest(self, code, key), self.digest)


def open_confirmation(
    wanted: PendingConfirmation, key: bytes, now: int
) -> tuple[str, PendingConfirmation]:
    """A new code, and what the server keeps. `now` in milliseconds since 1970."""
    groups = ("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))
    code = "-".join(groups)
    digest = _digest(wanted, code, key)
    return code, replace(wanted, digest=digest, expires_at=now + DAY, attempts=0)


def check_code(
    waiting: PendingConfirmation, code: str, key: bytes, now: int
) -> tuple[CodeVerdict, PendingConfirmation]:
    """The verdict, and what the server keeps now. A confirmed one must be deleted: it is used."""
    if now >= waiting.expires_at or waiting.attempts >= MOST_ATTEMPTS:
        return CodeVerdict.LAPSED, waiting
    if waiting.matches(code, key):
        return CodeVerdict.CONFIRMED, waiting
    return CodeVerdict.WRONG, replace(waiting, attempts=waiting.attempts + 1)


def _digest(wanted: PendingConfirmation, code: str, key: bytes) -> str:
    plain = "".join(sign for sign in code.upper() if sign.isalnum())
    parts = ("code", wanted.purpose, wanted.game, wanted.seat, wanted.subject, plain)
    return hmac.digest(key, "\0".join(parts).encode(), "sha256").hex()
