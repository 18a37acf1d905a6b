"""Why a line is in a log: the table decides again what it decided when the line was added.

Each line names the commands that may have added it; one of them must decide it again, as the game
is before it. So the audit has no rules of its own. Who gave a command is not proved: a vote is
believed if its seat had one. What concerns the dice is checked with their transcript
(`dice_lines`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import msgspec

from rubicon.errors import RubiconError
from rubicon.rules.game import BadOutcome
from rubicon.rules.refusals import Refused
from rubicon.table.commands.advance import (
    Close,
    EndGame,
    FollowOrders,
    ReplaceErased,
    SubstituteAbsent,
)
from rubicon.table.commands.master import OrderByMaster
from rubicon.table.commands.submit import Act, EnterDice, OutOfTurn, SendOrders, TakeBack
from rubicon.table.commands.votes import Carry, CastVote, ContinueStopped
from rubicon.table.deadlines import (
    AnnounceAbsence,
    EndAbsence,
    EndStandIn,
    GiveMoreTime,
    NoteErased,
    TimeOut,
    Warn,
)
from rubicon.table.game import log_lines
from rubicon.table.game.hosted_game import FORK, REPLACE, HostedGame
from rubicon.table.game.log_lines import NO_DECISION, LogLine, NewLine, payload_of
from rubicon.table.game.unit_of_work import Command


class Reasons:
    """Finds the reason of each line of a log; `hosted` is the game before the next line,
    and each line carries what it says."""

    def __init__(self, hosted: HostedGame) -> None:
        self.hosted = hosted
        self._due: deque[NewLine] = deque()  # the rest of what the last command decided

    def fault(self, line: LogLine) -> str:
        """What is wrong with the next line, as a sentence; "" where it has a reason."""
        # A command may add several lines, one after the other in one transaction: where another
        # line follows, the rest is no longer due.
        due, self._due = self._due, deque()
        if due and _same(due[0], line):
            due.popleft()
            self._due = due
            return ""
        fault = ""
        for command in commands_of(self.hosted, line):
            try:
                decided = command.decide(self.hosted, line.at)
            except (Refused, BadOutcome):
                return ""  # by the rules of the game: they name the line with their own code
            except RubiconError as error:
                fault = fault or error.message
                continue
            if decided and _same(decided[0], line):
                self._due = deque(decided[1:])
                return ""
            words = f"{line.kind.value} {line.text}".strip()[:80]
            fault = fault or f"The table would not have added this line here: {words}."
        return fault


def commands_of(state: HostedGame, line: LogLine) -> Iterator[Command]:
    """The commands that may have added a line."""
    seat = line.seat
    match payload_of(line, state.game):
        case log_lines.VoteCast(motion, withdrawn):
            yield CastVote(seat, motion, withdrawn)
        case log_lines.Paused(on):
            yield Carry("pause" if on else "resume")
        case log_lines.Extended():
            yield GiveMoreTime(seat) if seat else Carry("extend")
        case log_lines.Forked(index):
            yield Carry(f"{FORK}{index}")
            yield ContinueStopped()
        case log_lines.MasterOrder() as order:
            yield OrderByMaster(order)
        case log_lines.Late():
            yield TimeOut(seat)
        case log_lines.Warned():
            yield Warn(seat)
        case log_lines.Erased():
            yield NoteErased(seat)
        case log_lines.Away(absence):
            yield EndAbsence(seat) if absence is None else AnnounceAbsence(seat, absence)
        case log_lines.StandIn(bot):
            yield from _for_stand_in(seat, bot)
        case log_lines.Undone():
            yield TakeBack(seat, line.decision)
        case log_lines.Acted() as acted:
            yield from _for_action(state, line, acted)
        case log_lines.Settled(outcome) if state.awaits_typed:
            yield EnterDice(seat, outcome)
        case log_lines.Orders() as orders:
            yield SendOrders(seat, line.decision, orders)
        case log_lines.GameEnding(result, reason):
            yield from _for_ending(state, result, reason)


def _for_stand_in(seat: str, bot: str) -> Iterator[Command]:
    if not bot:
        yield EndStandIn(seat)
        return
    yield SubstituteAbsent(seat)
    yield TimeOut(seat)
    yield ReplaceErased(seat)
    yield Carry(REPLACE + seat)


def _for_action(state: HostedGame, line: LogLine, acted: log_lines.Acted) -> Iterator[Command]:
    seat = line.seat
    if line.decision != NO_DECISION:
        by_orders = seat in state.running and state.ordered[seat].decision == line.decision
        yield FollowOrders(seat) if by_orders else Act(seat, line.decision, acted.action)
        return
    yield TimeOut(seat)
    yield ReplaceErased(seat)
    yield OutOfTurn(seat, acted.action)


def _for_ending(state: HostedGame, result: str, reason: str) -> Iterator[Command]:
    if state.game.over:
        yield EndGame()
    elif result == "draw":
        yield Carry("draw")
    else:
        yield Close(reason)


def _same(wanted: NewLine, line: LogLine) -> bool:
    """Whether a line is one that a command decides.

    The game of a fork is chosen later, and the words of a report may be those of another version.
    """
    says, expected = payload_of(line), wanted.says
    if isinstance(says, log_lines.Forked):
        says = msgspec.structs.replace(says, game="")
    elif isinstance(says, log_lines.OrdersReport) and isinstance(expected, log_lines.OrdersReport):
        expected = msgspec.structs.replace(says, status=expected.status)
    return (expected, wanted.seat, wanted.decision) == (says, line.seat, line.decision)
