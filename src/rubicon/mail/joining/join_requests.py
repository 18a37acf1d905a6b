"""Invites that strangers wrote to, and what was asked of them: kept until they answer.

The secret of a table's invite link is also an address, `play+SECRET@domain`. Whoever writes there
gets an e-mail with a token of their own. Only an answer with that token takes the seat, so nobody
takes one in the name of somebody else's mailbox.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from rubicon.mail.identity.alignment import same_mailbox
from rubicon.mail.identity.token_places import FoundToken
from rubicon.mail.identity.tokens import TokenKeys, TokenScope, token_digest
from rubicon.mail.reading.answers import HOUR
from rubicon.table.lobby.changes import free_colours
from rubicon.table.lobby.seats import LOBBY, RUNNING, seats_of
from rubicon.table.storage import schema

JOINING = "joining"  # where other tokens have the colour of a seat
LIFETIME = 30 * 24 * HOUR
MOST_OF_ADDRESS = 3  # requests an hour: nobody fills the mailbox of somebody else through us
MOST_OF_GAME = 20  # requests an hour: one table does not use up what others need
MOST_REQUESTS = 60  # an hour, of all strangers


@dataclass(frozen=True, slots=True)
class InvitedTable:
    """The table of an invite: nothing that its host wrote, as it is told to a stranger."""

    game: str
    invite: str
    ruleset: str
    seats: int
    free: int
    colours: tuple[str, ...]  # that can be chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest:
    """Somebody who was asked whether they want to join; `message` is the number of their e-mail."""

    game: str
    invite: str
    address: str
    name: str
    message: int

    @property
    def scope(self) -> TokenScope:
        """What the token of this request stands for."""
        return TokenScope(game=self.game, seat=JOINING, decision=-1, notification=self.message)


def find_table(connection: Connection, found: Sequence[FoundToken]) -> InvitedTable | None:
    """The table of the first token that is the secret of an invite."""
    for candidate in found:
        for game in _games_with(connection, candidate.token):
            return _invited(connection, game, candidate.token)
    return None


def store_request(connection: Connection, request: JoinRequest, token: str, at: int) -> None:
    """Keep a request; a repeat of its e-mail has the same token."""
    columns = schema.mail_join.c
    lapsed = (columns.expires <= at) | (columns.digest == token_digest(token))
    connection.execute(delete(schema.mail_join).where(lapsed))
    row = {
        "digest": token_digest(token),
        "game": request.game,
        "invite": request.invite,
        "address": request.address,
        "name": request.name,
        "message": request.message,
        "at": at,
        "expires": at + LIFETIME,
    }
    connection.execute(insert(schema.mail_join), row)


def find_request(
    connection: Connection, keys: TokenKeys, found: Sequence[FoundToken], at: int
) -> tuple[JoinRequest, str] | None:
    """The request of the first token that this server has issued, and the token."""
    columns = schema.mail_join.c
    for candidate in found:
        digest = token_digest(candidate.token)
        wanted = select(schema.mail_join).where(columns.digest == digest, columns.expires > at)
        row = connection.execute(wanted).one_or_none()
        if row is None:
            continue
        request = JoinRequest(
            game=row.game,
            invite=row.invite,
            address=row.address,
            name=row.name,
            message=row.message,
        )
        if keys.verify(candidate.token, request.scope):
            return request, candidate.token
    return None


def may_ask(connection: Connection, game: str, address: str, at: int) -> bool:
    """Whether an address may be asked now whether it wants to join a game."""
    columns = schema.mail_join.c
    lately = select(columns.game, columns.address).where(columns.at > at - HOUR)
    rows = connection.execute(lately).all()
    of_game = sum(row.game == game for row in rows)
    of_address = sum(same_mailbox(row.address, address) for row in rows)
    return len(rows) < MOST_REQUESTS and of_game < MOST_OF_GAME and of_address < MOST_OF_ADDRESS


def _games_with(connection: Connection, invite: str) -> list[str]:
    """The games of an invite of a whole table, or of one free seat."""
    game, seat = schema.game.c, schema.seat.c
    whole = select(game.id).where(game.invite == invite, game.state == LOBBY)
    one = select(seat.game).join(schema.game, game.id == seat.game)
    one = one.where(seat.invite == invite, game.state.in_((LOBBY, RUNNING)))
    return [row[0] for wanted in (whole, one) for row in connection.execute(wanted)]


def _invited(connection: Connection, game: str, invite: str) -> InvitedTable:
    columns = schema.game.c
    chosen = select(columns.ruleset, columns.state).where(columns.id == game)
    row = connection.execute(chosen).one()
    seats = seats_of(connection, game)
    free = sum(seat.free for seat in seats)
    preset = json.loads(row.ruleset).get("Ruleset", "").partition(" ")[0]
    return InvitedTable(
        game=game,
        invite=invite,
        ruleset=preset,
        seats=len(seats),
        free=free,
        colours=free_colours(seats) if row.state == LOBBY else (),
    )


def choosable_colours(connection: Connection, game: str) -> tuple[str, ...]:
    """The colours that somebody at the table can choose; none once the game has begun."""
    state = connection.execute(select(schema.game.c.state).where(schema.game.c.id == game))
    return free_colours(seats_of(connection, game)) if state.scalar_one() == LOBBY else ()
