"""What time alone does to a game: deadlines, absences, and more time for players who
cannot be reached.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from rubicon.rules.actions import Resign
from rubicon.table.commands import advance
from rubicon.table.commands.advance import NO_ACTION, Close, check_may_place, finish
from rubicon.table.commands.submit import Receipt, check_goes_on
from rubicon.table.commands.votes import close_behind_fork
from rubicon.table.errors import TableError
from rubicon.table.game import log_lines
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.limits import check_absence
from rubicon.table.game.log_lines import NO_DECISION, LineKind, Lines, NewLine
from rubicon.table.game.unit_of_work import UnitOfWork, due_times
from rubicon.table.lobby.people import master_place
from rubicon.table.lobby.seats import ERASED
from rubicon.table.notices import PlayerLate
from rubicon.table.settings import TimeoutPolicy
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.table_service import TableService

# More time for a player who could not know that a decision was pending: e-mails came back.

UNREACHABLE = "unreachable"  # the text of the log's line


@dataclass(frozen=True, slots=True)
class GiveMoreTime:
    """More time for a seat whose e-mails come back; idempotent."""

    seat: str

    def decide(self, state: HostedGame, at: int) -> Lines:
        """Another `decision_time`: once in a game, and while the seat's clock runs.

        Once, because a player who lets e-mails come back on purpose must not win time by it.
        """
        if self.seat not in state.on_clock or self.seat in state.unreachable:
            return ()
        if not state.clocks.running or state.at_rest or state.awaits_dice:
            return ()
        return (NewLine(log_lines.Extended(UNREACHABLE), self.seat),)


def extend_unreachable(unit: UnitOfWork, seat: str) -> None:
    """Add `decision_time` to the pending decision of a seat that cannot be reached."""
    unit.perform(GiveMoreTime(seat))


# The sweep of deadlines: every server runs it, and the first one to lock a game acts.

GRACE = 10 * 60 * 1000  # milliseconds for seats whose time ran out while the server was down
MAX_GAMES_PER_SWEEP = 200


def tick(table: TableService, up_since: int) -> list[Future[Receipt]]:
    """Apply every deadline that has passed; to be called every second.

    It also rolls dice whose links were not given in time, and asks a dice server again. A seat
    whose deadline passed before `up_since`, the time since which this server answers, gets ten
    minutes more.
    """
    table.retry_dice_server()
    # Read without a lock: `act` checks again under the lock of the game's row, so that of several
    # servers that find the same deadline only one acts.
    games = table.store.read(_due)
    return [table.change(game, lambda unit: act(unit, up_since)) for game in games]


def act(unit: UnitOfWork, up_since: int) -> None:
    """Apply the deadlines of one game that have passed; idempotent."""
    hosted = unit.hosted
    _mark_erased(unit)
    if hosted.ending is not None:
        return
    if hosted.forked:
        close_behind_fork(unit)
        return
    # Nothing may come between a dice request and its answer: the next sweep acts.
    if not hosted.awaits_dice:
        _act_on_seats(unit, up_since)
    # After the deadlines: the others may have a late seat replaced before the game is closed.
    if hosted.stopped or not hosted.at_rest:
        finish(unit, Close(NO_ACTION))


def _act_on_seats(unit: UnitOfWork, up_since: int) -> None:
    """End absences, warn, and apply the policy to seats whose time is over."""
    hosted = unit.hosted
    for seat, absence in list(hosted.away.items()):
        if absence.until <= unit.at:
            unit.perform(EndAbsence(seat))
    for (seat, kind), due in due_times(hosted).items():
        if hosted.awaits_dice:
            break  # the table rolls dice that no one has entered: the next sweep goes on
        if due_times(hosted).get((seat, kind)) != due:
            continue  # an earlier deadline in this loop has changed this one
        if kind == "move" and _with_grace(due, up_since) <= unit.at:
            _time_out(unit, seat)
        elif kind == "warning" and due <= unit.at < (hosted.clocks.due(seat) or 0):
            unit.perform(Warn(seat))


@dataclass(frozen=True, slots=True)
class Warn:
    """The deadline of a seat is near."""

    seat: str

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The warning, where its time has come."""
        if self.seat not in state.decisions:
            return ()
        warning = state.clocks.warning(self.seat)
        if warning is None or warning > at:
            return ()
        return (NewLine(log_lines.Warned(), self.seat, state.decisions[self.seat]),)


def announce_absence(unit: UnitOfWork, seat: str, text: str) -> None:
    """Store the absence of a seat; an empty text ends it."""
    hosted = unit.hosted
    if hosted.ending is not None:
        raise TableError("game/over", "The game is over.", "")
    check_goes_on(hosted)
    ends = not text.strip()
    unit.perform(EndAbsence(seat) if ends else AnnounceAbsence(seat, log_lines.Absence.parse(text)))


