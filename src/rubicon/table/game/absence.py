"""Absences: the days on which a seat is away, and the bot that plays for it, if any."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from rubicon.table.errors import TableError

MAX_DAYS = 21  # in one absence
_TEXT = re.compile(r"(\d{4}-\d{2}-\d{2}) (\d{4}-\d{2}-\d{2})(?: ([a-z][a-z0-9_-]{0,19}))?")


@dataclass(frozen=True, slots=True)
class Absence:
    """From `first` until before `until`, in milliseconds since 1970; days are days in UTC."""

    first: int
    until: int
    bot: str

    @property
    def days(self) -> int:
        """Its length in days."""
        return (self.until - self.first) // 86_400_000

    def covers(self, at: int) -> bool:
        """Whether the seat is away at a moment."""
        return self.first <= at < self.until

    def __str__(self) -> str:
        last = self.until - 86_400_000
        return " ".join(part for part in (_day(self.first), _day(last), self.bot) if part)

    @staticmethod
    def parse(text: str) -> Absence:
        """From `2026-12-24 2026-12-31 greedy`, the bot optional; TableError for any other text."""
        found = _TEXT.fullmatch(text.strip().lower())
        if not found:
            message = f"{text[:60]!r} is not an absence."
            hint = "Write the first and the last day: 2026-12-24 2026-12-31"
            raise TableError("absence/text", message, hint)
        try:
            first, last = (date.fromisoformat(found[n]) for n in (1, 2))
            until = last + timedelta(days=1)
        except (ValueError, OverflowError) as error:
            message = f"{text[:60]!r} has a day that does not exist."
            raise TableError("absence/text", message, "") from error
        if last < first:
            raise TableError("absence/order", "The last day is before the first.", "")
        return Absence(_moment(first), _moment(until), found[3] or "")


def check_absence(absence: Absence, at: int, days_before: int, most: int) -> None:
    """TableError where an absence is over, too long, or exceeds `most` days in all."""
    if absence.until <= at:
        raise TableError("absence/past", "These days are over already.", "")
    if absence.days > MAX_DAYS:
        message = f"An absence of {absence.days} days is too long."
        raise TableError("absence/too-long", message, f"An absence has at most {MAX_DAYS} days.")
    if days_before + absence.days > most:
        message = f"You would be away for {days_before + absence.days} days in all."
        raise TableError("absence/too-many", message, f"This table allows {most} days in all.")


def _day(moment: int) -> str:
    return datetime.fromtimestamp(moment / 1000, UTC).date().isoformat()


def _moment(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
