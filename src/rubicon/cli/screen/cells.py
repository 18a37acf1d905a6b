"""The widget that shows a canvas: only rows that have changed are sent to the terminal."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.containers import Horizontal
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from rubicon.cli.screen.canvas import Canvas, Cell, Look
from rubicon.cli.screen.presses import Press

BAND = 10  # columns of a widget
WIDEST = 320  # columns of a terminal that are used


@lru_cache(maxsize=4096)
def style_of(look: Look) -> Style:
    """A look as rich writes it."""
    return Style(color=look.ink, bgcolor=look.ground, bold=look.bold, reverse=look.reverse)


def strip_of(row: list[Cell]) -> Strip:
    """A row of cells; cells of one look are one segment."""
    segments: list[Segment] = []
    text, look = "", row[0].look
    for cell in row:
        if cell.look != look:
            segments.append(Segment(text, style_of(look)))
            text, look = "", cell.look
        text += cell.sign
    segments.append(Segment(text, style_of(look)))
    return Strip(segments, len(row))


class Band(Widget):
    """Some columns of the screen: rows that are drawn again only where they have changed.

    The library sends a changed row from the first column of its widget on: narrow widgets keep
    that short.
    """

    DEFAULT_CSS = "Band { height: 100%; }"

    def __init__(self, first: int, columns: int) -> None:
        super().__init__()
        self.first = first
        self.styles.width = columns
        self.columns = columns
        self.rows: list[list[Cell]] = []

    def show(self, rows: list[list[Cell]]) -> None:
        """Show other cells: those of the band's columns."""
        part = slice(self.first, self.first + self.columns)
        before, self.rows = self.rows, [row[part] for row in rows]
        if len(before) != len(self.rows):
            self.refresh()
            return
        changed = [
            Region(0, y, max(1, len(row)), 1) for y, row in enumerate(self.rows) if row != before[y]
        ]
        if changed:
            self.refresh(*changed)

    def render_line(self, y: int) -> Strip:
        """One row."""
        if y >= len(self.rows) or not self.rows[y]:
            return Strip.blank(self.size.width)
        return strip_of(self.rows[y]).crop_extend(0, self.size.width, None)


class CellsWidget(Horizontal, can_focus=True):
    """The whole screen, as bands of columns side by side."""

    DEFAULT_CSS = "CellsWidget { width: 100%; height: 100%; overflow: hidden; }"

    def __init__(self, on_press: Callable[[Press], None]) -> None:
        self.bands = [Band(first, BAND) for first in range(0, WIDEST, BAND)]
        super().__init__(*self.bands)
        self.on_press = on_press
        self.rows: list[list[Cell]] = []

    def show(self, canvas: Canvas) -> None:
        """Show other cells."""
        self.rows = canvas.rows
        for band in self.bands:
            if band.first < canvas.width or band.rows:
                band.show(self.rows)

    def on_key(self, event: events.Key) -> None:
        """Give a key to the game."""
        if event.key in ("ctrl+c", "ctrl+q"):
            return
        event.stop()
        event.prevent_default()
        sign = event.character if event.is_printable and event.character else ""
        self.on_press(Press(event.key, sign))
