"""Votes: a seat votes, and a motion that has its votes is carried out (`motions` has the rules)."""

from __future__ import annotations

from rubicon.dice.lines.request import SignedOrder
from rubicon.table.commands.advance import DRAW, finish
from rubicon.table.commands.fork import check_fork, check_limits, fork
from rubicon.table.commands.motions import MOTIONS, RULES, is_carried
from rubicon.table.commands.signatures import take_signature
from rubicon.table.commands.submit import check_not_forked, lines_lost
from rubicon.table.errors import TableError
from rubicon.table.game.hosted_game import FORK, REPLACE, TYPED, HostedGame
from rubicon.table.game.people import is_playing, people_in_game, time_is_over
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.settings import Clock, Master, TimeoutPolicy
from rubicon.table.storage.event_log import NO_DECISION, LineKind


def vote(
    unit: UnitOfWork,
    seat: str,
    motion: str,
    *,
    withdrawn: bool = False,
    signed: SignedOrder | None = None,
) -> None:
    """Vote for a motion or withdraw the vote; a motion that has its votes is carried at once.

    A vote that was given already adds nothing to the log. The seat's client signs `vote MOTION`, or
    `vote -MOTION`, with the decision 0.
    """
    hosted = unit.hosted
    motion = motion.strip().lower()
    for_it = hosted.votes.get(motion, set())
    if withdrawn and seat in for_it and (hosted.stopped or not hosted.at_rest):
        _add_vote(unit, seat, f"-{motion}", signed)
        return
    check_vote(hosted, seat, motion, last=unit.first - 2, at=unit.at)
    if not withdrawn and seat not in for_it:
        hosted.counts.check(seat)
        if motion.startswith(FORK):
            check_limits(hosted, seat)
        _add_vote(unit, seat, motion, signed)
        carry(unit, motion)


def _add_vote(unit: UnitOfWork, seat: str, text: str, signed: SignedOrder | None) -> None:
    if signed is not None:
        take_signature(unit, seat, NO_DECISION, f"vote {text}", signed)
    unit.add_line(LineKind.VOTE, text, seat)


def carry(unit: UnitOfWork, motion: str) -> None:
    """Carry out a motion if it has its votes.

    While a dice request waits for its answer the motion waits too: it could end the game, and with
    it a roll that has been requested.
    """
    hosted = unit.hosted
    pending = hosted.requested not in (None, TYPED)
    if pending or not is_carried(hosted, motion, unit.at):
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


def check_vote(hosted: HostedGame, seat: str, motion: str, *, last: int, at: int) -> None:
    """TableError where a seat may not vote for a motion at a time, in milliseconds since 1970.

    `last` is the last earlier log index, from which a fork is possible.
    """
    if hosted.ending is not None:
        raise TableError("game/over", "The game is over: there is nothing to vote for.", "")
    check_not_forked(hosted)
    if motion.startswith(FORK):
        check_fork(hosted, seat, motion.removeprefix(FORK), last)
        return
    if hosted.lost_lines is not None and motion != "draw":
        raise lines_lost(hosted.lost_lines)
    if seat not in people_in_game(hosted):
        message = f"{seat} has no vote: nobody owns the seat, or it is out of the game."
        raise TableError("vote/not-yours", message, "")
    if motion.startswith(REPLACE):
        _check_replace(hosted, seat, motion.removeprefix(REPLACE), at)
    elif motion not in MOTIONS or MOTIONS[motion].shown != motion:
        raise TableError("vote/unknown", f"There is no motion {motion[:40]!r}.", _wanted())
    elif motion == "extend" and hosted.settings.clock is Clock.NONE:
        message = "This table has no clock to extend."
        raise TableError(
            "vote/no-use", message, "Motions here: draw, pause, resume, replace COLOUR."
        )
    elif motion == ("resume" if not hosted.paused else "pause"):
        raise TableError(
            "vote/no-use", f"The game is {'paused' if hosted.paused else 'not paused'} already.", ""
        )


def _check_replace(hosted: HostedGame, seat: str, colour: str, at: int) -> None:
    if not is_playing(hosted, colour) or colour in hosted.server_bots or colour in hosted.bots:
        raise TableError("vote/unknown", f"{colour[:20]!r} cannot be replaced.", _wanted())
    if seat == colour and hosted.settings.master is not Master.NONE:
        return  # the consent that the game master needs
    if hosted.settings.timeout_policy is not TimeoutPolicy.WAIT:
        message = "The server replaces late players at this table."
        raise TableError("vote/not-here", message, "")
    agreed = colour in hosted.votes.get(REPLACE + colour, ())
    if seat != colour and not agreed and not time_is_over(hosted, colour, at):
        message = f"{colour} is in time and has not agreed to be replaced."
        hint = f"Vote when the time of {colour} is over, or after {colour} has voted for it."
        raise TableError("vote/in-time", message, hint)


def _wanted() -> str:
    return f"Motions: {', '.join(rule.shown for rule in RULES)}."
