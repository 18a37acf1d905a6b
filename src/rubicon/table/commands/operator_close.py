"""The operator closes a table; its players read why."""

from __future__ import annotations

from rubicon.table.commands.advance import VOID, finish
from rubicon.table.commands.submit import check_not_forked
from rubicon.table.errors import TableError
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.lobby.operator_close import BY_OPERATOR


def close_by_operator(unit: UnitOfWork, reason: str) -> None:
    """End a game that runs, without a winner, and open its secrets; `reason` is checked.

    TableError where it is over, or another game replaces it: that one still has its secrets.
    """
    hosted = unit.hosted
    if hosted.ending is not None:
        raise TableError("game/over", "The game is over.", "")
    check_not_forked(hosted)
    finish(unit, VOID, f"{BY_OPERATOR}: {reason}")
