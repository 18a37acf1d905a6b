"""Counts the log lines of each seat that do not advance the game, so that no seat can fill a log.

Votes, undone actions, standing orders and the like are free for their seat: without a limit one
seat could make the log so long that the game is closed. They do not count towards the length at
which a game is closed, and each seat may add only so many of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rubicon.rules.actions import Action, Fortify, Offer, Resign, Withdraw
from rubicon.table.errors import TableError
from rubicon.table.storage.event_log import NO_DECISION, LineKind, LogLine

# Of one seat, until dice are rolled or the turn passes on: neither can be taken back.
MAX_CHANGES = 40
MAX_CHANGES_PER_GAME = 5_000
# Actions of a turn that can be repeated without an end: cards offered and taken back, armies moved
# to and fro.
REPEATABLE = Offer | Withdraw | Fortify
# Lines that advance nothing. Those that are no seat's change follow from one that is counted, or
# from a dice request.
_NO_PROGRESS = frozenset(
    {
        LineKind.BEGIN,
        LineKind.ORDERS,  # their actions count
        LineKind.REPORT,
        LineKind.VOTE,
        LineKind.AWAY,
        LineKind.BOT,
        LineKind.LATE,
        LineKind.WARNED,
        LineKind.PAUSE,
        LineKind.EXTEND,
        LineKind.ERASED,
        LineKind.SIGNED,
        LineKind.PRESENCE,
        LineKind.LINK,
        LineKind.SILENT,
        LineKind.SEALED,
        LineKind.OPENED,
        LineKind.LOST_LINES,
    }
)


@dataclass
class LineCounts:
    """The counts of one game; they follow from its log alone."""

    progress: int = 0  # the lines that advance the game: its length
    changes: dict[str, int] = field(default_factory=dict)  # by seat, since dice or a new turn
    changes_of_game: dict[str, int] = field(default_factory=dict)  # by seat
    _idle_orders: set[str] = field(default_factory=set)  # seats whose orders have done nothing yet

    def count(
        self, line: LogLine, action: Action | None, *, settled: bool, by_master: bool = False
    ) -> None:
        """Count a line; `settled`: it rolled dice or passed the turn on, which nobody can undo.

        `by_master`: a request of the game master adds it, whose own line is counted.
        """
        if self._is_change(line, action):
            if not by_master:
                self.changes[line.seat] = self.changes.get(line.seat, 0) + 1
                self.changes_of_game[line.seat] = self.changes_of_game.get(line.seat, 0) + 1
        elif line.kind not in _NO_PROGRESS:
            self.progress += 1
        if line.kind is LineKind.UNDO:
            self.progress -= 1  # of the action that it takes back
        if settled:
            self.changes.clear()

    def _is_change(self, line: LogLine, action: Action | None) -> bool:
        """Whether a line is a change of mind of its seat, and no progress."""
        match line.kind:
            case LineKind.UNDO | LineKind.MASTER:
                return True
            case LineKind.VOTE:  # to withdraw a vote must always be possible
                return not line.text.startswith("-")
            case LineKind.AWAY:
                return bool(line.text)
            case LineKind.PRESENCE:  # that a client is lost is the server's word
                return not line.text.startswith("lost ")
            case LineKind.ACTION:
                self._idle_orders.discard(line.seat)
                out_of_turn = line.decision == NO_DECISION and not isinstance(action, Resign)
                return out_of_turn or isinstance(action, REPEATABLE)
            case LineKind.ORDERS:
                self._idle_orders.add(line.seat)
            case LineKind.REPORT if line.seat in self._idle_orders:
                self._idle_orders.discard(line.seat)
                return True
        return False

    def check(self, seat: str) -> None:
        """TableError where a seat has made as many changes as it may."""
        who = seat or "The game master"
        if self.changes_of_game.get(seat, 0) >= MAX_CHANGES_PER_GAME:
            message = f"{who} has changed something {MAX_CHANGES_PER_GAME:,} times in this game."
            hint = "Decide what is pending; votes, standing orders and undo are used up."
            raise TableError("game/too-many-changes", message, hint)
        if self.changes.get(seat, 0) >= MAX_CHANGES:
            message = f"{who} has changed something {MAX_CHANGES} times since the last roll."
            hint = "Decide by single actions, or wait until dice are rolled or the turn passes on."
            raise TableError("game/too-many-changes", message, hint)
