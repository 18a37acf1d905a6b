"""One-time codes in the database: opened for what a token may not do alone, used once."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, Row, delete, insert, select, update

from rubicon.mail.identity.one_time_code import (
    DAY,
    CodePurpose,
    CodeVerdict,
    PendingConfirmation,
    check_code,
    open_confirmation,
)
from rubicon.table.storage import schema


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
