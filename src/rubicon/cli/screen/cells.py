"""The widget that shows a canvas: only rows that have changed are sent to the terminal."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from rubicon.cli.screen.canvas import Canvas, Cell, Look
from rubicon.cli.screen.presses import Press


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


class CellsWidget(Widget, can_focus=True):
    """The whole screen: rows that are drawn again only where they have changed."""

    DEFAULT_CSS = "CellsWidget { width: 100%; height: 100%; }"

    def __init__(self, on_press: Callable[[Press], None]) -> None:
        super().__init__()
        self.on_press = on_press
        self.rows: list[list[Cell]] = []

    def show(self, canvas: Canvas) -> None:
        """Show other cells."""
        before, self.rows = self.rows, canvas.rows
        if len(before) != len(self.rows):
            self.refresh()
            return
        changed = [y for y, row in enumerate(self.rows) if row != before[y]]
        if changed:
            self.refresh(*(Region(0, y, canvas.width, 1) for y in changed))

    def render_line(self, y: int) -> Strip:
        """One row."""
        if y >= len(self.rows):
            return Strip.blank(self.size.width)
        return strip_of(self.rows[y]).crop_extend(0, self.size.width, None)

    def on_key(self, event: events.Key) -> None:
        """Give a key to the game."""
        if event.key in ("ctrl+c", "ctrl+q"):
            return
        event.stop()
        event.prevent_default()
        sign = event.character if event.is_printable and event.character else ""
        self.on_press(Press(event.key, sign))
