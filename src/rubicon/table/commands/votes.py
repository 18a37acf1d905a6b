"""Votes: a draw, a pause, more time, a replacement, a fork.

A motion is carried when all seats that people play, and that are still in the game, are for it.
"""

from __future__ import annotations

from rubicon.engine.records.position import Seat
from rubicon.table.commands.advance import DRAW, finish
from rubicon.table.commands.fork import check_fork, fork, people
from rubicon.table.commands.submit import check_not_forked
from rubicon.table.errors import TableError
from rubicon.table.game.hosted_game import TYPED, HostedGame
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.settings import Clock, TimeoutPolicy
from rubicon.table.storage.event_log import LineKind

MOTIONS = ("draw", "pause", "resume", "extend")
REPLACE = "replace "
FORK = "fork "


def vote(unit: UnitOfWork, seat: str, motion: str, *, withdrawn: bool = False) -> None:
    """Vote for a motion or withdraw the vote; a motion that all are for is carried at once."""
    hosted = unit.hosted
    motion = motion.strip().lower()
    _check(unit, seat, motion)
    for_it = hosted.votes.get(motion, set())
    if withdrawn and seat in for_it:
        unit.add_line(LineKind.VOTE, f"-{motion}", seat)
    elif not withdrawn and seat not in for_it:
        unit.add_line(LineKind.VOTE, motion, seat)
        carry(unit, motion)


def carry(unit: UnitOfWork, motion: str) -> None:
    """Carry out a motion if all are for it.

    While a dice request waits for its answer the motion waits too: it could end the game, and with
    it a roll that has been requested.
    """
    hosted = unit.hosted
    if hosted.requested not in (None, TYPED):
        return
    needed = _needed(hosted, motion)
    if not needed or not needed <= hosted.votes.get(motion, set()):
        return
    match motion:
        case "draw":
            finish(unit, DRAW, "agreed")
        case "pause" | "resume":
            unit.add_line(LineKind.PAUSE, "on" if motion == "pause" else "off")
        case "extend":
            unit.add_line(LineKind.EXTEND, "")
        case _ if motion.startswith(FORK):
            fork(unit, int(motion.removeprefix(FORK)))
        case _:
            unit.add_line(LineKind.BOT, hosted.settings.substitute, motion.removeprefix(REPLACE))


def carry_all(unit: UnitOfWork) -> None:
    """Carry every motion that has enough votes now, after a seat has left the game."""
    for motion in list(unit.hosted.votes):  # a copy: carrying a motion removes it
        if not unit.hosted.at_rest:
            carry(unit, motion)


def voters(hosted: HostedGame) -> set[str]:
    """The seats that vote: those that people play and that are still in the game."""
    playing = {
        colour
        for seat, colour in enumerate(hosted.game.colours)
        if hosted.game.position.status[seat] == Seat.PLAYING
    }
    return playing & people(hosted)


def _needed(hosted: HostedGame, motion: str) -> set[str]:
    """The seats whose votes a motion needs; a fork needs all, since eliminated seats play again."""
    if motion.startswith(FORK):
        return people(hosted)
    replaced = {motion.removeprefix(REPLACE)} if motion.startswith(REPLACE) else set()
    return voters(hosted) - replaced


def _check(unit: UnitOfWork, seat: str, motion: str) -> None:
    hosted = unit.hosted
    if hosted.ending is not None:
        raise TableError("game/over", "The game is over: there is nothing to vote for.", "")
    check_not_forked(hosted)
    if motion.startswith(FORK):
        check_fork(unit, seat, motion.removeprefix(FORK))
        return
    if seat not in voters(hosted):
        message = f"{seat} has no vote: a bot plays it, or it is out of the game."
        raise TableError("vote/not-yours", message, "")
    wanted = f"Motions: {', '.join(MOTIONS)}, replace COLOUR, fork INDEX."
    if motion.startswith(REPLACE):
        colour = motion.removeprefix(REPLACE)
        if colour not in voters(hosted) or colour == seat:
            raise TableError("vote/unknown", f"{colour[:20]!r} cannot be replaced.", wanted)
        if hosted.settings.timeout_policy is not TimeoutPolicy.WAIT:
            message = "The server replaces late players at this table."
            raise TableError("vote/not-here", message, "")
    elif motion not in MOTIONS:
        raise TableError("vote/unknown", f"There is no motion {motion[:40]!r}.", wanted)
    elif motion == "extend" and hosted.settings.clock is Clock.NONE:
        message = "This table has no clock to extend."
        raise TableError(
            "vote/no-use", message, "Motions here: draw, pause, resume, replace COLOUR."
        )
    elif motion == ("resume" if not hosted.paused else "pause"):
        raise TableError(
            "vote/no-use", f"The game is {'paused' if hosted.paused else 'not paused'} already.", ""
        )
