"""What limits each seat: its clock, its absences, and how often it may change its mind."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rubicon.rules.actions import Fortify, Offer, Resign, Withdraw
from rubicon.table.errors import TableError
from rubicon.table.game import log_lines
from rubicon.table.game.log_lines import NO_DECISION, LineKind, LogLine, Payload
from rubicon.table.settings import Clock, Settings

MAX_DAYS = 21  # in one absence


def check_absence(absence: log_lines.Absence, at: int, days_before: int, most: int) -> None:
    """TableError where an absence is over, too long, or exceeds `most` days in all."""
    if absence.until <= at:
        raise TableError("absence/past", "These days are over already.", "")
    if absence.days > MAX_DAYS:
        message = f"An absence of {absence.days} days is too long."
        raise TableError("absence/too-long", message, f"An absence has at most {MAX_DAYS} days.")
    if days_before + absence.days > most:
        message = f"You would be away for {days_before + absence.days} days in all."
        raise TableError("absence/too-many", message, f"This table allows {most} days in all.")


# Clocks: the time of each seat, computed from the times of the log lines alone.
#
# A game that is rebuilt therefore has the same clocks. The rows of `schema.clock` are only an
# index for the sweep of deadlines.

SECOND = 1000
HOUR = 3600 * SECOND
WARNING_SHARE = 4  # the warning comes when a quarter of `decision_time` is left


@dataclass
class SeatClock:
    """The clock of a seat, in milliseconds; `since` is None while no decision is pending."""

    bank: int
    since: int | None = None
    acted: int | None = None  # the time of its first action of the current turn
    stand_in: int | None = None  # since when a stand-in bot plays: the owner's clock stops
    suspended: int | None = None  # the end of an absence, for which `since` was put off


@dataclass
class Clocks:
    """The clocks of one game."""

    settings: Settings
    seats: dict[str, SeatClock] = field(default_factory=dict)
    paused_at: int | None = None  # while the game is paused
    # The clock of the seat before each action that can still be undone: after an undo its time
    # runs on as if the action had not been made.
    before: list[tuple[str, SeatClock]] = field(default_factory=list)

    @property
    def running(self) -> bool:
        """Whether time runs: the table has a clock, and the game is not paused."""
        return self.settings.clock is not Clock.NONE and self.paused_at is None

    def fill_banks(self, colours: tuple[str, ...]) -> None:
        """Start every seat with a full bank."""
        self.seats = {colour: SeatClock(self.settings.bank * SECOND) for colour in colours}

    def start(self, seat: str, at: int) -> None:
        """A decision of a seat is pending from `at` on."""
        clock = self.seats[seat]
        clock.since, clock.suspended = self._moment(at), None

    def finish(self, seat: str, at: int, *, acted: bool) -> None:
        """The decision is no longer pending; the bank pays for time over `decision_time`.

        `acted`: the seat has acted itself, which starts its turn limit.
        """
        clock = self.seats[seat]
        if clock.since is None:
            return
        # A bot's time is not the owner's.
        until = at if clock.stand_in is None else max(clock.since, min(at, clock.stand_in))
        late = until - clock.since - self.settings.decision_time * SECOND
        clock.bank = max(0, clock.bank - max(0, late))
        clock.since = clock.suspended = None
        if acted:
            self.act(seat, at)

    def act(self, seat: str, at: int) -> None:
        """The seat acts in its turn: its first action starts the turn limit."""
        clock = self.seats[seat]
        if clock.acted is None:
            clock.acted = at

    def remember(self, seat: str) -> None:
        """A seat acts, and may undo it: keep its clock as it is before."""
        self.before.append((seat, replace(self.seats[seat])))

    def undo(self) -> None:
        """Take the last action back: the time of the decision before it runs on."""
        seat, before = self.before.pop()
        clock = self.seats[seat]
        clock.since, clock.bank, clock.suspended = before.since, before.bank, before.suspended
        if clock.acted is None:  # the turn had ended
            clock.acted = before.acted

    def due_after_undo(self) -> int | None:
        """The deadline of the seat whose last action is undone; None where no clock runs."""
        seat, before = self.before[-1]
        return self._due(replace(before, acted=self.seats[seat].acted))

    def hand_over(self, seat: str, at: int) -> None:
        """A stand-in bot plays from `at` on: the owner's clock stops."""
        clock = self.seats[seat]
        if clock.stand_in is None:
            clock.stand_in = self._moment(at)

    def take_back(self, seat: str, at: int) -> None:
        """The owner plays again, with the time that was left."""
        clock = self.seats[seat]
        if clock.since is not None and clock.stand_in is not None:
            clock.since += max(0, self._moment(at) - max(clock.since, clock.stand_in))
        clock.stand_in = None

    def suspend(self, seat: str, at: int, until: int) -> None:
        """The seat is away from `at` until `until`: the time that was left runs after that."""
        clock = self.seats[seat]
        if clock.since is not None:
            clock.since += max(0, until - self._moment(at))
            clock.suspended = until

    def end_suspension(self, seat: str, at: int) -> None:
        """The seat is back before the end of its absence: its time runs from now on."""
        clock = self.seats[seat]
        if clock.since is not None and clock.suspended is not None:
            clock.since -= max(0, clock.suspended - at)
        clock.suspended = None

    def turn_ended(self, seat: str) -> None:
        """The seat's turn is over: its bank grows by `bank_gain`, up to `bank_most`."""
        clock = self.seats[seat]
        most = max(clock.bank, self.settings.bank_most * SECOND)  # a larger first bank is not cut
        clock.bank = min(most, clock.bank + self.settings.bank_gain * SECOND)
        clock.acted = None

    def extend(self, seat: str) -> None:
        """Add `decision_time` to the pending decision."""
        own = [clock for other, clock in self.before if other == seat]
        for clock in (self.seats[seat], *own):
            if clock.since is not None:
                clock.since += self.settings.decision_time * SECOND

    def give(self, seat: str, at: int, hours: int) -> None:
        """Move the deadline of the pending decision by `hours`; one that has passed, from `at`."""
        due = self.due(seat)
        if due is None:
            return
        moved = max(due, self._moment(at)) + hours * HOUR - due
        own = [clock for other, clock in self.before if other == seat]
        for clock in (self.seats[seat], *own):
            clock.since = None if clock.since is None else clock.since + moved
            clock.acted = None if clock.acted is None else clock.acted + moved

    def pause(self, at: int) -> None:
        """Stop all clocks."""
        if self.paused_at is None:
            self.paused_at = at

    def resume(self, at: int) -> None:
        """Start all clocks again, with the time that was left."""
        if self.paused_at is None:
            return
        passed = at - self.paused_at
        for clock in (*self.seats.values(), *(clock for _, clock in self.before)):
            clock.since = None if clock.since is None else clock.since + passed
            clock.acted = None if clock.acted is None else clock.acted + passed
            clock.stand_in = None if clock.stand_in is None else clock.stand_in + passed
        self.paused_at = None

    def due(self, seat: str) -> int | None:
        """The seat's deadline; None while no decision is pending, or no clock runs."""
        return self._due(self.seats[seat])

    def bank_from(self, seat: str) -> int | None:
        """When the pending decision begins to use the seat's bank; None where no clock runs."""
        clock = self.seats[seat]
        if not self.running or clock.since is None:
            return None
        return clock.since + self.settings.decision_time * SECOND

    def used_up(self, seat: str) -> bool:
        """Whether the seat's time was over when its stand-in bot took over."""
        clock, due = self.seats[seat], self.due(seat)
        return due is not None and clock.stand_in is not None and due <= clock.stand_in

    def warning(self, seat: str) -> int | None:
        """When to warn the seat; None at live tables, where an e-mail would come too late."""
        due = self.due(seat)
        if due is None or self.settings.clock is not Clock.DAYS:
            return None
        return due - self.settings.decision_time * SECOND // WARNING_SHARE

    def _due(self, clock: SeatClock) -> int | None:
        if not self.running or clock.since is None:
            return None
        due = clock.since + self.settings.decision_time * SECOND + clock.bank
        if self.settings.turn_limit and clock.acted is not None:
            due = min(due, clock.acted + self.settings.turn_limit * SECOND)
        return due

    def _moment(self, at: int) -> int:
        """The time on the clocks, which stop while the game is paused."""
        return at if self.paused_at is None else self.paused_at


