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
from rubicon.table.chance import KEPT_LINKS
from rubicon.table.lines import NO_DUTY, Kind, Line
from rubicon.table.page import dice_row
from rubicon.table.settings import Settings
from rubicon.table.store import now


def begin_game(
    connection: Connection,
    game: str,
    headers: Mapping[str, str],
    settings: Settings,
    bots: Mapping[str, str] | None = None,
) -> None:
    """Write the beginning of a game whose row stands in the store.

    `headers` are those of a record (`record_headers.headers_of`), without names of people; `bots`
    are the house bots by the colours that they play. The
    seeds are made here, and their commitment is the first entry of the dice chain. Whoever calls
    wakes the game behind the commit: then chance is asked for whatever the set-up owes.
    """
    at = now(connection)
    beginning = {"record": dict(headers), "table": settings.as_dict(), "bots": dict(bots or {})}
    text = json.dumps(beginning, sort_keys=True)
    line = Line(0, Kind.BEGIN, "", NO_DUTY, text, at)
    seeds = Seeds(secrets.token_bytes(32), secrets.token_bytes(32))
    colours = colours_of(headers)
    chain = Chain([begin(seeds, game, colours)])
    for colour in colours:
        chain.append(keep(chain, seeds.dice, colour, KEPT_LINKS))
    connection.execute(insert(schema.log), line.row(game))
    row = {"game": game, "dice": seeds.dice, "table": seeds.table}
    connection.execute(insert(schema.seeds), row)
    connection.execute(insert(schema.dice), [dice_row(game, entry) for entry in chain])
    void = at + settings.void_after * 1000
    begun = {"head": 0, "state": "running", "started": at, "changed": at, "void": void}
    connection.execute(update(schema.game).where(schema.game.c.id == game).values(**begun))


def colours_of(headers: Mapping[str, str]) -> Sequence[str]:
    """The seats of a game, in the order of play."""
    return [part.partition(":")[0].strip() for part in headers["Seats"].split(";")]
