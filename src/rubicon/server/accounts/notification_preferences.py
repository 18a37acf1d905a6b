"""What an account wants to be told, when, and in which form. Stored as JSON in its settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, time, timedelta, tzinfo
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from rubicon.suggestions import LONGEST, nearest
from rubicon.table.errors import TableError

_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
HOURS = range(24)
CITY_LIKENESS = 0.75  # from 0 to 1: names of cities are short


class NewsWay(StrEnum):
    """How news of one sort is sent."""

    AT_ONCE = "at-once"
    DIGEST = "digest"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationPreferences:
    """The preferences of an account; times of day are local, as HH:MM.

    Attacks on its own seats are always told at once: see `quiet_end` for the only delay.
    """

    emails: bool = True
    text_only: bool = False  # no HTML part
    picture: bool = True  # of the map
    awards: NewsWay = NewsWay.AT_ONCE  # of the other players
    dice_of_others: NewsWay = NewsWay.DIGEST
    timezone: str = "UTC"  # IANA name
    quiet_from: str = ""  # "" for no quiet hours
    quiet_until: str = ""
    digest_hour: int = 8

    @staticmethod
    def read(settings: Mapping[str, Any]) -> NotificationPreferences:
        """From the settings of an account; what is not known there has its default."""
        names = {field.name for field in fields(NotificationPreferences)}
        known = {name: value for name, value in settings.items() if name in names}
        for name in ("awards", "dice_of_others"):
            if name in known:
                known[name] = NewsWay(known[name])
        return NotificationPreferences(**known)

    def as_dict(self) -> dict[str, Any]:
        """All preferences, as they are stored and sent."""
        return asdict(self)

    def check(self) -> None:
        """TableError where a time zone, a time or an hour is none."""
        if self.timezone not in timezones():
            hint = _near_timezones(self.timezone) or "Write it as Europe/Paris."
            message = f"There is no time zone {self.timezone[:40]!r}."
            raise TableError("preferences/timezone", message, hint)
        if bool(self.quiet_from) != bool(self.quiet_until):
            message = "Quiet hours need a beginning and an end."
            raise TableError("preferences/quiet-hours", message, "Send both, or both empty.")
        for moment in filter(None, (self.quiet_from, self.quiet_until)):
            if not _TIME.fullmatch(moment):
                message = f"{moment[:20]!r} is not a time of day."
                raise TableError("preferences/quiet-hours", message, "Write it as 22:30.")
        if self.digest_hour not in HOURS:
            message = f"The hour of the digest cannot be {self.digest_hour}."
            raise TableError("preferences/digest-hour", message, "It is from 0 to 23.")

    def quiet_end(self, at: int) -> int | None:
        """When the quiet hours end that a moment lies in; None outside them (ms since 1970)."""
        if not self.quiet_from or self.quiet_from == self.quiet_until:
            return None
        begin, end = time.fromisoformat(self.quiet_from), time.fromisoformat(self.quiet_until)
        local = self._local(at)
        clock = local.time().replace(tzinfo=None)
        quiet = begin <= clock < end if begin < end else clock >= begin or clock < end
        return self._next(local, end) if quiet else None

    def next_digest(self, at: int) -> int:
        """When the next daily digest after a moment is due (ms since 1970)."""
        return self._next(self._local(at), time(self.digest_hour))

    def _local(self, at: int) -> datetime:
        return datetime.fromtimestamp(at / 1000, UTC).astimezone(_zone(self.timezone))

    def _next(self, local: datetime, wanted: time) -> int:
        """The next moment with this time of day; on a day that skips it, the moment after."""
        days = 0 if local.time().replace(tzinfo=None) < wanted else 1
        moment = datetime.combine(local.date() + timedelta(days=days), wanted, local.tzinfo)
        return int(moment.timestamp() * 1000)


@cache
def timezones() -> frozenset[str]:
    """The names of the time zones that this machine knows."""
    return frozenset(available_timezones()) | {"UTC"}


def timezone_named(words: str) -> str:
    """The time zone of a name in any letter case, with spaces for `_`; else the words again."""
    wanted = words.strip().replace(" ", "_").casefold()
    return next((name for name in timezones() if name.casefold() == wanted), words)


def _near_timezones(name: str) -> str:
    """`Did you mean 'Europe/Berlin'?`, by the whole name, or by that of the city alone."""
    cities: dict[str, str] = {}
    for zone in sorted(timezones()):
        cities[zone.rpartition("/")[2].casefold()] = zone
    asked = name.strip().replace(" ", "_").rpartition("/")[2].casefold()
    if asked in cities:
        return f"Did you mean {cities[asked]!r}?"
    if near := nearest(name, sorted(timezones())):
        return near
    close = get_close_matches(asked[:LONGEST], list(cities), 1, CITY_LIKENESS)
    return f"Did you mean {cities[close[0]]!r}?" if close else ""


def _zone(name: str) -> tzinfo:
    """A time zone; UTC where another machine that shares the database knew more of them."""
    return UTC if name == "UTC" or name not in timezones() else ZoneInfo(name)
