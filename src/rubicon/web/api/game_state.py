"""A game as one seat sees it: the only way from a position to a client."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection

from rubicon.rules.notation.positions import position_text
from rubicon.server.server import Server
from rubicon.server.work import export_from
from rubicon.table.admin.game_files import Exported
from rubicon.table.commands.votes import offered
from rubicon.table.game.game_cache import as_of
from rubicon.table.game.snapshot import Snapshot, snapshot_of
from rubicon.table.lobby.listing import TableSeatView, TableView, show_table
from rubicon.table.lobby.people import LastSeen, last_seen_at, visible_index, visible_until
from rubicon.table.notices import SPECTATORS
from rubicon.table.settings import Settings
from rubicon.table.storage.connection import now
from rubicon.web.api.bodies import EventView, GameSeatView, GameView, SeatClockView
from rubicon.web.api.decisions import decision_view
from rubicon.web.api.position import Seen, position_view

# The people and bots at a running game as JSON, with their clocks.


def game_seat_view(
    snapshot: Snapshot, seat: TableSeatView, last_seen: Mapping[str, LastSeen]
) -> GameSeatView:
    """A seat: who plays it, when they were last seen, and their clock."""
    seen = last_seen.get(seat.colour)
    return {
        "colour": seat.colour,
        "name": seat.name,
        "bot": seat.bot,
        "substitute": snapshot.bots.get(seat.colour),
        "last_seen": None if seen is None else seen.value,
        "clock": _clock(snapshot, seat.colour),
    }


def _clock(snapshot: Snapshot, colour: str) -> SeatClockView | None:
    if colour not in snapshot.banks:
        return None
    return {
        "bank": snapshot.banks[colour],
        "bank_from": snapshot.bank_from.get(colour),
        "deadline": snapshot.due.get(colour),
    }


def game_view(
    server: Server, snapshot: Snapshot, seat: str, *, pieces: bool = False, text: bool = False
) -> GameView:
    """The state of a game for a seat, or ("") for spectators; `text` adds the view as a line."""
    game = snapshot.id

    def read(connection: Connection) -> tuple[TableView, dict[str, LastSeen], int]:
        return show_table(connection, game), last_seen_at(connection, game), now(connection)

    table, last_seen, at = server.store.read(read)
    state = snapshot.game()
    seen = Seen.by(state, seat)
    shown: GameView = {
        "id": game,
        "title": table.title,
        "state": table.state,
        "you": seat or None,
        "seats": [game_seat_view(snapshot, each, last_seen) for each in table.seats],
        "settings": table.settings,
        "index": snapshot.head,
        "phase": state.phase.name.lower(),
        "turn": state.turn,
        "round": int(seen.view.round_number),
        "deadlines": {
            colour: snapshot.due.get(colour)
            for colour in (*snapshot.decisions, snapshot.thrower, *snapshot.openings)
            if colour
        },
        "now": at,
        "decision": snapshot.decisions.get(seat),
        "undoable": snapshot.can_undo(seat, at),
        "about": decision_view(seen) if seat in snapshot.decisions else None,
        "waiting_for": server.table.waiting_for(snapshot),
        "waiting_reason": server.table.waiting_reason(snapshot),
        "paused": snapshot.paused,
        "votes": {motion: sorted(seats) for motion, seats in snapshot.votes.items() if seats},
        "motions": offered(snapshot, Settings.read(table.settings), seat, at),
        "witness": snapshot.witness,
        "dice_clients": snapshot.dice_clients,
        "link": snapshot.links_wanted.get(seat),
        "links_pending": {colour: link.until for colour, link in snapshot.links_wanted.items()},
        "opened": snapshot.opened,
        "result": None if snapshot.ending is None else snapshot.ending.result,
        "reason": None if snapshot.ending is None else snapshot.ending.reason,
        "position": position_view(seen, pieces=pieces),
    }
    if text:
        shown["text"] = position_text(seen.ruleset, seen.view)
    return shown


async def files_of(server: Server, game: str, seat: str, asker: str) -> Exported:
    """The record and the transcript of a game, as far as the seat may have them."""
    return await server.costly.in_process(asker, export_from, server.store.url, game, seat)


async def current_snapshot(server: Server, game: str, asker: str) -> Snapshot:
    """The current state; a game that is not in memory is rebuilt, which is costly work."""
    # A game in memory is read on the event loop: a snapshot never changes, and a thread would
    # cost more than all the rest of a small request.
    known = server.table.cached_snapshot(game)
    if known is None:
        return await server.costly.in_thread(asker, partial(server.table.snapshot, game))
    if server.store.shared:  # another server may have changed it
        return await asyncio.to_thread(server.table.snapshot, game)
    return known


async def visible_snapshot(server: Server, game: str, seat: str, asker: str) -> Snapshot:
    """The current state; for spectators of a table with a delay, an earlier one."""
    snapshot = await current_snapshot(server, game, asker)
    return await snapshot_at(server, snapshot, await visible_head(server, snapshot, seat), asker)


async def visible_head(server: Server, snapshot: Snapshot, seat: str) -> int:
    """The last log index of a state that a seat may see; spectators of a delayed table see less."""
    if seat != SPECTATORS or snapshot.ending is not None:
        return snapshot.head
    read = partial(visible_index, game=snapshot.id, seat=seat)
    return min(snapshot.head, await asyncio.to_thread(server.store.read, read))


async def snapshot_at(server: Server, snapshot: Snapshot, index: int, asker: str) -> Snapshot:
    """The state after a log index; an earlier one is rebuilt, which is costly work."""
    if index >= snapshot.head:
        return snapshot

    def earlier() -> Snapshot:
        return snapshot_of(server.store.read(partial(as_of, game=snapshot.id, index=index)))

    return await server.costly.in_thread(asker, earlier)


def visible_events(
    server: Server, game: str, seat: str, after: int, limit: int
) -> list[dict[str, Any]]:
    """The seat's events after a log index; spectators of a table with a delay get them later.

    Never part of the events of one index, unless that index alone has more than `limit`: a client
    that continues after the last index would miss the rest.
    """
    # One index can have several events: the last ones may be cut off in the middle of an index.
    rows = server.table.facts(game, seat, after, limit)
    if len(rows) == limit:
        rows = [row for row in rows if row["index"] != rows[-1]["index"]] or rows
    until = server.store.read(partial(visible_until, game=game, seat=seat))
    return [row for row in rows if row["at"] <= until]


def event_views(server: Server, game: str, seat: str, after: int, limit: int) -> list[EventView]:
    """The same with their bodies, which are JSON already."""
    return [
        EventView(
            index=row["index"],
            kind=row["kind"],
            at=row["at"],
            body=msgspec.Raw(row["body"].encode()),
        )
        for row in visible_events(server, game, seat, after, limit)
    ]
