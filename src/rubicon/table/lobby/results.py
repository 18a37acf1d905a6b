"""The results of games that are over, without replaying them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from rubicon.table.game.facts import SPECTATORS
from rubicon.table.storage import schema


@dataclass(frozen=True, slots=True)
class GameResult:
    """A colour, `draw`, `void` or `closed`, and why."""

    result: str
    reason: str


def results_of(connection: Connection, games: Sequence[str]) -> dict[str, GameResult]:
    """The results of those of these games that are over or closed, by game."""
    notification = schema.notification.c
    wanted = select(notification.game, notification.body).where(
        notification.game.in_(games), notification.seat == SPECTATORS, notification.kind == "over"
    )
    found: dict[str, GameResult] = {}
    for row in connection.execute(wanted.order_by(notification.id)):
        body = json.loads(row.body)
        found[row.game] = GameResult(body.get("result", ""), body.get("reason", ""))
    return found
