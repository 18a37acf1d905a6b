"""The widget that shows a canvas: only cells that have changed are sent to the terminal."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from rubicon.cli.screen.canvas import Canvas, Cell, Look
from rubicon.cli.screen.presses import Press
from rubicon.cli.screen.tty.changes import changes

# As rich names them.
COLOURS = {
    "truecolor": ColorSystem.TRUECOLOR,
    "256": ColorSystem.EIGHT_BIT,
    "standard": ColorSystem.STANDARD,
}


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
    """The whole screen. The library draws it whole; what changes then goes past the library.

    The library would send whole rows: ten times as much. `send` writes to the terminal, `redraw`
    shows the cells of another size.
    """

    DEFAULT_CSS = "CellsWidget { width: 100%; height: 100%; }"

    def __init__(
        self,
        on_press: Callable[[Press], None],
        send: Callable[[str], None],
        redraw: Callable[[], None],
    ) -> None:
        super().__init__()
        self.on_press = on_press
        self.send = send
        self.redraw = redraw
        self.rows: list[list[Cell]] = []

    def show(self, canvas: Canvas) -> None:
        """Show other cells."""
        before, self.rows = self.rows, [list(row) for row in canvas.rows]
        if len(before) != len(self.rows) or not before or len(before[0]) != len(self.rows[0]):
            self.refresh()
            return
        console = self.app.console
        colours = None if console.no_color else COLOURS.get(console.color_system or "")
        text = changes(before, self.rows, colours)
        if text:
            self.send(text)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of now: the library's own copies would be those of its last drawing."""
        return [self._row(y).crop(crop.x, crop.right) for y in range(crop.y, crop.bottom)]

    def _row(self, y: int) -> Strip:
        if y >= len(self.rows) or not self.rows[y]:
            return Strip.blank(self.size.width)
        return strip_of(self.rows[y]).crop_extend(0, self.size.width, None)

    def on_resize(self) -> None:
        """Draw at the new size, which the program itself knows only now.

        Every cell is drawn: a terminal that became larger and smaller again has lost some.
        """
        self.redraw()
        self.refresh()

    def on_key(self, event: events.Key) -> None:
        """Give a key to the game."""
        if event.key in ("ctrl+c", "ctrl+q"):
            return
        event.stop()
        event.prevent_default()
        if event.key == "ctrl+z":
            self.app.action_suspend_process()
            return
        sign = event.character if event.is_printable and event.character else ""
        self.on_press(Press(event.key, sign))
