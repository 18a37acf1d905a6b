"""Finds games that were deleted, by the numbered list of games that have begun."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from rubicon.table.storage import schema
from rubicon.table.storage.checkpoints import FIRST, beginnings, next_hash

GAMES = "games"  # begins a saved checkpoint: games:NUMBER:HASH
SHOWN = 32  # hex digits of a hash in a saved checkpoint


@dataclass
class Checkpoints:
    """The last checkpoint, to be saved elsewhere, and the faults: code and message by game."""

    last: str = ""
    faults: dict[str, tuple[str, str]] = field(default_factory=dict)


def check_deletions(connection: Connection, saved: Iterable[str] = ()) -> Checkpoints:
    """Compare the list of games with the games; `saved` are checkpoints as `NUMBER:HASH`."""
    found = Checkpoints()
    rows = connection.execute(select(schema.checkpoint).order_by(schema.checkpoint.c.number)).all()
    begun, before = beginnings(connection), FIRST
    games = schema.game.c
    stored = set(connection.execute(select(games.id).where(games.head >= 0)).scalars())
    hashes: dict[int, str] = {}
    for number, row in enumerate(rows, 1):
        begin = begun.pop(row.game, None)
        if row.number != number:
            message = f"Checkpoint {number} is missing: a game was deleted."
            found.faults[GAMES] = ("checkpoint/gap", message)
            break
        if begin is None or row.game not in stored:
            message = "This game has begun, but it is not stored as such any more."
            found.faults[row.game] = ("checkpoint/deleted", message)
        elif row.hash != next_hash(before, number, begin):
            message = "The first line of the log, or the list of games before it, was changed."
            found.faults[row.game] = ("checkpoint/changed", message)
        before = hashes[number] = row.hash
    else:
        for game in begun:
            message = "This game is not in the list of games that have begun."
            found.faults[game] = ("checkpoint/missing", message)
    found.last = f"{GAMES}:{len(rows)}:{before[:SHOWN]}"
    for text in saved:
        number_text, _, start = text.partition(":")
        known = hashes.get(int(number_text), "") if number_text.isdecimal() else ""
        if not known or len(start) < SHOWN or not known.startswith(start):
            message = f"The list of games does not contain the saved checkpoint {text[:80]}."
            found.faults[GAMES] = ("checkpoint/other-history", message)
    return found
