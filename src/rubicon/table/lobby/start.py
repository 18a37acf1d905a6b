"""Begins a game: the first line of its log, and of the transcript of its dice."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, insert, update

from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.unit_of_work import UnitOfWork, store_clocks
from rubicon.table.lobby.dice_genesis import genesis_of, make_secrets
from rubicon.table.settings import DiceSource, Settings
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
    continues: str = "",
) -> None:
    """Begin a game whose row is in the database already.

    `headers` are those of a record (`headers.headers_of`), without names of people; `bots` are the
    server's bots by the seats that they own; `continues` is the game that this one is a fork of.
    The secrets of the dice are made here, and their genesis is written; where an independent dice
    server takes part, that happens when it has sent its deposit, and until then the game takes no
    actions. The caller wakes the game after the commit, which requests the dice of the set-up.
    """
    at = now(connection)
    beginning = {"record": dict(headers), "table": settings.as_dict(), "bots": dict(bots or {})}
    text = json.dumps(beginning, sort_keys=True)
    line = LogLine(index=0, kind=LineKind.BEGIN, text=text, at=at)
    row = line.row(game)
    connection.execute(insert(schema.log), row)
    hosted = HostedGame(game, line, make_secrets(connection, game))
    if settings.dice is not DiceSource.INDEPENDENT:
        unit = UnitOfWork(connection, hosted, at)
        unit.add_dice(genesis_of(connection, hosted, continues=continues))
        unit.flush()
    store_clocks(connection, hosted, {})
    void = at + settings.void_after * 1000
    begun = {"head": 0, "state": "running", "started": at, "changed": at, "void": void}
    begun |= {"digest": with_rows("", [row], []), "seats_digest": seats_digest(connection, game)}
    add_checkpoint(connection, row)
    connection.execute(update(schema.game).where(schema.game.c.id == game).values(**begun))


def colours_of(headers: Mapping[str, str]) -> Sequence[str]:
    """The seats of a game, in the order of play."""
    return [part.partition(":")[0].strip() for part in headers["Seats"].split(";")]
