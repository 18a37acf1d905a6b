"""The cells of a screen: as wide as what they show, and nothing that a terminal obeys."""

from __future__ import annotations

import pytest

from rubicon.cli.screen.canvas import SECOND, Canvas, columns
from rubicon.cli.screen.cells import changes


def signs(canvas: Canvas, y: int = 0) -> list[str]:
    """The signs of a row."""
    return [cell.sign for cell in canvas.rows[y]]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("漢a", f"漢{SECOND}a"),
        (f"漢{SECOND}a", f"漢{SECOND}a"),
        ("e\u0301 a\u0301\u0302\u0302\u0302", "é á"),
        ("\x1b[2J\n\u202e\u200b", "�[2J ��"),
    ],
)
def test_a_text_has_one_character_a_column(text: str, shown: str) -> None:
    assert columns(text) == shown
    assert columns(shown) == shown


def test_a_wide_sign_takes_two_cells_and_no_half_of_it_stays() -> None:
    canvas = Canvas(6, 2)
    assert canvas.put(0, 0, "a漢字b") == 6
    assert signs(canvas) == ["a", "漢", "", "字", "", "b"]
    canvas.put(2, 0, "x")
    assert signs(canvas) == ["a", " ", "x", "字", "", "b"]
    canvas.put(3, 0, "y")
    assert signs(canvas) == ["a", " ", "x", "y", " ", "b"]
    canvas.put(5, 0, "漢")
    assert signs(canvas)[5] == " "
    canvas.put(-1, 1, "漢字")
    assert signs(canvas, 1) == [" ", "字", "", " ", " ", " "]


def test_the_second_half_of_a_wide_sign_is_not_sent() -> None:
    before, after = Canvas(4, 1), Canvas(4, 1)
    after.put(0, 0, "漢ab")
    assert changes(before.rows, after.rows, None) == "\x1b[1;1H\x1b[0m漢\x1b[1;3Hab\x1b[0m"
