"""The settings of a table: read strictly, written briefly, documented from one table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubicon.table.errors import TableError
from rubicon.table.settings import (
    DEFAULT,
    MEANINGS,
    Chat,
    Clock,
    Settings,
    TimeoutPolicy,
    settings_table,
)
from rubicon.table.settings_page import settings_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tables.md"


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text("utf-8") == settings_page()


def test_every_setting_has_a_meaning() -> None:
    assert [row.name for row in settings_table()] == list(MEANINGS)


def test_what_is_written_is_read_again() -> None:
    settings = Settings(
        clock=Clock.LIVE, decision_time=30, timeout_policy=TimeoutPolicy.BOT, chat=Chat.CANNED
    )
    assert Settings.read(json.loads(settings.text())) == settings
    assert DEFAULT.text() == "{}"


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"speed": 3}, "settings/unknown"),
        ({"clock": "slow"}, "settings/bad-value"),
        ({"decision_time": -1}, "settings/bad-value"),
        ({"decision_time": 4}, "settings/bad-value"),
        ({"void_after": 0}, "settings/bad-value"),
        ({"decision_time": True}, "settings/bad-value"),
        ({"decision_time": 1.5}, "settings/bad-value"),
        ({"decision_time": 10**12}, "settings/bad-value"),
        ({"spectators": 1}, "settings/bad-value"),
        ({"substitute": "x" * 41}, "settings/bad-value"),
        ({"chat": ["open"]}, "settings/bad-value"),
        ({"absence_days": -1}, "settings/bad-value"),
        ({"absence_days": 366}, "settings/bad-value"),
    ],
)
def test_what_cannot_be_is_refused_by_name(values: dict[str, object], code: str) -> None:
    with pytest.raises(TableError) as caught:
        Settings.read(values)
    assert caught.value.code == code
    assert next(iter(values)) in caught.value.message


def test_days_of_absence_are_bounded_and_the_error_says_how() -> None:
    for days in (0, 1, 365):
        assert Settings.read({"absence_days": days}).absence_days == days
    with pytest.raises(TableError) as caught:
        Settings.read({"absence_days": 1_000_000})
    assert str(caught.value).startswith(
        "The setting absence_days cannot be '1000000'. It is a whole number from 0 to 365."
    )
