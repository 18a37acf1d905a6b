"""The people and bots at a running game as JSON, with their clocks."""

from __future__ import annotations

from collections.abc import Mapping

from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.last_seen import LastSeen
from rubicon.table.lobby.listing import TableSeatView
from rubicon.web.api.responses import GameSeatView, SeatClockView


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
