"""What people at a table decide together: a draw, a pause, more time, a replacement, a fork.

A motion is carried when every seat that a person plays, and that is still in the game, is for it.
"""

from __future__ import annotations

from rubicon.rules.position import Seat
from rubicon.table.accepting import check_not_forked
from rubicon.table.errors import TableError
from rubicon.table.forking import check_fork, fork, people
from rubicon.table.lines import Kind
from rubicon.table.live import Live
from rubicon.table.page import Page
from rubicon.table.proceeding import DRAW, finish
from rubicon.table.settings import Clock, Silence

MOTIONS = ("draw", "pause", "resume", "extend")
REPLACE = "replace "
FORK = "fork "


def vote(page: Page, seat: str, motion: str, *, withdrawn: bool = False) -> None:
    """Vote for a motion, or no longer; what all are for is done at once."""
    live = page.live
    motion = motion.strip().lower()
    _check(page, seat, motion)
    for_it = live.votes.get(motion, set())
    if withdrawn and seat in for_it:
        page.line(Kind.VOTE, f"-{motion}", seat)
    elif not withdrawn and seat not in for_it:
        page.line(Kind.VOTE, motion, seat)
        carry(page, motion)


def carry(page: Page, motion: str) -> None:
    """Do what a motion says, if all are for it, and behind dice that wait for links."""
    live = page.live
    if live.links_wanted:
        return
    needed = _needed(live, motion)
    if not needed or not needed <= live.votes.get(motion, set()):
        return
    match motion:
        case "draw":
            finish(page, DRAW, "agreed")
        case "pause" | "resume":
            page.line(Kind.PAUSE, "on" if motion == "pause" else "off")
        case "extend":
            page.line(Kind.EXTEND, "")
        case _ if motion.startswith(FORK):
            fork(page, int(motion.removeprefix(FORK)))
        case _:
            page.line(Kind.BOT, live.settings.stand_in, motion.removeprefix(REPLACE))


def carry_all(page: Page) -> None:
    """What votes are carried now that a seat has left the game."""
    for motion in list(page.live.votes):
        if not page.live.at_rest:
            carry(page, motion)


def voters(live: Live) -> set[str]:
    """The seats whose people decide: no bots, no stand-ins, nobody who is out of the game."""
    playing = {
        colour
        for seat, colour in enumerate(live.game.colours)
        if live.game.position.status[seat] == Seat.PLAYING
    }
    return playing & people(live)


def _needed(live: Live, motion: str) -> set[str]:
    """The seats that a motion needs; whoever is out of the game plays again behind a fork."""
    if motion.startswith(FORK):
        return people(live)
    replaced = {motion.removeprefix(REPLACE)} if motion.startswith(REPLACE) else set()
    return voters(live) - replaced


def _check(page: Page, seat: str, motion: str) -> None:
    live = page.live
    if live.ending is not None:
        raise TableError("game/over", "The game is over: there is nothing to vote for.", "")
    check_not_forked(live)
    if motion.startswith(FORK):
        check_fork(page, seat, motion.removeprefix(FORK))
        return
    if seat not in voters(live):
        message = f"{seat} has no vote: it is played by a bot, or out of the game."
        raise TableError("vote/not-yours", message, "")
    wanted = f"Motions: {', '.join(MOTIONS)}, replace COLOUR, fork ENTRY."
    if motion.startswith(REPLACE):
        colour = motion.removeprefix(REPLACE)
        if colour not in voters(live) or colour == seat:
            raise TableError("vote/unknown", f"{colour[:20]!r} cannot be replaced.", wanted)
        if live.settings.silence is not Silence.WAIT:
            message = "Here a silent seat is taken care of by the clock."
            raise TableError("vote/not-here", message, "")
    elif motion not in MOTIONS:
        raise TableError("vote/unknown", f"There is no motion {motion[:40]!r}.", wanted)
    elif motion == "extend" and live.settings.clock is Clock.NONE:
        message = "No clock runs at this table: nobody needs more time."
        raise TableError(
            "vote/no-use", message, "Motions here: draw, pause, resume, replace COLOUR."
        )
    elif motion == ("resume" if not live.paused else "pause"):
        raise TableError("vote/no-use", "That is how it is already.", "")
