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
)
from rubicon.table.settings_form import LABELS, settings_page, settings_table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tables.md"


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text("utf-8") == settings_page()


def test_every_setting_has_a_meaning() -> None:
    assert [row.name for row in settings_table()] == list(MEANINGS)


def test_rows_have_what_a_form_needs() -> None:
    rows = {row.name: row for row in settings_table(dice_server=False)}
    assert list(LABELS) == list(rows)
    clock, bank, chat, dice = (rows[name] for name in ("clock", "bank", "chat", "dice"))
    assert [choice.value for choice in clock.choices] == ["none", "live", "days"]
    assert chat.choices[1].help == "a few set phrases."
    assert (bank.type, bank.low, bank.seconds, bank.high) == ("number", 0, True, 400 * 86_400)
    assert not rows["absence_days"].seconds
    assert (rows["spectators"].type, rows["fill"].type) == ("flag", "text")
    assert "independent" not in [choice.value for choice in dice.choices]
    assert bank.defaults == {"none": "86400", "live": "180", "days": "86400"}


def test_a_live_game_has_minutes_and_not_days() -> None:
    live = Settings.opened({"clock": "live"})
    assert (live.decision_time, live.bank, live.timeout_policy) == (60, 180, TimeoutPolicy.BOT)
    assert max(live.bank, live.bank_most, live.decision_time) <= 600
    assert Settings.opened({"clock": "live", "decision_time": 30}).bank == 180


def test_what_is_given_replaces_the_defaults_of_the_clock() -> None:
    given = {"clock": "live", "bank": 900, "timeout_policy": "wait"}
    opened = Settings.opened(given)
    assert (opened.bank, opened.bank_most) == (900, 900)
    assert opened.timeout_policy is TimeoutPolicy.WAIT
    assert Settings.opened({"clock": "live", "bank": 900, "bank_most": 60}).bank_most == 60


@pytest.mark.parametrize("clock", ["none", "days"])
def test_other_clocks_have_the_common_defaults(clock: str) -> None:
    assert Settings.opened({"clock": clock}) == Settings.read({"clock": clock})


def test_a_stored_table_keeps_its_settings() -> None:
    assert Settings.read({"clock": "live"}).bank == DEFAULT.bank
    opened = Settings.opened({"clock": "live"})
    assert Settings.read(json.loads(opened.text())) == opened


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
