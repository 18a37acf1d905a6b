"""What is sent to a terminal makes it show the other screen, whatever was there before."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem

from rubicon.cli.screen.canvas import Cell, Look
from rubicon.cli.screen.cells import changes

WIDTH, HEIGHT = 12, 3
COLOURS = st.sampled_from([None, "#ff0000", "#00ff80", "#102030"])
LOOKS = st.builds(Look, COLOURS, COLOURS, st.booleans(), st.booleans())
CELLS = st.builds(Cell, st.sampled_from(" ab▀→9"), LOOKS)
SCREENS = st.lists(
    st.lists(CELLS, min_size=WIDTH, max_size=WIDTH), min_size=HEIGHT, max_size=HEIGHT
)
BLANK = [[Cell("\0", Look())] * WIDTH] * HEIGHT  # differs from every screen


def terminal() -> tuple[pyte.Screen, pyte.Stream]:
    screen = pyte.Screen(WIDTH, HEIGHT)
    return screen, pyte.Stream(screen)


def shown(screen: pyte.Screen) -> list[list[Cell]]:
    """The cells of a terminal."""
    return [
        [
            Cell(cell.data, Look(_hex(cell.fg), _hex(cell.bg), cell.bold, cell.reverse))
            for cell in (screen.buffer[y][x] for x in range(WIDTH))
        ]
        for y in range(HEIGHT)
    ]


def _hex(colour: str) -> str | None:
    return None if colour == "default" else f"#{colour}"


@given(SCREENS, SCREENS)
def test_the_terminal_shows_the_other_screen(
    before: list[list[Cell]], after: list[list[Cell]]
) -> None:
    screen, stream = terminal()
    stream.feed(changes(BLANK, before, ColorSystem.TRUECOLOR))
    assert shown(screen) == before
    stream.feed(changes(before, after, ColorSystem.TRUECOLOR))
    assert shown(screen) == after


@given(SCREENS)
def test_nothing_is_sent_where_nothing_differs(screen: list[list[Cell]]) -> None:
    assert changes(screen, [list(row) for row in screen], ColorSystem.TRUECOLOR) == ""


def test_one_sign_costs_few_bytes() -> None:
    before = [[Cell("a", Look("#ff0000", "#102030"))] * 120 for _ in range(40)]
    after = [list(row) for row in before]
    after[20][60] = Cell("b", Look("#ff0000", "#102030"))
    assert len(changes(before, after, ColorSystem.TRUECOLOR)) < 60


@pytest.mark.parametrize(
    ("colours", "sent"),
    [(ColorSystem.EIGHT_BIT, "38;5;"), (ColorSystem.STANDARD, "31"), (None, "\x1b[1;1H\x1b[0mb")],
)
def test_colours_are_those_that_the_terminal_knows(colours: ColorSystem | None, sent: str) -> None:
    after = [[Cell("b", Look("#ff0000"))]]
    assert sent in changes([[Cell("a", Look())]], after, colours)
