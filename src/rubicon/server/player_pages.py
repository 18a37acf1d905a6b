"""The public page of a player: who has one, the games that everyone may see, and their
results.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from rubicon.table.errors import TableError, TableNotFound
from rubicon.table.lobby.listing import results_of
from rubicon.table.lobby.seats import LOBBY, OVER, RUNNING
from rubicon.table.lobby.table_request import Access
from rubicon.table.storage import schema

# Which accounts have a public page: saved ones, unless their owner hides it.


@dataclass(frozen=True, slots=True)
class SeatOwner:
    """What others may know of the owner of a seat; `seen` in milliseconds since 1970."""

    page: str | None  # the id of the public page
    seen: int


def seat_owners(connection: Connection, accounts: Collection[str]) -> dict[str, SeatOwner]:
    """The owners of seats, by account."""
    columns = schema.account.c
    wanted = select(columns.id, columns.email, columns.settings, columns.seen)
    rows = connection.execute(wanted.where(columns.id.in_(accounts)))
    return {row.id: SeatOwner(row.id if has_page(row) else None, row.seen) for row in rows}


def has_page(row: object) -> bool:
    """Whether the account of a row (`email`, `settings`) has a public page."""
    email, settings = getattr(row, "email", None), getattr(row, "settings", "")
    return email is not None and bool(json.loads(settings or "{}").get("listed", True))


# The page: games that everyone may see, and their results by ruleset.

MAX_GAMES = 2000  # of a player that are counted, the last ones
MAX_SHOWN = 20  # games that a page lists
MAX_LUCK = 10  # finished games whose dice count for the luck of a player, the last ones


@dataclass(frozen=True, slots=True)
class RulesetResults:
    """The finished games of a player under one preset; `draws` are games without a winner."""

    ruleset: str
    games: int
    won: int
    lost: int
    draws: int


@dataclass(frozen=True, slots=True)
class PlayerGames:
    """A player with a page; `games` are rows of `schema.game`, the last changed first."""

    id: str
    name: str
    member_since: int
    results: Sequence[RulesetResults]
    games: Sequence[Row[Any]]


def player_page(connection: Connection, player: str, asker: str | None) -> PlayerGames:
    """The page of a player, by id or by name, as an account (None: anyone) may see it.

    Others see only games at open tables with spectators; the player sees all own ones. TableError
    `players/unknown` for a guest, a hidden page and an erased account alike; `players/ambiguous`
    for a name that several players have.
    """
    account = _found(connection, player, asker)
    own = account.id == asker
    games, seat = schema.game.c, schema.seat.c
    wanted = (
        select(schema.game, seat.colour.label("own_colour"))
        .join(schema.seat, seat.game == games.id)
        .where(seat.account == account.id, games.state.in_((LOBBY, RUNNING, OVER)))
    )
    if not own:
        public = games.settings.not_like('%"spectators": false%')
        wanted = wanted.where(games.access == Access.OPEN.value, public)
    # By the start: the time of the last change would show moves before the spectators' delay.
    ordered = wanted.order_by(games.created.desc(), games.id).limit(MAX_GAMES)
    rows = connection.execute(ordered).all()
    return PlayerGames(
        account.id, account.name, account.created, _results(connection, rows), rows[:MAX_SHOWN]
    )


def finished_seats(found: PlayerGames) -> list[tuple[str, str]]:
    """The last finished games of a player's page: each with the colour of the player."""
    over = [(row.id, row.own_colour) for row in found.games if row.state == OVER]
    return over[:MAX_LUCK]


def player_id(connection: Connection, player: str, asker: str | None) -> str:
    """The account of a player with a page, by id or by name; TableError as `player_page`."""
    return str(_found(connection, player, asker).id)


def _found(connection: Connection, player: str, asker: str | None) -> Any:
    """The row of the account."""
    columns = schema.account.c
    wanted = select(
        columns.id, columns.name, columns.email, columns.settings, columns.created
    ).where((columns.id == player) | ((columns.name == player) & columns.email.is_not(None)))
    by_id_first = wanted.order_by((columns.id == player).desc())
    rows = connection.execute(by_id_first.limit(MAX_SHOWN)).all()
    # An id is never taken for a name: someone may call themselves by the id of another player.
    named = [row for row in rows if row.id == player] or rows
    exact = [row for row in named if has_page(row) or row.id == asker]
    if not exact:
        message = f"There is no public page of a player {player[:40]!r}."
        hint = "Players who saved their account have one, unless they hide it."
        raise TableNotFound("players/unknown", message, hint)
    if len(exact) > 1:
        message = f"Several players are called {player[:40]!r}."
        raise TableError("players/ambiguous", message, "Name one by the id, which tables show.")
    return exact[0]


def _results(connection: Connection, rows: Sequence[Row[Any]]) -> list[RulesetResults]:
    over = [row for row in rows if row.state == OVER]
    endings = results_of(connection, [row.id for row in over])
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in over:
        preset = json.loads(row.ruleset).get("Ruleset", "").rpartition(" ")[0]
        ending = endings.get(row.id)
        counted[preset][_outcome("" if ending is None else ending.result, row.own_colour)] += 1
    return [
        RulesetResults(preset, found.total(), found["won"], found["lost"], found["draws"])
        for preset, found in sorted(counted.items())
    ]


def _outcome(result: str, colour: str) -> str:
    if result in ("", "draw", "void", "closed"):
        return "draws"
    return "won" if result == colour else "lost"
