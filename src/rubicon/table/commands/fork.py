"""Forks: all people agree to continue from an earlier log index, as a new game with new dice.

The old game is not changed. Its secrets are revealed only when the new game is over, because both
have the same hands and missions.
"""

from __future__ import annotations

import json

from sqlalchemy import select, update

from rubicon.rules.game.game import Game
from rubicon.rules.record.headers import headers_of
from rubicon.table.commands.advance import VOID, finish
from rubicon.table.errors import DiceUnavailable, TableError
from rubicon.table.game.game_cache import as_of
from rubicon.table.game.hosted_game import FORK, HostedGame
from rubicon.table.game.people import people
from rubicon.table.game.unit_of_work import FORK_CHECK, UnitOfWork
from rubicon.table.lobby.lifecycle import new_table
from rubicon.table.lobby.seats import RUNNING, copy_seats, secret
from rubicon.table.lobby.start import begin_game
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import LineKind

# Each fork begins a new chain, and its first line names all games before it.
MOST_FORKS = 100  # of one table, one behind the other
MOST_MOTIONS = 8  # for which a seat has voted at once: each is looked at after every command


def check_fork(hosted: HostedGame, seat: str, index: str, last: int) -> None:
    """TableError where a seat may not vote for a fork from this log index; `last` is the last."""
    if seat not in people(hosted):
        message = f"{seat} has no vote: nobody owns the seat."
        raise TableError("vote/not-yours", message, "")
    number = int(index) if index.isascii() and index.isdecimal() and len(index) < 10 else -1
    if str(number) != index or not 0 <= number <= last:
        message = f"{index[:20]!r} is no earlier log index of this game."
        raise TableError("fork/index", message, f"Indexes run from 0 to {last}.")


def check_limits(hosted: HostedGame, seat: str) -> None:
    """TableError where a seat may not vote for one more fork, or none may follow this game.

    DiceUnavailable before the dice have begun: a fork names the first line of their transcript.
    Not part of `check_fork`, as logs without these limits are right too.
    """
    if not hosted.has_genesis:
        raise DiceUnavailable("the dice have not begun")
    if hosted.transcript.state.earlier >= MOST_FORKS:
        message = f"This game has been forked {MOST_FORKS} times, which is the limit."
        raise TableError("fork/too-many", message, "Play on, or open a new table.")
    voted = [one for one, seats in hosted.votes.items() if seat in seats]
    forks = [one for one in voted if one.startswith(FORK)]
    if len(forks) >= MOST_MOTIONS:
        message = f"{seat} has voted for {MOST_MOTIONS} forks, which is the limit."
        raise TableError("fork/too-many-votes", message, f"Withdraw a vote first: {forks[0]}.")


def fork(unit: UnitOfWork, index: int) -> str:
    """Begin the new game in the same transaction, and close this one; the new game's id."""
    hosted, connection = unit.hosted, unit.connection
    earlier = as_of(connection, hosted.id, index)
    row = connection.execute(select(schema.game).where(schema.game.c.id == hosted.id)).one()
    game = new_table(
        connection,
        host=row.host,
        title=row.title,
        access=row.access,
        headers=json.loads(row.ruleset),
        settings=hosted.settings,
        invite=secret() if row.invite is not None else None,
        before=hosted.id,
        master=row.master,
    )
    copy_seats(connection, hosted.id, game)
    again = Game.from_position(hosted.game.ruleset, earlier.game.position)
    headers = headers_of(again)
    begin_game(connection, game, headers, hosted.settings, hosted.server_bots, continues=hosted.id)
    unit.begun = game
    unit.add_line(LineKind.FORK, f"{index} {game}")
    return game


def close_behind_fork(unit: UnitOfWork) -> None:
    """Reveal the secrets of a forked game when the game that replaces it is over."""
    hosted, games = unit.hosted, schema.game.c
    state = select(games.state).where(games.id == hosted.forked)
    if unit.connection.execute(state).scalar_one() != RUNNING:
        finish(unit, VOID, f"continued as {hosted.forked}")
        return
    later = update(schema.game).where(games.id == hosted.id)
    unit.connection.execute(later.values(void=unit.at + FORK_CHECK))
