"""Whether a seat can take its last decision back: the one rule for the command and for readers."""

from __future__ import annotations

from rubicon.errors import RubiconError
from rubicon.table.game.hosted_game import HostedGame


def check_undo(hosted: HostedGame, seat: str) -> int | None:
    """Until when a seat can take its last decision back, in milliseconds since 1970.

    None where no clock runs. RubiconError where nothing can be taken back: it revealed something,
    it is another seat's, or the seat has changed its mind too often.
    """
    if not hosted.undoable:
        raise RubiconError("undo/nothing", "There is nothing to undo.", "")
    hosted.game.check_undo(seat)
    hosted.counts.check(seat)
    return hosted.clocks.due_after_undo()


def undo_until(hosted: HostedGame) -> dict[str, int | None]:
    """The seats that can take their last decision back, each with the time as of `check_undo`."""
    found: dict[str, int | None] = {}
    for seat in hosted.decisions if hosted.undoable else ():
        try:
            found[seat] = check_undo(hosted, seat)
        except RubiconError:
            continue
    return found
