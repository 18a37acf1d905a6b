"""Moments in the words of e-mails."""

import pytest

from rubicon.mail.writing.scene import DAY, HOUR, MINUTE, LocalTime, time_left

SUMMER, WINTER = 1_784_138_400_000, 1_795_546_800_000  # 15 July and 24 November 2026


@pytest.mark.parametrize(
    ("zone", "at", "words"),
    [
        ("Europe/Paris", WINTER, "Tuesday 24 November 2026, 20:00 in Paris (UTC+1)"),
        ("Europe/Paris", SUMMER, "Wednesday 15 July 2026, 20:00 in Paris (UTC+2)"),
        ("Asia/Kolkata", WINTER, "Wednesday 25 November 2026, 00:30 in Kolkata (UTC+5:30)"),
        ("America/New_York", WINTER, "Tuesday 24 November 2026, 14:00 in New York (UTC-5)"),
        ("UTC", WINTER, "Tuesday 24 November 2026, 19:00 UTC"),
        ("No/Such", WINTER, "Tuesday 24 November 2026, 19:00 in Such (UTC)"),
    ],
)
def test_a_moment_is_told_in_the_players_own_place(zone: str, at: int, words: str) -> None:
    assert str(LocalTime(at, zone)) == words


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (-HOUR, "less than two minutes"),
        (MINUTE, "less than two minutes"),
        (90 * MINUTE, "90 minutes"),
        (47 * HOUR, "47 hours"),
        (5 * DAY, "5 days"),
    ],
)
def test_what_remains_is_told_in_the_largest_unit(left: int, words: str) -> None:
    assert time_left(left) == words
