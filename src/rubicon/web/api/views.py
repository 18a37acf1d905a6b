"""A game as one seat sees it: the only way from a position to a client."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any, cast

from rubicon.engine.records.position import Position
from rubicon.orders.explain.orders import explain
from rubicon.orders.parse.parser import read_orders
from rubicon.rules.game.pieces import pieces_on_board
from rubicon.rules.notation.json_format import action_to_json, position_to_json
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.server.costly_answers import export_from, preview_orders
from rubicon.server.seat_game import SeatGame
from rubicon.server.server import Server
from rubicon.table.admin.export_game import Exported
from rubicon.table.game.facts import SPECTATORS
from rubicon.table.game.game_cache import as_of
from rubicon.table.game.request_warnings import warnings_of
from rubicon.table.game.snapshot import Snapshot, snapshot_of
from rubicon.table.lobby.listing import show_table
from rubicon.table.lobby.spectators import visible_index, visible_until
from rubicon.web.api.responses import (
    EventView,
    ExplanationView,
    GameView,
    LegalActionsView,
    PositionView,
    PreviewView,
)


def game_view(server: Server, snapshot: Snapshot, seat: str, *, pieces: bool = False) -> GameView:
    """The state of a game for a seat, or ("") for spectators."""
    game = snapshot.id
    table = server.store.read(partial(show_table, game=game))
    state = snapshot.game()
    view = state.view(seat or None)
    return {
        "id": game,
        "title": table.title,
        "state": table.state,
        "you": seat or None,
        "seats": [
            {
                "colour": each.colour,
                "name": each.name,
                "bot": each.bot,
                "substitute": snapshot.bots.get(each.colour),
            }
            for each in table.seats
        ],
        "settings": table.settings,
        "index": snapshot.head,
        "phase": state.phase.name.lower(),
        "turn": state.turn,
        "round": int(view.round_number),
        "deadlines": {
            colour: snapshot.due.get(colour)
            for colour in (*snapshot.decisions, snapshot.thrower)
            if colour
        },
        "decision": snapshot.decisions.get(seat),
        "waiting_for": server.table.waiting_for(snapshot),
        "waiting_reason": server.table.waiting_reason(snapshot),
        "paused": snapshot.paused,
        "votes": {motion: sorted(seats) for motion, seats in snapshot.votes.items() if seats},
        "witness": snapshot.witness,
        "dice_clients": snapshot.dice_clients,
        "link": snapshot.links_wanted.get(seat),
        "opened": snapshot.opened,
        "result": None if snapshot.ending is None else snapshot.ending.result,
        "reason": None if snapshot.ending is None else snapshot.ending.reason,
        "position": _position_view(snapshot.ruleset, view, pieces=pieces),
    }


def _position_view(ruleset: Ruleset, view: Position, *, pieces: bool) -> PositionView:
    position = cast(PositionView, position_to_json(ruleset, view))
    if pieces:
        position["pieces"] = pieces_on_board(ruleset, view)
    return position


def legal_actions_view(server: Server, game: str, seat: str) -> LegalActionsView:
    """The seat's legal actions for its pending decision, and those out of turn."""
    snapshot = server.table.snapshot(game)
    decision = snapshot.decisions.get(seat)
    state = snapshot.game()
    ranges = state.legal_for(seat).ranges if decision is not None else ()
    out_of_turn = (
        state.legal_for(seat, with_out_of_turn=True).ranges if snapshot.ending is None else ()
    )
    return {
        "decision": decision,
        "ranges": [
            {
                "text": str(action_range),
                "size": action_range.size,
                "lowest": str(action_range.lowest),
                "highest": str(action_range.highest),
                "action": action_to_json(action_range.lowest),
            }
            for action_range in ranges
        ],
        "out_of_turn": [str(action) for action in out_of_turn],
    }


def explanation_view(server: Server, game: str, text: str) -> ExplanationView:
    """Orders in plain words; OrdersError if they cannot be read."""
    state = server.table.snapshot(game).game()
    orders = read_orders(text, state.ruleset.board, state.colours)
    return {
        "orders": str(orders),
        "explained": list(explain(orders, state.ruleset)),
        "ignored": list(warnings_of(orders)),
    }


async def preview_view(server: Server, game: str, seat: str, text: str, asker: str) -> PreviewView:
    """The possible results of orders; OrdersError if they cannot be read."""
    snapshot = await current_snapshot(server, game, asker)
    seen = SeatGame.of(snapshot.game(), seat)
    result = await server.costly.in_process(asker, preview_orders, seen, text)
    return {"orders": result.orders, "lines": result.lines, "ignored": result.ignored}


async def files_of(server: Server, game: str, seat: str, asker: str) -> Exported:
    """The record and the transcript of a game, as far as the seat may have them."""
    return await server.costly.in_process(asker, export_from, server.store.url, game, seat)


async def current_snapshot(server: Server, game: str, asker: str) -> Snapshot:
    """The current state; a game that is not in memory is rebuilt, which is costly work."""
    known = server.table.cached_snapshot(game)
    if known is None:
        return await server.costly.in_thread(asker, partial(server.table.snapshot, game))
    if server.store.shared:  # another server may have changed it
        return await asyncio.to_thread(server.table.snapshot, game)
    return known


async def visible_snapshot(server: Server, game: str, seat: str, asker: str) -> Snapshot:
    """The current state; for spectators of a table with a delay, an earlier one."""
    snapshot = await current_snapshot(server, game, asker)
    if seat != SPECTATORS or snapshot.ending is not None:
        return snapshot
    read = partial(visible_index, game=game, seat=seat)
    index = await asyncio.to_thread(server.store.read, read)
    if index >= snapshot.head:
        return snapshot

    def earlier() -> Snapshot:
        return snapshot_of(server.store.read(partial(as_of, game=game, index=index)))

    return await server.costly.in_thread(asker, earlier)


def visible_events(
    server: Server, game: str, seat: str, after: int, limit: int
) -> list[dict[str, Any]]:
    """The seat's events behind a log index; spectators of a table with a delay get them later.

    Never part of the events of one index, unless that index alone has more than `limit`: a client
    that continues behind the last index would miss the rest.
    """
    rows = server.table.facts(game, seat, after, limit)
    if len(rows) == limit:
        rows = [row for row in rows if row["index"] != rows[-1]["index"]] or rows
    until = server.store.read(partial(visible_until, game=game, seat=seat))
    return [row for row in rows if row["at"] <= until]


def event_views(server: Server, game: str, seat: str, after: int, limit: int) -> list[EventView]:
    """The same with their bodies decoded."""
    return [
        EventView(index=row["index"], kind=row["kind"], at=row["at"], body=json.loads(row["body"]))
        for row in visible_events(server, game, seat, after, limit)
    ]
