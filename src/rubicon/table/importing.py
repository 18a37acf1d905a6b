"""A record becomes a hosted game, which goes on from the record's last position with new dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, insert

from rubicon.rules.game import Game
from rubicon.rules.record import Record
from rubicon.rules.record_headers import headers_of
from rubicon.table import schema
from rubicon.table.beginning import begin_game
from rubicon.table.errors import TableError
from rubicon.table.lobby_life import new_table
from rubicon.table.lobby_seats import secret
from rubicon.table.lobby_wish import Access
from rubicon.table.settings import DEFAULT, Settings

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

    The log begins with the position, and says how many entries led to it; the dice are promised
    anew. Whoever calls wakes the game behind the commit. `bots` are house bots by their colour.
    """
    played = record.verify()
    again = Game.from_position(played.ruleset, played.position)
    headers = headers_of(again)
    headers[IMPORTED] = f"{len(record.entries)} entries"
    chosen = dict(bots or {})
    for colour in chosen:
        if colour not in played.colours:
            message = f"Nobody plays {colour[:20]!r} in this record."
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
