"""What time alone does to a game: deadlines, absences, and more time for players who
cannot be reached.
"""

from __future__ import annotations

from concurrent.futures import Future

from sqlalchemy import Connection, delete, select

from rubicon.table.commands import advance
from rubicon.table.commands.advance import VOID, check_may_place, finish
from rubicon.table.commands.submit import Receipt, check_goes_on
from rubicon.table.commands.votes import close_behind_fork
from rubicon.table.errors import TableError
from rubicon.table.game.hosted_game import TYPED, HostedGame
from rubicon.table.game.limits import Absence, check_absence
from rubicon.table.game.unit_of_work import UnitOfWork, due_times, void_time
from rubicon.table.lobby.people import master_place
from rubicon.table.lobby.seats import ERASED
from rubicon.table.notices import PlayerLate
from rubicon.table.settings import TimeoutPolicy
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.event_log import NO_DECISION, LineKind
from rubicon.table.table_service import TableService

# More time for a player who could not know that a decision was pending: e-mails came back.

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


# The sweep of deadlines: every server runs it, and the first one to lock a game acts.

NO_ACTION = "no action for too long"  # the reason of a game that is closed
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
    # Nothing stands between a dice request and its answer: the next sweep acts.
    if hosted.requested in (None, TYPED):
        _act_on_seats(unit, up_since)
    # After the deadlines: the others may have a late seat replaced before the game is closed.
    if (hosted.stopped or not hosted.at_rest) and unit.at >= void_time(hosted):
        finish(unit, VOID, NO_ACTION)


def _act_on_seats(unit: UnitOfWork, up_since: int) -> None:
    """End absences, warn, and apply the policy to seats whose time is over."""
    hosted = unit.hosted
    for seat, absence in list(hosted.away.items()):
        if absence.until <= unit.at:
            unit.add_line(LineKind.AWAY, "", seat)
            _end_stand_in(unit, seat)
    for (seat, kind), due in due_times(hosted).items():
        if hosted.requested not in (None, TYPED):
            break  # the table rolls dice that nobody has entered: the next sweep goes on
        if due_times(hosted).get((seat, kind)) != due:
            continue  # an earlier deadline in this loop has changed this one
        if kind == "move" and _with_grace(due, up_since) <= unit.at:
            _time_out(unit, seat)
        elif kind == "warning" and due <= unit.at < (hosted.clocks.due(seat) or 0):
            unit.add_line(LineKind.WARNED, "", seat, hosted.decisions[seat])


def announce_absence(unit: UnitOfWork, seat: str, text: str) -> None:
    """Store the absence of a seat; an empty text ends it."""
    hosted = unit.hosted
    if hosted.ending is not None:
        raise TableError("game/over", "The game is over.", "")
    check_goes_on(hosted)
    if not text.strip():
        if seat in hosted.away:
            unit.add_line(LineKind.AWAY, "", seat)
            _end_stand_in(unit, seat)
        return
    absence = Absence.parse(text)
    if hosted.away.get(seat) == absence:
        return
    check_absence(absence, unit.at, hosted.days_away.get(seat, 0), hosted.settings.absence_days)
    hosted.counts.check(seat)
    unit.add_line(LineKind.AWAY, text.strip().lower(), seat)


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
    if absence is not None and absence.covers(unit.at):
        # Else the bot of the absence would take over again at once.
        unit.add_line(LineKind.AWAY, "", seat)
    _end_stand_in(unit, seat)


def _end_stand_in(unit: UnitOfWork, seat: str) -> None:
    hosted = unit.hosted
    if seat in hosted.bots and seat not in hosted.erased and not hosted.at_rest:
        unit.add_line(LineKind.BOT, "", seat)


def _mark_erased(unit: UnitOfWork) -> None:
    """Log the seats whose owner has erased their account; `lobby.departure` marks them."""
    hosted, clock = unit.hosted, schema.clock.c
    marks = (clock.game == hosted.id) & (clock.kind == ERASED)
    for seat in unit.connection.execute(select(clock.seat).where(marks)).scalars().all():
        if seat not in hosted.erased and not hosted.at_rest:
            unit.add_line(LineKind.ERASED, "", seat)
    unit.connection.execute(delete(schema.clock).where(marks))


def _time_out(unit: UnitOfWork, seat: str) -> None:
    hosted = unit.hosted
    if seat == hosted.thrower:
        advance.request(unit)  # the table rolls the dice that nobody has entered
        return
    match hosted.settings.timeout_policy:
        case TimeoutPolicy.BOT:
            unit.add_line(LineKind.BOT, hosted.settings.substitute, seat)
        case TimeoutPolicy.NEUTRAL if hosted.requested is None:
            unit.add_line(LineKind.ACTION, f"resign {seat}", seat)
        case _:
            unit.add_line(LineKind.LATE, "", seat, hosted.decisions.get(seat, NO_DECISION))
            place = master_place(unit.connection, hosted.id)
            if place and place != seat:
                unit.notify(place, PlayerLate(seat))


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
