"""Begins a game: the first line of its log, and the commitment to its dice."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, insert, update

from rubicon.dice.chain import Chain
from rubicon.dice.seeds import Seeds
from rubicon.dice.writing import begin, keep
from rubicon.table import schema
from rubicon.table.chance import KEPT_LINKS, NOT_HERE, HeldSeeds
from rubicon.table.lines import NO_DUTY, Kind, Line
from rubicon.table.live import Live
from rubicon.table.page import dice_row, keep_clocks
from rubicon.table.settings import Settings
from rubicon.table.store import now


def begin_game(
    connection: Connection,
    game: str,
    headers: Mapping[str, str],
    settings: Settings,
    bots: Mapping[str, str] | None = None,
    *,
    elsewhere: bool = False,
) -> None:
    """Write the beginning of a game whose row stands in the store.

    `headers` are those of a record (`record_headers.headers_of`), without names of people; `bots`
    are the house bots by the colours that they play. The
    seeds are made here, and their commitment is the first entry of the dice chain; where the dice
    are somebody else's (`elsewhere`), they promise theirs behind the commit, and until then nothing
    is decided. Whoever calls wakes the game: then chance is asked for whatever the set-up owes.
    """
    at = now(connection)
    beginning = {"record": dict(headers), "table": settings.as_dict(), "bots": dict(bots or {})}
    text = json.dumps(beginning, sort_keys=True)
    line = Line(0, Kind.BEGIN, "", NO_DUTY, text, at)
    connection.execute(insert(schema.log), line.row(game))
    seeds = _promise(connection, game, colours_of(headers), elsewhere)
    keep_clocks(connection, Live(game, line, seeds), {})
    void = at + settings.void_after * 1000
    begun = {"head": 0, "state": "running", "started": at, "changed": at, "void": void}
    connection.execute(update(schema.game).where(schema.game.c.id == game).values(**begun))


def _promise(
    connection: Connection, game: str, colours: Sequence[str], elsewhere: bool
) -> HeldSeeds:
    table = secrets.token_bytes(32)
    if elsewhere:
        row = {"game": game, "dice": NOT_HERE, "table": table}
        connection.execute(insert(schema.seeds), row)
        return HeldSeeds(None, table)
    seeds = Seeds(secrets.token_bytes(32), table)
    chain = Chain([begin(seeds, game, colours)])
    for colour in colours:
        chain.append(keep(chain, seeds.dice, colour, KEPT_LINKS))
    row = {"game": game, "dice": seeds.dice, "table": seeds.table}
    connection.execute(insert(schema.seeds), row)
    connection.execute(insert(schema.dice), [dice_row(game, entry) for entry in chain])
    return HeldSeeds(seeds.dice, seeds.table)


def colours_of(headers: Mapping[str, str]) -> Sequence[str]:
    """The seats of a game, in the order of play."""
    return [part.partition(":")[0].strip() for part in headers["Seats"].split(";")]
