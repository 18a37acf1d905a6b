"""Quiet hours and digests in the player's own time, also where clocks are changed."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from rubicon.server.notifications import NewsWay, NotificationPreferences, timezone_named
from rubicon.table.errors import TableError


def moment(text: str, zone: str = "Europe/Paris") -> int:
    """Milliseconds since 1970 of a local time."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


NIGHT = NotificationPreferences(
    timezone="Europe/Paris", quiet_from="22:00", quiet_until="07:30", digest_hour=8
)


@pytest.mark.parametrize(
    ("at", "end"),
    [
        ("2026-01-10T21:59", None),
        ("2026-01-10T22:00", "2026-01-11T07:30"),
        ("2026-01-11T03:00", "2026-01-11T07:30"),
        ("2026-01-11T07:29", "2026-01-11T07:30"),
        ("2026-01-11T07:30", None),
        ("2026-03-29T01:30", "2026-03-29T07:30"),  # summer time begins at 02:00
        ("2026-10-25T01:30", "2026-10-25T07:30"),  # and ends at 03:00
    ],
)
def test_quiet_hours_over_midnight(at: str, end: str | None) -> None:
    found = NIGHT.quiet_end(moment(at))
    assert found == (None if end is None else moment(end))


def test_quiet_hours_in_a_day() -> None:
    siesta = NotificationPreferences(
        timezone="America/New_York", quiet_from="13:00", quiet_until="15:00"
    )
    zone = "America/New_York"
    assert siesta.quiet_end(moment("2026-06-01T12:59", zone)) is None
    assert siesta.quiet_end(moment("2026-06-01T14:00", zone)) == moment("2026-06-01T15:00", zone)


def test_no_quiet_hours_by_default() -> None:
    assert NotificationPreferences().quiet_end(moment("2026-01-10T23:00")) is None


@pytest.mark.parametrize(
    ("at", "digest"),
    [
        ("2026-01-10T07:59", "2026-01-10T08:00"),
        ("2026-01-10T08:00", "2026-01-11T08:00"),
        ("2026-03-28T12:00", "2026-03-29T08:00"),
    ],
)
def test_the_next_digest(at: str, digest: str) -> None:
    assert NIGHT.next_digest(moment(at)) == moment(digest)


def test_stored_preferences_are_read_again_among_other_settings() -> None:
    wanted = NotificationPreferences(awards=NewsWay.NEVER, timezone="Asia/Tokyo", text_only=True)
    assert NotificationPreferences.read(wanted.as_dict() | {"blocked": []}) == wanted
    assert NotificationPreferences.read({"emails": False}).emails is False


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"timezone": "Europe/Pariss"}, "preferences/timezone"),
        ({"timezone": "../../etc/passwd"}, "preferences/timezone"),
        ({"quiet_from": "22:00"}, "preferences/quiet-hours"),
        ({"quiet_from": "25:00", "quiet_until": "07:00"}, "preferences/quiet-hours"),
        ({"digest_hour": 24}, "preferences/digest-hour"),
    ],
)
def test_what_is_no_preference_is_refused(values: dict[str, object], code: str) -> None:
    with pytest.raises(TableError) as refused:
        NotificationPreferences.read(values).check()
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("named", "meant"),
    [
        ("Berlin", "Europe/Berlin"),
        ("Berln", "Europe/Berlin"),
        ("Europe/Pariss", "Europe/Paris"),
        ("new york", "America/New_York"),
    ],
)
def test_an_unknown_time_zone_suggests_a_near_one(named: str, meant: str) -> None:
    with pytest.raises(TableError) as caught:
        NotificationPreferences(timezone=timezone_named(named)).check()
    assert caught.value.suggestion == f"Did you mean {meant!r}?"


def test_a_time_zone_is_found_in_any_letter_case() -> None:
    assert timezone_named(" america/new york ") == "America/New_York"
    assert timezone_named("nowhere") == "nowhere"
