"""The end of a game on the screen: the chances to win, who held the world, every seat's luck."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rubicon.cli.screen.canvas import DARK, LIGHT, NONE, SIXTEEN, Canvas, Theme
from rubicon.cli.screen.ending import Ending, EndingSeat, draw_ending, ink_of, stacked
from rubicon.cli.terminal.summary import NO_TURN, WinCurve
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


CURVE = WinCurve(
    rounds=(1, 1, 2, 2, 2),
    chances=((0.5, 0.5), (0.7, 0.3), (0.2, 0.8), (0, 1), (0, 1)),
)


def shown(size: tuple[int, int], curve: WinCurve | str | None, theme: Theme = DARK) -> Canvas:
    return draw_ending(
        *size, theme, ENDING, lambda w, h: Canvas(w, h).rows, again=True, curve=curve
    )


@pytest.mark.parametrize("size", SIZES)
def test_every_seat_has_its_curve_above_the_numbers_of_the_rounds(size: tuple[int, int]) -> None:
    text = shown(size, CURVE).text()
    lines = text.splitlines()
    red = next(at for at, line in enumerate(lines) if "most 100%" in line)
    assert "chance to win, round by round" in text.casefold()
    assert "▄▄▄▄▂▂▂▂▆▆▆▆████████" in lines[red]
    assert "▄▄▄▄▆▆▆▆▂▂▂▂" in lines[red + 1]
    assert "most 70%" in lines[red + 1]
    assert lines[red + 2].split() == ["1", "2"]
    assert lines[red + 2].index("2") - lines[red + 2].index("1") == 8
    assert "Enter play again" in lines[-1]


@pytest.mark.parametrize("size", SIZES)
def test_six_curves_of_a_long_game_leave_the_keys_in_the_last_row(size: tuple[int, int]) -> None:
    colours = ("red", "blue", "green", "yellow", "grey", "black")
    seats = tuple(
        EndingSeat(number=n, colour=colour, name=colour, territories=0, luck=0, luckier=50)
        for n, colour in enumerate(colours)
    )
    rows = tuple(tuple((n + turn) % 6 / 15 for n in range(6)) for turn in range(300))
    curve = WinCurve(rounds=tuple(1 + turn // 6 for turn in range(300)), chances=rows)
    ending = replace(ENDING, seats=seats, shares=((7,) * 6,) * 3)
    canvas = draw_ending(
        *size, DARK, ending, lambda w, h: Canvas(w, h).rows, again=True, curve=curve
    )
    lines = canvas.text().splitlines()
    assert [line.rstrip()[-8:] for line in lines if "most" in line] == ["most 33%"] * 6
    assert "Enter play again" in lines[-1]
    assert any(line.strip().startswith("1 ") for line in lines)


@pytest.mark.parametrize("size", SIZES)
def test_until_the_curves_are_there_a_line_says_how_far_the_work_is(size: tuple[int, int]) -> None:
    text = shown(size, "Being computed: 40%").text()
    assert "Being computed: 40%" in text
    assert "You win!" in text
    assert "Chance to win" not in shown(size, None).text()


@pytest.mark.parametrize("size", SIZES)
def test_a_game_that_ended_before_its_first_turn_has_a_line_instead(size: tuple[int, int]) -> None:
    text = shown(size, WinCurve((), ())).text()
    assert NO_TURN in text
    assert "You win!" in text
    assert "Enter play again" in text.splitlines()[-1]


@pytest.mark.parametrize("theme", [DARK, LIGHT, SIXTEEN], ids=lambda theme: theme.name)
def test_no_curve_has_the_colour_of_the_ground(theme: Theme) -> None:
    for colour in ("red", "blue", "green", "yellow", "grey", "black"):
        assert ink_of(theme, colour) not in (None, theme["paper"])
