"""Begins a game: writes the first line of its log, and the commitment to its dice."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, insert, update

from rubicon.dice.chain import Chain
from rubicon.dice.seeds import Seeds
from rubicon.dice.writing import begin, keep
from rubicon.table.game.dice_requests import LINKS_PER_CHAIN, NOT_HERE, HeldSeeds
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.unit_of_work import dice_row, store_clocks
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.checkpoints import add_checkpoint
from rubicon.table.storage.clock import now
from rubicon.table.storage.digest import seats_digest, with_rows
from rubicon.table.storage.event_log import LineKind, LogLine


def begin_game(
    connection: Connection,
    game: str,
    headers: Mapping[str, str],
    settings: Settings,
    bots: Mapping[str, str] | None = None,
    *,
    remote_dice: bool = False,
) -> None:
    """Begin a game whose row is in the database already.

    `headers` are those of a record (`headers.headers_of`), without names of people; `bots` are the
    server's bots by the seats that they own. The seeds are made here, and their commitment is the
    first entry of the dice chain. With `remote_dice` the dice server sends its commitment after
    the commit, and until then the game takes no actions. The caller wakes the game after the
    commit, which requests the dice and cards of the set-up.
    """
    at = now(connection)
    beginning = {"record": dict(headers), "table": settings.as_dict(), "bots": dict(bots or {})}
    text = json.dumps(beginning, sort_keys=True)
    line = LogLine(index=0, kind=LineKind.BEGIN, text=text, at=at)
    row = line.row(game)
    connection.execute(insert(schema.log), row)
    seeds = _make_seeds(connection, game, colours_of(headers), remote_dice)
    store_clocks(connection, HostedGame(game, line, seeds), {})
    void = at + settings.void_after * 1000
    begun = {"head": 0, "state": "running", "started": at, "changed": at, "void": void}
    begun |= {"digest": with_rows("", [row], []), "seats_digest": seats_digest(connection, game)}
    add_checkpoint(connection, row)
    connection.execute(update(schema.game).where(schema.game.c.id == game).values(**begun))


def _make_seeds(
    connection: Connection, game: str, colours: Sequence[str], remote_dice: bool
) -> HeldSeeds:
    table = secrets.token_bytes(32)
    if remote_dice:
        row = {"game": game, "dice": NOT_HERE, "table": table}
        connection.execute(insert(schema.seeds), row)
        return HeldSeeds(None, table)
    seeds = Seeds(secrets.token_bytes(32), table)
    chain = Chain([begin(seeds, game, colours)])
    for colour in colours:
        chain.append(keep(chain, seeds.dice, colour, LINKS_PER_CHAIN))
    row = {"game": game, "dice": seeds.dice, "table": seeds.table}
    connection.execute(insert(schema.seeds), row)
    connection.execute(insert(schema.dice), [dice_row(game, dice_entry) for dice_entry in chain])
    return HeldSeeds(seeds.dice, seeds.table)


def colours_of(headers: Mapping[str, str]) -> Sequence[str]:
    """The seats of a game, in the order of play."""
    return [part.partition(":")[0].strip() for part in headers["Seats"].split(";")]
