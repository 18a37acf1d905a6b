"""How a game begins: the first line of its log, and the first line of its dice."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, insert, select, update

from rubicon.dice.crypto import SIZE, canonical, digest
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.members import LONGEST_SETUP_WAIT, Deposit, Genesis
from rubicon.dice.server import ServerSecrets
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.log_lines import Beginning, Forked, LineKind, new_line, read_payload
from rubicon.table.game.unit_of_work import LiveGame, UnitOfWork, due_times, store_clocks
from rubicon.table.settings import MINUTE, DiceSource, Settings
from rubicon.table.storage import event_log, schema
from rubicon.table.storage.connection import now

# What the dice of a game begin with: the server's secrets, and the genesis with all deposits.

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
    text = connection.execute(wanted).scalar_one_or_none()
    forked = None if text is None else read_payload(LineKind.FORK, text)
    return before if isinstance(forked, Forked) and forked.game == game else ""


def _earlier(connection: Connection, before: str) -> Sequence[tuple[str, bytes]]:
    """The tables that a fork of this one continues, the oldest first."""
    first = select(schema.dice.c.text).where(schema.dice.c.game == before, schema.dice.c.seq == 0)
    text = connection.execute(first).scalar_one_or_none() if before else None
    if text is None:
        return ()
    entry = Entry.stored(text)
    genesis = Genesis.read(Fields(entry.body, "entry.genesis"))
    return (*genesis.earlier, (before, entry.head))


# A game begins.


def begin_game(
    connection: Connection,
    game: str,
    headers: Mapping[str, str],
    settings: Settings,
    bots: Mapping[str, str] | None = None,
    *,
    continues: str = "",
) -> None:
    """Begin a game whose row is in the database already.

    `headers` are those of a record (`record.headers_of`), without names of people; `bots` are the
    server's bots by the seats that they own; `continues` is the game that this one is a fork of.
    The secrets of the dice are made here, and their genesis is written; where an independent dice
    server takes part, that happens when it has sent its deposit, and until then the game takes no
    actions. The caller wakes the game after the commit, which requests the dice of the set-up.
    """
    at = now(connection)
    line = new_line(Beginning(dict(headers), settings.as_dict(), dict(bots or {})), 0, at)
    row = line.row(game)
    connection.execute(insert(schema.log), row)
    hosted = HostedGame(game, line, make_secrets(connection, game))
    if settings.dice is not DiceSource.INDEPENDENT:
        unit = UnitOfWork(connection, LiveGame(hosted), at)
        unit.add_dice(genesis_of(connection, hosted, continues=continues))
        unit.flush()
    store_clocks(connection, hosted, due_times(hosted), {})
    void = at + settings.void_after * 1000
    begun = {"head": 0, "state": "running", "started": at, "changed": at, "void": void}
    begun |= {
        "digest": event_log.with_rows("", [row], []),
        "seats_digest": event_log.seats_digest(connection, game),
    }
    event_log.add_checkpoint(connection, row)
    connection.execute(update(schema.game).where(schema.game.c.id == game).values(**begun))


def colours_of(headers: Mapping[str, str]) -> Sequence[str]:
    """The seats of a game, in the order of play."""
    return [part.partition(":")[0].strip() for part in headers["Seats"].split(";")]
