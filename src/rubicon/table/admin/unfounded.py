"""Finds lines of a log that had no reason: motions without votes, deadlines before their time.

The rules are those by which the table adds such lines (`commands/votes.py`, `game/limits.py`), so
that a line which somebody invents contradicts them. Who gave a vote is not proved here: a vote is
believed if its seat had one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rubicon.errors import RubiconError
from rubicon.table.commands import advance
from rubicon.table.commands.advance import DRAW, TOO_LONG, VOID, types_dice
from rubicon.table.commands.master import check_order, seats_over_time
from rubicon.table.commands.votes import check_vote, is_carried
from rubicon.table.deadlines import NO_ACTION, UNREACHABLE, may_extend
from rubicon.table.game.hosted_game import FORK, REPLACE, TYPED, HostedGame
from rubicon.table.game.limits import Absence, check_absence
from rubicon.table.game.requests import MasterWord, read_order
from rubicon.table.game.snapshot import is_playing, people_in_game, undone_seat
from rubicon.table.game.unit_of_work import void_time
from rubicon.table.lobby.lifecycle import BY_OPERATOR
from rubicon.table.settings import TimeoutPolicy
from rubicon.table.storage.event_log import NO_DECISION, LineKind, LogLine

Found = Iterator[str]


def unfounded(hosted: HostedGame, line: LogLine) -> str:
    """What is wrong with the next line of a log, as a sentence; "" where nothing is."""
    check = _CHECKS.get(line.kind)
    try:
        return next(check(hosted, line), "") if check is not None else ""
    except RubiconError as error:  # the table would have refused it
        return error.message


def _vote(hosted: HostedGame, line: LogLine) -> Found:
    motion = line.text.removeprefix("-")
    has_voted = line.seat in hosted.votes.get(motion, ())
    if has_voted != line.text.startswith("-"):
        yield f"{line.seat} had {'' if has_voted else 'not '}voted for this already."
    if line.text == motion:
        hosted.counts.check(line.seat)
        check_vote(hosted, line.seat, motion, last=line.index - 2, at=line.at)


def _pause(hosted: HostedGame, line: LogLine) -> Found:
    motion = {"on": "pause", "off": "resume"}.get(line.text, "")
    if not motion or (motion == "resume") != hosted.paused:
        yield "The game cannot be paused or resumed here."
    elif not is_carried(hosted, motion, line.at):
        yield f"The motion '{motion}' did not have the votes that it needs."


def _extend(hosted: HostedGame, line: LogLine) -> Found:
    if line.seat:
        if line.text != UNREACHABLE or not may_extend(hosted, line.seat):
            yield f"{line.seat} cannot get more time here."
    elif not is_carried(hosted, "extend", line.at):
        yield "The motion 'extend' did not have the votes that it needs."


def _fork(hosted: HostedGame, line: LogLine) -> Found:
    index = line.text.partition(" ")[0]
    lost = hosted.lost_lines
    if lost is not None and index == str(lost.index - 1):
        return  # by the operator
    if not is_carried(hosted, FORK + index, line.at):
        yield f"The motion 'fork {index}' did not have the votes that it needs."


def _bot(hosted: HostedGame, line: LogLine) -> Found:
    seat = line.seat
    if not line.text:
        if seat not in hosted.bots or seat in hosted.erased:
            yield f"No bot stands in for {seat}."
        return
    if hosted.master.order is not None and _by_master(hosted, line):
        return
    absence, policy = hosted.away.get(seat), hosted.settings.timeout_policy
    if seat in hosted.bots or seat in hosted.server_bots or not is_playing(hosted, seat):
        yield f"No bot can stand in for {seat} here."
    announced = absence is not None and absence.covers(line.at) and absence.bot == line.text
    if announced and seat in hosted.decisions:
        return
    if line.text != hosted.settings.substitute:
        yield f"{line.text} is not the bot of this table."
    by_policy = policy is TimeoutPolicy.BOT and _is_due(hosted, line)
    asked = seat in hosted.decisions or seat in hosted.placements.wanted
    erased = seat in hosted.erased and asked
    by_erasure = erased and (policy is TimeoutPolicy.BOT or not people_in_game(hosted))
    if not by_policy and not by_erasure and not is_carried(hosted, REPLACE + seat, line.at):
        yield f"A bot took the place of {seat}, who was in time, without the votes for it."


def _by_master(hosted: HostedGame, line: LogLine) -> bool:
    """Whether the game master's request before this line seats this bot."""
    order, bot = hosted.master.order, hosted.settings.substitute
    match None if order is None else order.word:
        case MasterWord.PROCESS:
            return line.text == bot and line.seat in seats_over_time(hosted, line.at)
        case MasterWord.BOT:
            bot = order.words if order is not None else bot
    return order is not None and (line.seat, line.text) == (order.seat, bot)


