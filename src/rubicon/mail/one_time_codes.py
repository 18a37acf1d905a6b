"""One-time codes: mailed to the registered address alone, they confirm what a token may
not; used once.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, replace
from enum import StrEnum

from sqlalchemy import Connection, Row, delete, insert, select, update

from rubicon.table.storage import schema

# One-time codes: mailed to the registered address alone, they confirm what a token may not.
#
# A code lapses after a day or five wrong attempts; the server keeps a digest of it. The digest
# covers what is confirmed, so a code for one request confirms no other.

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


# Codes in the database: opened, tried, used once.


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """What a code has confirmed: the text that waited for it, and the decision that it is for."""

    purpose: CodePurpose
    text: str
    decision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeOwner:
    """The seat that a code is for, and the account that owns it."""

    game: str
    seat: str
    account: str


def new_code(
    owner: CodeOwner, wanted: Confirmed, key: bytes, at: int
) -> tuple[str, PendingConfirmation]:
    """A new code, and what `store_code` keeps of it."""
    waiting = PendingConfirmation(
        purpose=wanted.purpose, game=owner.game, seat=owner.seat, subject=_subject(wanted)
    )
    return open_confirmation(waiting, key, at)


def store_code(
    connection: Connection, owner: CodeOwner, wanted: Confirmed, stored: PendingConfirmation
) -> None:
    """Let a code wait; an earlier one of the seat for the same purpose lapses."""
    columns = schema.mail_code.c
    before = (columns.game == owner.game) & (columns.seat == owner.seat)
    connection.execute(
        delete(schema.mail_code).where(before, columns.purpose == wanted.purpose.value)
    )
    row = {
        "game": owner.game,
        "seat": owner.seat,
        "purpose": wanted.purpose.value,
        "account": owner.account,
        "subject": wanted.text,
        "decision": wanted.decision,
        "digest": stored.digest,
        "expires": stored.expires_at,
        "attempts": 0,
    }
    connection.execute(insert(schema.mail_code), row)
    lapsed = stored.expires_at - DAY
    connection.execute(delete(schema.mail_code).where(columns.expires <= lapsed))


def use_code(
    connection: Connection, owner: CodeOwner, code: str, key: bytes, at: int
) -> Confirmed | CodeVerdict:
    """What a code confirms; it is used then. Each code that waits counts a wrong attempt."""
    columns = schema.mail_code.c
    own = (
        (columns.game == owner.game)
        & (columns.seat == owner.seat)
        & (columns.account == owner.account)
    )
    rows = connection.execute(select(schema.mail_code).where(own).with_for_update()).all()
    lapsed = CodeVerdict.LAPSED
    for row in rows:
        confirmed = Confirmed(
            purpose=CodePurpose(row.purpose), text=row.subject, decision=row.decision
        )
        verdict, kept = check_code(_waiting(row, confirmed), code, key, at)
        of_purpose = own & (columns.purpose == row.purpose)
        if verdict is CodeVerdict.CONFIRMED:
            connection.execute(delete(schema.mail_code).where(of_purpose))
            return confirmed
        if verdict is CodeVerdict.WRONG:
            lapsed = CodeVerdict.WRONG
            change = update(schema.mail_code).where(of_purpose)
            connection.execute(change.values(attempts=kept.attempts))
    return lapsed


def _waiting(row: Row[tuple[object, ...]], confirmed: Confirmed) -> PendingConfirmation:
    return PendingConfirmation(
        purpose=confirmed.purpose,
        game=row.game,
        seat=row.seat,
        subject=_subject(confirmed),
        digest=row.digest,
        expires_at=row.expires,
        attempts=row.attempts,
    )


def _subject(confirmed: Confirmed) -> str:
    return f"{confirmed.decision}\n{confirmed.text}"