@dataclass(frozen=True, slots=True)
class AnnounceAbsence:
    """A seat says when it will be away."""

    seat: str
    absence: log_lines.Absence

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The absence; () where it is announced already."""
        if state.away.get(self.seat) == self.absence or self.seat not in state.game.colours:
            return ()
        before, most = state.days_away.get(self.seat, 0), state.settings.absence_days
        check_absence(self.absence, at, before, most)
        state.counts.check(self.seat)
        return (NewLine(log_lines.Away(self.absence), self.seat),)


@dataclass(frozen=True, slots=True)
class EndAbsence:
    """A seat is back, or its absence is over: a bot that stood in for it ends too."""

    seat: str

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The end of both; () where the seat is not away."""
        if self.seat not in state.away:
            return ()
        return (NewLine(log_lines.Away(), self.seat), *EndStandIn(self.seat).decide(state, at))


@dataclass(frozen=True, slots=True)
class EndStandIn:
    """A seat's stand-in bot stops: its owner plays again."""

    seat: str

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The end; () where no bot stands in, or its owner has erased their account."""
        if self.seat not in state.bots or self.seat in state.erased or state.at_rest:
            return ()
        return (NewLine(log_lines.StandIn(), self.seat),)


def take_back_seat(unit: UnitOfWork, seat: str) -> None:
    """End a stand-in bot, and with it the absence that it stood in for.

    The owner has the time that was left; nothing happens where there is no such bot. TableError
    where no time is left: the bot makes this decision.
    """
    hosted = unit.hosted
    if seat not in hosted.bots or hosted.at_rest:
        return
    if hosted.settings.timeout_policy is TimeoutPolicy.BOT and hosted.clocks.used_up(seat):
        message = f"The time for this decision is over: {hosted.bots[seat]} makes it."
        hint = "Take the seat back when the bot has decided."
        raise TableError("seat/out-of-time", message, hint)
    check_may_place(hosted, seat)
    absence = hosted.away.get(seat)
    # Else the bot of an absence would take over again at once.
    ends = absence is not None and absence.covers(unit.at)
    unit.perform(EndAbsence(seat) if ends else EndStandIn(seat))


def _mark_erased(unit: UnitOfWork) -> None:
    """Log the seats whose owner has erased their account; `lobby.seats` marks them."""
    hosted, clock = unit.hosted, schema.clock.c
    marks = (clock.game == hosted.id) & (clock.kind == ERASED)
    for seat in unit.connection.execute(select(clock.seat).where(marks)).scalars().all():
        unit.perform(NoteErased(seat))
    unit.connection.execute(delete(schema.clock).where(marks))


@dataclass(frozen=True, slots=True)
class NoteErased:
    """The owner of a seat has erased their account."""

    seat: str

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The line that says so; () where it was said, or no person owned the seat."""
        owned = set(state.game.colours) - state.server_bots.keys() - state.erased
        return (
            (NewLine(log_lines.Erased(), self.seat),)
            if self.seat in owned and not state.at_rest
            else ()
        )


def _time_out(unit: UnitOfWork, seat: str) -> None:
    hosted = unit.hosted
    if seat == hosted.thrower:
        advance.request(unit)  # the table rolls the dice that were not entered
        return
    added = unit.perform(TimeOut(seat))
    if any(line.kind is LineKind.LATE for line in added):
        place = master_place(unit.connection, hosted.id)
        if place and place != seat:
            unit.notify(place, PlayerLate(seat))


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The time of a seat is over: the table's policy acts."""

    seat: str

    def decide(self, state: HostedGame, at: int) -> Lines:
        """What the policy demands; () where time is left, or it has acted."""
        asked = self.seat in state.decisions or self.seat in state.placements.wanted
        due = state.clocks.due(self.seat) if asked else None
        gone = self.seat in state.bots or self.seat in state.server_bots or self.seat in state.late
        if due is None or due > at or gone:
            return ()
        policy = state.settings.timeout_policy
        if policy is TimeoutPolicy.BOT:
            return (NewLine(log_lines.StandIn(state.settings.substitute), self.seat),)
        if policy is TimeoutPolicy.NEUTRAL and state.requested is None:
            return (NewLine(log_lines.Acted(Resign(self.seat)), self.seat),)
        return (NewLine(log_lines.Late(), self.seat, state.decisions.get(self.seat, NO_DECISION)),)


def _with_grace(due: int, up_since: int) -> int:
    """The deadline, or GRACE after the start where it passed while the server was down."""
    return max(due, up_since + GRACE) if due < up_since else due


def _due(connection: Connection) -> list[str]:
    at = now(connection)
    clocks, games = schema.clock.c, schema.game.c
    due = select(clocks.game).where(clocks.due <= at).distinct().limit(MAX_GAMES_PER_SWEEP)
    void = (
        select(games.id)
        .where(games.state == "running", games.void <= at)
        .limit(MAX_GAMES_PER_SWEEP)
    )
    found = [row.game for row in connection.execute(due)]
    return found + [row.id for row in connection.execute(void) if row.id not in found]
