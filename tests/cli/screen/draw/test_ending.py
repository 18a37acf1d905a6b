"""The end of a game on the screen: the chart of who held the world, and every seat's luck."""

from __future__ import annotations

import pytest

from rubicon.cli.screen.canvas import Canvas
from rubicon.cli.screen.draw.ending import Ending, EndingSeat, draw_ending, stacked
from rubicon.cli.screen.themes import DARK, NONE
from tests.cli.screen.at_screen import SIZES

ENDING = Ending(
    headline="You win!",
    length="2 rounds were played.",
    winner="red",
    title="Classic RISK",
    seats=(
        EndingSeat(number=1, colour="red", name="You", territories=42, luck=3.5, luckier=71),
        EndingSeat(number=0, colour="blue", name="Bob", territories=0, luck=-3.5, luckier=29),
    ),
    shares=((21, 21), (10, 32), (0, 42)),
)


@pytest.mark.parametrize("theme", [DARK, NONE], ids=lambda theme: theme.name)
@pytest.mark.parametrize("size", SIZES)
def test_every_size_tells_the_winner_the_luck_and_offers_a_rematch(
    size: tuple[int, int], theme: object
) -> None:
    assert theme in (DARK, NONE)
    chosen = DARK if theme is DARK else NONE
    canvas = draw_ending(*size, chosen, ENDING, lambda w, h: Canvas(w, h).rows, again=True)
    text = canvas.text()
    for words in ("You win!", "2 rounds", "You", "+3.5", "Bob", "−3.5", "Enter play again"):
        assert words in text
    assert "Who held the world" in text


def test_the_chart_gives_each_seat_its_share_the_winner_above() -> None:
    assert stacked(ENDING, (21, 21), 8) == ["red"] * 4 + ["blue"] * 4
    assert stacked(ENDING, (32, 10), 8) == ["red"] * 2 + ["blue"] * 6
    assert stacked(ENDING, (0, 42), 8) == ["red"] * 8
