"""Texts that cannot be read are refused, and names that look alike are found."""

from __future__ import annotations

import pytest

from rubicon.table.lobby.table_request import is_legible, look


@pytest.mark.parametrize(
    "text",
    [
        "Ann",
        "Zoë",
        "Ơ\u0302\u0323",
        "Żółć",
        "ไม้เอก",
        "אבג",
        "山田",
        "Ann \u2764\ufe0f",
        "",
        "O'Neil",
    ],
)
def test_people_may_write_as_they_do(text: str) -> None:
    assert is_legible(text)


@pytest.mark.parametrize(
    "text",
    [
        "\u3164",
        "\u2800",
        "\u115f\u1160",
        "Ann\u1160",
        "a\u034fb",
        "A\ufe00",
        "A\U000e0100",
        "A" + "\u0301" * 4,
        "Z\u0310\u0489\u0334\u0353z",
        "a\u202eb",
        "a\u200bb",
        "a\nb",
    ],
)
def test_what_nobody_can_read_is_found(text: str) -> None:
    assert not is_legible(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "\u0410nna"),  # a Cyrillic A
        ("Anna", "ANNA"),
        ("Anna", "\uff21nna"),
        ("Ann Lee", "Ann  Lee"),
        ("Ann", "Ann\ufe0f"),
        ("Ilse", "llse"),
        ("Bob", "B0b"),
        ("Nikos", "\u039dikos"),  # a Greek N
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert look(one) == look(other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anne"), ("Zoe", "Zoë"), ("Ali", "All")])
def test_other_names_do_not(one: str, other: str) -> None:
    assert look(one) != look(other)
