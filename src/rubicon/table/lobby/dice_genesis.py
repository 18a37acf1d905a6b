"""What the dice of a game begin with: the server's secrets, and the genesis with all deposits."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from rubicon.dice.canonical import canonical
from rubicon.dice.hashing import SIZE, digest
from rubicon.dice.lines.deposit import Deposit
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.genesis import LONGEST_SETUP_WAIT, Genesis
from rubicon.dice.lines.reading import Fields
from rubicon.dice.participants.server import ServerSecrets
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.settings import MINUTE
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import LineKind

SIGNING_KEY = "dice-key"  # the name of the server's own key among its secrets
LONGEST_WAIT = 5 * MINUTE  # seconds that a roll of the set-up waits for a client


def make_secrets(connection: Connection, game: str) -> ServerSecrets:
    """New secrets for a game, stored."""
    made = ServerSecrets.make(game, signing_key(connection))
    row = {
        "game": game,
        "seed": made.seed,
        "links": made.links,
        "nonce": made.nonce,
        "private_key": made.private_key,
    }
    connection.execute(insert(schema.dice_secrets), row)
    return made


def signing_key(connection: Connection) -> bytes:
    """The server's private key; made when it is first needed."""
    columns = schema.secret.c
    wanted = select(columns.value).where(columns.name == SIGNING_KEY)
    found = connection.execute(wanted).scalar_one_or_none()
    if found is None:
        found = secrets.token_bytes(SIZE)
        connection.execute(insert(schema.secret), {"name": SIGNING_KEY, "value": found})
    return bytes(found)


def genesis_of(
    connection: Connection,
    hosted: HostedGame,
    dice_server: Deposit | None = None,
    continues: str | None = None,
) -> Genesis:
    """The first line of a game's transcript, with the deposits of its lobby.

    `continues` is the game of which this one is a fork, "" for none; None: the log says it.
    """
    settings = hosted.settings
    before = _forked(connection, hosted.id) if continues is None else continues
    setup_wait = min(settings.decision_time, LONGEST_WAIT, LONGEST_SETUP_WAIT)
    waits = settings.entropy_wait, max(settings.entropy_wait, setup_wait)
    return hosted.secrets.genesis(
        hosted.game.colours,
        deposits_of(connection, hosted.id) if settings.entropy_wait else {},
        rules=digest("rules", canonical(json.loads(hosted.headers))),
        waits=waits,
        dice_server=dice_server,
        earlier=_earlier(connection, before),
    )


def deposits_of(connection: Connection, game: str) -> dict[str, Deposit]:
    """The deposits of a game's lobby, by seat: those of the accounts that still sit there."""
    client, seats = schema.dice_client.c, schema.seat.c
    sits = (seats.game == client.game) & (seats.colour == client.seat)
    wanted = (
        select(client.seat, client.deposit)
        .join(schema.seat, sits & (seats.account == client.account))
        .where(client.game == game)
    )
    return {
        seat: Deposit.read(Fields(json.loads(text), "deposit"))
        for seat, text in connection.execute(wanted)
    }


def _forked(connection: Connection, game: str) -> str:
    """The game of which this one is a fork; "" for none."""
    columns, log = schema.game.c, schema.log.c
    before = connection.execute(select(columns.before).where(columns.id == game)).scalar_one()
    wanted = select(log.text).where(log.game == before, log.kind == LineKind.FORK.value)
    text = connection.execute(wanted).scalar_one_or_none() or ""
    return before if text.endswith(f" {game}") else ""


def _earlier(connection: Connection, before: str) -> Sequence[tuple[str, bytes]]:
    """The tables that a fork of this one continues, the oldest first."""
    first = select(schema.dice.c.text).where(schema.dice.c.game == before, schema.dice.c.seq == 0)
    text = connection.execute(first).scalar_one_or_none() if before else None
    if text is None:
        return ()
    entry = Entry.stored(text)
    genesis = Genesis.read(Fields(entry.body, "entry.genesis"))
    return (*genesis.earlier, (before, entry.head))