def _master(hosted: HostedGame, line: LogLine) -> Found:
    check_order(hosted, read_order(line.text), line.at)
    if line.seat:
        yield "The game master has no seat in the log."


def _late(hosted: HostedGame, line: LogLine) -> Found:
    if line.seat in hosted.late or not _is_due(hosted, line):
        yield f"The time of {line.seat} was not over."


def _request(hosted: HostedGame, line: LogLine) -> Found:
    """Who rolls: the table rolls what a person rolls only when that person's time is over."""
    if hosted.requested == TYPED:
        due = hosted.clocks.due(hosted.thrower)
        in_time = due is None or due > line.at
        if in_time and hosted.thrower in hosted.typists:
            yield f"The table rolled the dice of {hosted.thrower}, whose time was not over."
    elif hosted.game.pending is not None and types_dice(hosted) != (line.text == TYPED):
        yield "These dice are rolled by somebody else at this table."


def _warned(hosted: HostedGame, line: LogLine) -> Found:
    warning = hosted.clocks.warning(line.seat) if line.seat in hosted.decisions else None
    if warning is None or warning > line.at or line.decision != hosted.decisions[line.seat]:
        yield f"There was nothing to warn {line.seat} of."


def _away(hosted: HostedGame, line: LogLine) -> Found:
    if not line.text:
        if line.seat not in hosted.away:
            yield f"{line.seat} was not away."
        return
    hosted.counts.check(line.seat)
    most, before = hosted.settings.absence_days, hosted.days_away.get(line.seat, 0)
    check_absence(Absence.parse(line.text), line.at, before, most)
    if line.seat not in hosted.game.colours:
        yield f"There is no seat {line.seat!r}."


def _erased(hosted: HostedGame, line: LogLine) -> Found:
    known = set(hosted.game.colours) - hosted.server_bots.keys() - hosted.erased
    if line.seat not in known:
        yield f"{line.seat} has no owner whose account could be erased."


def _action(hosted: HostedGame, line: LogLine) -> Found:
    if line.decision == NO_DECISION and not line.text.startswith("resign "):
        hosted.counts.check(line.seat)
    yield from ()


def _undo(hosted: HostedGame, line: LogLine) -> Found:
    if not hosted.undoable or line.text != str(hosted.undoable[-1]):
        yield "The last action was another one."
        return
    if hosted.master.takes_back:
        if line.seat != undone_seat(hosted):
            yield "The game master takes back another decision than the last one."
        return
    hosted.counts.check(line.seat)
    due = hosted.clocks.due_after_undo()
    if due is not None and due <= line.at:
        yield "The time of the earlier decision was over."


def _end(hosted: HostedGame, line: LogLine) -> Found:
    result, _, reason = line.text.partition(" ")
    if hosted.game.over:
        return
    if result == DRAW:
        if reason != "agreed" or not is_carried(hosted, "draw", line.at):
            yield "The motion 'draw' did not have the votes that it needs."
    elif result == VOID and hosted.forked:
        if reason != f"continued as {hosted.forked}":
            yield "The game continues as another one."
    elif result == VOID and reason.startswith(BY_OPERATOR):
        return  # at any time, for a reason that only the operator knows
    elif reason == NO_ACTION:
        if line.at < void_time(hosted):
            yield "The game was closed before `void_after` had passed, or a seat had time left."
    elif reason != TOO_LONG or hosted.counts.progress < advance.MAX_LOG_LINES:
        yield "The game was closed without a reason."


def _is_due(hosted: HostedGame, line: LogLine) -> bool:
    asked = line.seat in hosted.decisions or line.seat in hosted.placements.wanted
    due = hosted.clocks.due(line.seat) if asked else None
    return due is not None and due <= line.at


_CHECKS: dict[LineKind, Callable[[HostedGame, LogLine], Found]] = {
    LineKind.VOTE: _vote,
    LineKind.PAUSE: _pause,
    LineKind.EXTEND: _extend,
    LineKind.FORK: _fork,
    LineKind.BOT: _bot,
    LineKind.LATE: _late,
    LineKind.REQUEST: _request,
    LineKind.WARNED: _warned,
    LineKind.AWAY: _away,
    LineKind.ERASED: _erased,
    LineKind.ACTION: _action,
    LineKind.UNDO: _undo,
    LineKind.MASTER: _master,
    LineKind.END: _end,
}
