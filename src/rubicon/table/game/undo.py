"""Whether a seat can take its last decision back: the one rule for the command and for readers."""

from __future__ import annotations

from rubicon.errors import RubiconError
from rubicon.rules.actions import Resign
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


def check_undo_by_master(hosted: HostedGame) -> int | None:
    """Until when the game master can take the last decision back, whoever made it; as `check_undo`.

    It may have passed the turn on, but nothing that was hidden may have come of it. RubiconError
    where nothing can be taken back.
    """
    if hosted.placing or not hosted.undoable:
        message = "There is nothing that can be taken back: a die, a card or a secret came since."
        hint = "All players together can begin a new game from an earlier line: FORK."
        raise RubiconError("master/undo", message, hint)
    last = hosted.game.check_undo(undone_seat(hosted), past_turn=True)
    if isinstance(last, Resign):
        message = "A resignation is not taken back."
        raise RubiconError("master/resigned", message, "All players together can FORK the game.")
    return hosted.clocks.due_after_undo()


def undone_seat(hosted: HostedGame) -> str:
    """Whose decision would be taken back next; there is one in `undoable`."""
    return hosted.clocks.before[-1][0]


def undone_by_master(hosted: HostedGame) -> str:
    """The seat whose last decision the game master can take back; "" for none."""
    try:
        due = check_undo_by_master(hosted)
    except RubiconError:
        return ""
    in_time = due is None or due > hosted.changed
    return undone_seat(hosted) if in_time and not hosted.at_rest else ""


def undo_until(hosted: HostedGame) -> dict[str, int | None]:
    """The seats that can take their last decision back, each with the time as of `check_undo`."""
    found: dict[str, int | None] = {}
    for seat in hosted.decisions if hosted.undoable else ():
        try:
            found[seat] = check_undo(hosted, seat)
        except RubiconError:
            continue
    return found
