"""Moments in words: the player's own place and offset, and what remains."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from rubicon.wording import numbered

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000  # milliseconds


@dataclass(frozen=True, slots=True)
class LocalTime:
    """A moment, in milliseconds since 1970, in a player's time zone (an IANA name)."""

    at: int
    zone_name: str = "UTC"

    @property
    def moment(self) -> datetime:
        return datetime.fromtimestamp(self.at / 1000, UTC).astimezone(_zone(self.zone_name))

    def __str__(self) -> str:
        """`Tuesday 24 November 2026, 20:00 in Lyon (UTC+1)`."""
        return f"{self.moment:%A %-d %B %Y, %H:%M} {self.place}"

    @property
    def short(self) -> str:
        """`Tue 24 Nov, 20:00`."""
        return f"{self.moment:%a %-d %b, %H:%M}"

    @property
    def shortest(self) -> str:
        """`Tue 20:00`, for a subject."""
        return f"{self.moment:%a %H:%M}"

    @property
    def place(self) -> str:
        """`in Lyon (UTC+1)`; `UTC` where the player has named no place."""
        if self.zone_name == "UTC":
            return "UTC"
        city = self.zone_name.rpartition("/")[2].replace("_", " ")
        return f"in {city} ({_offset(self.moment.utcoffset())})"


def time_left(left: int) -> str:
    """A span of milliseconds in the largest unit of which there are at least two."""
    if left < 2 * MINUTE:
        return "less than two minutes"
    if left < 2 * HOUR:
        return numbered(left // MINUTE, "minute")
    if left < 3 * DAY:
        return numbered(left // HOUR, "hour")
    return numbered(left // DAY, "day")


def _offset(offset: timedelta | None) -> str:
    minutes = int((offset or timedelta()).total_seconds()) // 60
    if not minutes:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    sign = "+" if minutes > 0 else "-"
    return f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "")


def _zone(name: str) -> tzinfo:
    """The time zone; UTC where this machine does not know it."""
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