# Counts the log lines of each seat that do not advance the game, so that no seat can fill a log.
#
# Votes, undone actions, standing orders and the like are free for their seat: without a limit one
# seat could make the log so long that the game is closed. They do not count towards the length at
# which a game is closed, and each seat may add only so many of them.

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
        self, line: LogLine, says: Payload, *, settled: bool, by_master: bool = False
    ) -> None:
        """Count a line and what it says.

        `settled`: it rolled dice or passed the turn on, which cannot be undone. `by_master`: a
        request of the game master adds it, whose own line is counted.
        """
        if self._is_change(line, says):
            if not by_master:
                self.changes[line.seat] = self.changes.get(line.seat, 0) + 1
                self.changes_of_game[line.seat] = self.changes_of_game.get(line.seat, 0) + 1
        elif line.kind not in _NO_PROGRESS:
            self.progress += 1
        if line.kind is LineKind.UNDO:
            self.progress -= 1  # of the action that it takes back
        if settled:
            self.changes.clear()

    def _is_change(self, line: LogLine, says: Payload) -> bool:
        """Whether a line is a change of mind of its seat, and no progress."""
        match says:
            case log_lines.Acted(action):
                self._idle_orders.discard(line.seat)
                out_of_turn = line.decision == NO_DECISION and not isinstance(action, Resign)
                return out_of_turn or isinstance(action, REPEATABLE)
            case log_lines.Undone() | log_lines.MasterOrder():
                return True
            case log_lines.VoteCast():  # to withdraw a vote must always be possible
                return not says.withdrawn
            case log_lines.Away():
                return says.absence is not None
            case log_lines.DicePresence():  # that a client is lost is the server's word
                return says.word != log_lines.LOST
            case log_lines.Orders():
                self._idle_orders.add(line.seat)
            case log_lines.OrdersReport() if line.seat in self._idle_orders:
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
