"""The reply tokens that were sent: stored with their e-mail, found again in an answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, case, delete, insert, select

from rubicon.mail.commands.filled_form import SentForm
from rubicon.mail.identity.authority import KnownToken
from rubicon.mail.identity.token_places import FoundToken
from rubicon.mail.identity.tokens import TokenKeys, TokenScope, token_digest
from rubicon.table.lobby.masters import GAME_MASTER
from rubicon.table.storage import schema


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSeat:
    """Whose an e-mail is: the seat of its token, and the account that owns the seat now."""

    token: KnownToken
    account: str
    address: str  # the registered one; "" where the account has none
    form: SentForm | None

    @property
    def game(self) -> str:
        """The game's id."""
        return self.token.scope.game

    @property
    def seat(self) -> str:
        """The seat's colour."""
        return self.token.scope.seat


def record_token(
    connection: Connection,
    token: str,
    scope: TokenScope,
    form: SentForm | None,
    issued_at: int,
    expires_at: int,
) -> None:
    """Store a token with the e-mail that carries it; a repeat of the e-mail has the same one."""
    columns, seat, game = schema.mail_token.c, schema.seat.c, schema.game.c
    owner = select(seat.account).where(seat.game == scope.game, seat.colour == scope.seat)
    if scope.seat == GAME_MASTER:
        owner = select(game.master).where(game.id == scope.game)
    digest = token_digest(token)
    connection.execute(delete(schema.mail_token).where(columns.digest == digest))
    row = {
        "digest": digest,
        "game": scope.game,
        "seat": scope.seat,
        "decision": scope.decision,
        "notification": scope.notification,
        "account": connection.execute(owner).scalar_one_or_none() or "",
        "form": "" if form is None else json.dumps(asdict(form)),
        "expires": expires_at,
    }
    connection.execute(insert(schema.mail_token), row)
    connection.execute(delete(schema.mail_token).where(columns.expires <= issued_at))


def find_seat(
    connection: Connection, keys: TokenKeys, found: Sequence[FoundToken]
) -> MailSeat | None:
    """The seat of the first token that this server has issued to the seat's present owner."""
    for candidate in found:
        seat = _seat_of(connection, keys, candidate.token)
        if seat is not None:
            return seat
    return None


def _seat_of(connection: Connection, keys: TokenKeys, token: str) -> MailSeat | None:
    columns, seat = schema.mail_token.c, schema.seat.c
    game, account = schema.game.c, schema.account.c
    here = (seat.game == columns.game) & (seat.colour == columns.seat)
    owner = case((columns.seat == GAME_MASTER, game.master), else_=seat.account)
    # A seat that has changed hands is not played by the tokens of its former owner.
    wanted = (
        select(schema.mail_token, account.email)
        .join(schema.game, game.id == columns.game)
        .outerjoin(schema.seat, here)
        .join(schema.account, (account.id == columns.account) & (account.id == owner))
        .where(columns.digest == token_digest(token))
    )
    row = connection.execute(wanted).one_or_none()
    if row is None:
        return None
    scope = TokenScope(
        game=row.game, seat=row.seat, decision=row.decision, notification=row.notification
    )
    # The row alone would do; the key makes a stolen and changed database useless for forgers.
    if not keys.verify(token, scope):
        return None
    return MailSeat(
        token=KnownToken(scope=scope, expires_at=row.expires),
        account=row.account,
        address=row.email or "",
        form=_form(row.form),
    )


def _form(text: str) -> SentForm | None:
    if not text:
        return None
    stored = json.loads(text)
    return SentForm(tuple(stored["lines"]), stored["before"], stored["after"])
