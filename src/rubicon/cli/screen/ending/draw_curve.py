"""Each seat's chance to win as a row of bars in its colour, above the numbers of the rounds."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.cli.screen.canvas import Canvas, Look
from rubicon.cli.screen.draw.parts import badge, quiet, rule
from rubicon.cli.screen.themes import Theme
from rubicon.cli.terminal.display.defence import percent
from rubicon.cli.terminal.display.win_curve import NO_TURN, WinCurve, bar, round_axis, stretched

TITLE = "Chance to win, round by round"
MOST_COLUMNS = 4  # of a turn
HIGHEST = len("  most >99%")
Seats = Sequence[tuple[int, str]]  # the number and the colour of each, from the top


def draw_curves_below(
    canvas: Canvas, theme: Theme, seats: Seats, curve: WinCurve | str, y: int
) -> None:
    """The curves below a title, each with its seat's letter."""
    rule(canvas, theme, 1, y, canvas.width - 2, TITLE)
    for row, (_, colour) in enumerate(seats, y + 1):
        canvas.line(2, row, badge(theme, colour))
    draw_curves(canvas, theme, seats, curve, 6, y + 1)


def draw_curves_beside(
    canvas: Canvas, theme: Theme, seats: Seats, curve: WinCurve | str, x: int, y: int
) -> None:
    """The curves in the rows of a table whose first seat stands in row `y`."""
    canvas.put(x, y - 1, TITLE.lower(), quiet(theme))
    draw_curves(canvas, theme, seats, curve, x, y)


def draw_curves(
    canvas: Canvas, theme: Theme, seats: Seats, curve: WinCurve | str, x: int, y: int
) -> None:
    """A row for each seat and one for the rounds; a text in place of the curves as it is."""
    if isinstance(curve, str) or not curve.rounds:
        canvas.put(x, y, curve if isinstance(curve, str) else NO_TURN, quiet(theme))
        return
    places = stretched(len(curve.rounds), canvas.width - x - HIGHEST - 2, MOST_COLUMNS)
    for row, (seat, colour) in enumerate(seats, y):
        own = curve.of(seat)
        bars = "".join(bar(own[place]) for place in places)
        at = canvas.line(x, row, (bars, Look(ink_of(theme, colour))))
        canvas.put(at, row, f"  most {percent(max(own))}", quiet(theme))
    axis = round_axis([curve.rounds[place] for place in places])
    canvas.put(x, y + len(seats), axis, quiet(theme))


def ink_of(theme: Theme, colour: str) -> str | None:
    """A seat's colour as ink on the page, where black on dark and pale on light are too faint."""
    if theme.name == "light":
        return theme.shades[colour][-1]
    if colour == "black":
        return theme["black-edge"] or theme["ink-3"]
    return theme[colour]
