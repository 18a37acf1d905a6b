"""Imports a record as a hosted game, which continues from its last position with new dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, insert

from rubicon.rules.game.game import Game
from rubicon.rules.record.headers import headers_of
from rubicon.rules.record.record import Record
from rubicon.table.errors import TableError
from rubicon.table.lobby.lifecycle import new_table
from rubicon.table.lobby.seats import secret
from rubicon.table.lobby.start import begin_game
from rubicon.table.lobby.table_request import Access
from rubicon.table.settings import DEFAULT, Settings
from rubicon.table.storage import schema

IMPORTED = "Imported"


@dataclass(frozen=True, slots=True)
class Imported:
    """The new game, and the invites of the seats that no bot plays, by their colour."""

    game: str
    invites: dict[str, str]


def import_record(
    connection: Connection,
    record: Record,
    title: str,
    *,
    bots: Mapping[str, str] | None = None,
    settings: Settings = DEFAULT,
) -> Imported:
    """Begin a game where a record ends; RecordError where the record breaks the rules.

    The log begins with the position and the number of moves that led to it; the dice get new
    secrets. The caller wakes the game after the commit. `bots` are the server's bots by their seat.
    """
    played = record.verify()
    again = Game.from_position(played.ruleset, played.position)
    headers = headers_of(again)
    headers[IMPORTED] = f"{len(record.entries)} entries"
    chosen = dict(bots or {})
    for colour in chosen:
        if colour not in played.colours:
            message = f"This record has no seat {colour[:20]!r}."
            raise TableError("import/seat", message, f"Seats: {', '.join(played.colours)}.")
    game = new_table(
        connection,
        host=None,
        title=title[:80],
        access=Access.PRIVATE,
        headers=headers,
        settings=settings,
        invite=None,
    )
    invites = {colour: secret() for colour in played.colours if colour not in chosen}
    rows = [
        {
            "game": game,
            "number": number,
            "colour": colour,
            "account": None,
            "bot": chosen.get(colour),
            "name": chosen.get(colour, ""),
            "invite": invites.get(colour),
        }
        for number, colour in enumerate(played.colours)
    ]
    connection.execute(insert(schema.seat), rows)
    begin_game(connection, game, headers, settings, chosen)
    return Imported(game, invites)
