"""Clocks: how long each seat has, told by the times of the log's lines alone.

So a game that is rebuilt has the same clocks. The rows of `schema.clock` are only an index of what
is due next.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rubicon.table.settings import Clock, Settings

SECOND = 1000
WARNING_SHARE = 4  # a warning comes when a quarter of the duty's time is left


@dataclass
class SeatClock:
    """One seat's time, in milliseconds; `since` None while nothing is asked of it."""

    bank: int
    since: int | None = None
    acted: int | None = None  # its first act of the turn that is under way


@dataclass
class Clocks:
    """The clocks of one game."""

    settings: Settings
    seats: dict[str, SeatClock] = field(default_factory=dict)
    stopped_at: int | None = None  # while the game is paused

    @property
    def running(self) -> bool:
        """Whether anybody can be late here."""
        return self.settings.clock is not Clock.NONE and self.stopped_at is None

    def begin(self, colours: tuple[str, ...]) -> None:
        """Every seat's bank, full."""
        self.seats = {colour: SeatClock(self.settings.bank * SECOND) for colour in colours}

    def asked(self, seat: str, at: int) -> None:
        """Something is asked of a seat from here on."""
        self.seats[seat].since = at if self.stopped_at is None else self.stopped_at

    def answered(self, seat: str, at: int, *, acted: bool) -> None:
        """What was asked was answered, or is asked no more; the bank pays for what was too long."""
        clock = self.seats[seat]
        if clock.since is None:
            return
        late = at - clock.since - self.settings.duty_time * SECOND
        clock.bank = max(0, clock.bank - max(0, late))
        clock.since = None
        if acted and clock.acted is None:
            clock.acted = at

    def turn_ended(self, seat: str) -> None:
        """The seat's turn is over: the bank grows."""
        clock = self.seats[seat]
        most = max(clock.bank, self.settings.bank_most * SECOND)
        clock.bank = min(most, clock.bank + self.settings.bank_gain * SECOND)
        clock.acted = None

    def extend(self, seat: str) -> None:
        """Once more the time of a duty."""
        clock = self.seats[seat]
        if clock.since is not None:
            clock.since += self.settings.duty_time * SECOND

    def stop(self, at: int) -> None:
        """All clocks stand still."""
        if self.stopped_at is None:
            self.stopped_at = at

    def go_on(self, at: int) -> None:
        """All clocks go on with what was left."""
        if self.stopped_at is None:
            return
        passed = at - self.stopped_at
        for clock in self.seats.values():
            clock.since = None if clock.since is None else clock.since + passed
            clock.acted = None if clock.acted is None else clock.acted + passed
        self.stopped_at = None

    def due(self, seat: str) -> int | None:
        """When the seat's time is over; None while nothing is asked, or nobody can be late."""
        clock = self.seats[seat]
        if not self.running or clock.since is None:
            return None
        due = clock.since + self.settings.duty_time * SECOND + clock.bank
        if self.settings.turn_limit and clock.acted is not None:
            due = min(due, clock.acted + self.settings.turn_limit * SECOND)
        return due

    def warning(self, seat: str) -> int | None:
        """When to remind the seat; None for live games, where a letter comes too late."""
        due = self.due(seat)
        if due is None or self.settings.clock is not Clock.DAYS:
            return None
        return due - self.settings.duty_time * SECOND // WARNING_SHARE
