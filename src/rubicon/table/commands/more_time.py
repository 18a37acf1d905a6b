"""More time for a player who could not know that a decision was pending: e-mails came back."""

from __future__ import annotations

from rubicon.table.game.hosted_game import TYPED, HostedGame
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.storage.event_log import LineKind

UNREACHABLE = "unreachable"  # the text of the log's line


def may_extend(hosted: HostedGame, seat: str) -> bool:
    """Whether a seat can get more time: once in a game, and while its clock runs.

    Once, because a player who lets e-mails come back on purpose must not win time by it.
    """
    return (
        seat in hosted.on_clock
        and seat not in hosted.unreachable
        and hosted.clocks.running
        and not hosted.at_rest
    )


def extend_unreachable(unit: UnitOfWork, seat: str) -> None:
    """Add `decision_time` to the pending decision of a seat that cannot be reached; idempotent."""
    hosted = unit.hosted
    if may_extend(hosted, seat) and hosted.requested in (None, TYPED):
        unit.add_line(LineKind.EXTEND, UNREACHABLE, seat)
