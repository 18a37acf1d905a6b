"""Forks: all agree to go on from an earlier entry, as a new game with dice of its own.

The game that was left is kept as it is, and opened only when the new one is over: both know the
same hands and missions.
"""

from __future__ import annotations

import json

from sqlalchemy import select, update

from rubicon.rules.game import Game
from rubicon.rules.record_headers import headers_of
from rubicon.table import schema
from rubicon.table.beginning import begin_game
from rubicon.table.errors import TableError
from rubicon.table.lines import Kind
from rubicon.table.live import Live
from rubicon.table.lives import as_of
from rubicon.table.lobby_life import new_table
from rubicon.table.lobby_seats import RUNNING, copy_seats, secret
from rubicon.table.page import FORK_LOOKED_AT, Page
from rubicon.table.proceeding import VOID, finish


def people(live: Live) -> set[str]:
    """The seats whose people decide: neither house bots nor stand-ins."""
    return set(live.game.colours) - live.house_bots.keys() - live.bots.keys()


def check_fork(page: Page, seat: str, entry: str) -> None:
    """TableError where a seat may not vote for going on from an entry; it must be stored."""
    last = page.first - 2  # behind it nothing has happened but what the page itself adds
    if seat not in people(page.live):
        message = f"{seat} has no vote: a bot plays it."
        raise TableError("vote/not-yours", message, "Take the seat back first.")
    number = int(entry) if entry.isascii() and entry.isdecimal() and len(entry) < 10 else -1
    if str(number) != entry or not 0 <= number <= last:
        message = f"{entry[:20]!r} is no earlier entry of this game."
        raise TableError("fork/entry", message, f"Entries count from 0 to {last}.")


def fork(page: Page, entry: int) -> str:
    """Begin the new game in the same transaction, and leave this one; the new game's id."""
    live, connection = page.live, page.connection
    earlier = as_of(connection, live.id, entry)
    row = connection.execute(select(schema.game).where(schema.game.c.id == live.id)).one()
    game = new_table(
        connection,
        host=row.host,
        title=row.title,
        access=row.access,
        headers=json.loads(row.ruleset),
        settings=live.settings,
        invite=secret() if row.invite is not None else None,
        before=live.id,
    )
    copy_seats(connection, live.id, game)
    again = Game.from_position(live.game.ruleset, earlier.game.position)
    elsewhere = live.seeds.dice is None
    begin_game(
        connection, game, headers_of(again), live.settings, live.house_bots, elsewhere=elsewhere
    )
    page.begun = game
    page.line(Kind.FORK, f"{entry} {game}")
    return game


def close_behind_fork(page: Page) -> None:
    """Open the game that was left when the one that goes on instead is over."""
    live, games = page.live, schema.game.c
    state = select(games.state).where(games.id == live.forked)
    if page.connection.execute(state).scalar_one() != RUNNING:
        finish(page, VOID, f"it went on as {live.forked}")
        return
    later = update(schema.game).where(games.id == live.id)
    page.connection.execute(later.values(void=page.at + FORK_LOOKED_AT))
