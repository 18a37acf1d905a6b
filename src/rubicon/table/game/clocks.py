"""Clocks: the time of each seat, computed from the times of the log lines alone.

A game that is rebuilt therefore has the same clocks. The rows of `schema.clock` are only an index
for the sweep of deadlines.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rubicon.table.settings import Clock, Settings

SECOND = 1000
WARNING_SHARE = 4  # the warning comes when a quarter of `decision_time` is left


@dataclass
class SeatClock:
    """The clock of a seat, in milliseconds; `since` is None while no decision is pending."""

    bank: int
    since: int | None = None
    acted: int | None = None  # the time of its first action of the current turn


@dataclass
class Clocks:
    """The clocks of one game."""

    settings: Settings
    seats: dict[str, SeatClock] = field(default_factory=dict)
    paused_at: int | None = None  # while the game is paused

    @property
    def running(self) -> bool:
        """Whether time runs: the table has a clock, and the game is not paused."""
        return self.settings.clock is not Clock.NONE and self.paused_at is None

    def fill_banks(self, colours: tuple[str, ...]) -> None:
        """Start every seat with a full bank."""
        self.seats = {colour: SeatClock(self.settings.bank * SECOND) for colour in colours}

    def start(self, seat: str, at: int) -> None:
        """A decision of a seat is pending from `at` on."""
        self.seats[seat].since = at if self.paused_at is None else self.paused_at

    def finish(self, seat: str, at: int, *, acted: bool) -> None:
        """The decision is no longer pending; the bank pays for time over `decision_time`.

        `acted`: the seat has acted itself, which starts its turn limit.
        """
        clock = self.seats[seat]
        if clock.since is None:
            return
        late = at - clock.since - self.settings.decision_time * SECOND
        clock.bank = max(0, clock.bank - max(0, late))
        clock.since = None
        if acted and clock.acted is None:
            clock.acted = at

    def turn_ended(self, seat: str) -> None:
        """The seat's turn is over: its bank grows by `bank_gain`, up to `bank_most`."""
        clock = self.seats[seat]
        most = max(clock.bank, self.settings.bank_most * SECOND)  # a larger first bank is not cut
        clock.bank = min(most, clock.bank + self.settings.bank_gain * SECOND)
        clock.acted = None

    def extend(self, seat: str) -> None:
        """Add `decision_time` to the pending decision."""
        clock = self.seats[seat]
        if clock.since is not None:
            clock.since += self.settings.decision_time * SECOND

    def pause(self, at: int) -> None:
        """Stop all clocks."""
        if self.paused_at is None:
            self.paused_at = at

    def resume(self, at: int) -> None:
        """Start all clocks again, with the time that was left."""
        if self.paused_at is None:
            return
        passed = at - self.paused_at
        for clock in self.seats.values():
            clock.since = None if clock.since is None else clock.since + passed
            clock.acted = None if clock.acted is None else clock.acted + passed
        self.paused_at = None

    def due(self, seat: str) -> int | None:
        """The seat's deadline; None while no decision is pending, or no clock runs."""
        clock = self.seats[seat]
        if not self.running or clock.since is None:
            return None
        due = clock.since + self.settings.decision_time * SECOND + clock.bank
        if self.settings.turn_limit and clock.acted is not None:
            due = min(due, clock.acted + self.settings.turn_limit * SECOND)
        return due

    def warning(self, seat: str) -> int | None:
        """When to warn the seat; None at live tables, where an e-mail would come too late."""
        due = self.due(seat)
        if due is None or self.settings.clock is not Clock.DAYS:
            return None
        return due - self.settings.decision_time * SECOND // WARNING_SHARE
