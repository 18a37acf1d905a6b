"""Absences: a seat says from when to when it is away, and whether a bot plays meanwhile."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from rubicon.table.errors import TableError

MOST_DAYS = 21  # at once
_TEXT = re.compile(r"(\d{4}-\d{2}-\d{2}) (\d{4}-\d{2}-\d{2})(?: ([a-z][a-z0-9_-]{0,19}))?")


@dataclass(frozen=True, slots=True)
class Absence:
    """From the first moment to the last, in milliseconds since 1970; days count in UTC."""

    first: int
    until: int
    bot: str

    @property
    def days(self) -> int:
        """How many days it lasts."""
        return (self.until - self.first) // 86_400_000

    def holds(self, at: int) -> bool:
        """Whether the seat is away at a moment."""
        return self.first <= at < self.until

    @staticmethod
    def parse(text: str) -> Absence:
        """From `2026-12-24 2026-12-31 greedy`; TableError where it is none."""
        found = _TEXT.fullmatch(text.strip().lower())
        if not found:
            message = f"{text[:60]!r} is no absence."
            raise TableError("absence/text", message, "Write: 2026-12-24 2026-12-31, then a bot.")
        try:
            first, last = (date.fromisoformat(found[n]) for n in (1, 2))
            until = last + timedelta(days=1)
        except (ValueError, OverflowError) as error:
            message = f"{text[:60]!r} has a day that is in no calendar."
            raise TableError("absence/text", message, "") from error
        if last < first:
            raise TableError("absence/order", "The last day is before the first.", "")
        return Absence(_moment(first), _moment(until), found[3] or "")


def check_absence(absence: Absence, at: int, days_before: int, most: int) -> None:
    """TableError where an absence is over already, too long, or more than the table allows."""
    if absence.until <= at:
        raise TableError("absence/past", "These days are over already.", "")
    if absence.days > MOST_DAYS:
        message = f"{absence.days} days are too many at once."
        raise TableError("absence/too-long", message, f"At most {MOST_DAYS}.")
    if days_before + absence.days > most:
        message = f"With {absence.days} more days you would be away for {days_before} + them."
        raise TableError("absence/too-many", message, f"This table allows {most} days in all.")


def _moment(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
