"""Shows a canvas on the terminal, and reads keys and clicks."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from rich.cells import cell_len
from rich.color import Color, ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from rubicon.cli.screen.canvas import Canvas, Cell, Look, Theme
from rubicon.cli.screen.desk import Press
from rubicon.cli.screen.layouts import LEAST, is_at_least

# What a terminal must be sent so that it shows other cells: the signs that differ, no more.
#
# A screen over a slow line is as fast as it is short. The sequences are those of ECMA-48 that
# every terminal of the full screen knows: to a place, some columns on, and the look of what
# follows.

Rows = Sequence[Sequence[Cell]]
RESET = "\x1b[0m"
FEW = 3  # equal cells of the same look between two that differ are shorter than a movement


def changes(before: Rows, after: Rows, colours: ColorSystem | None) -> str:
    """The text that turns one screen into another of the same size; "" where nothing differs.

    `colours` are those that the terminal knows; None for none. Expects the plain look, and leaves
    it behind.
    """
    pen = Pen(colours)
    parts = [
        part
        for y, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
        for part in _of_row(y, old, new, pen)
    ]
    return "".join([*parts, RESET]) if parts else ""


class Pen:
    """The look that the terminal writes with now."""

    def __init__(self, colours: ColorSystem | None) -> None:
        self._colours = colours
        self.look: Look | None = None

    def taken_up(self, look: Look) -> str:
        """The sequence for another look: only what differs."""
        before, self.look = self.look, look
        if before == look:
            return ""
        codes: list[str] = []
        if before is None or (before.bold, before.reverse) != (look.bold, look.reverse):
            codes += ["0", *(["1"] if look.bold else []), *(["7"] if look.reverse else [])]
            before = Look()  # after a reset
        if before.ink != look.ink:
            codes += _codes(look.ink, self._colours, ink=True)
        if before.ground != look.ground:
            codes += _codes(look.ground, self._colours, ink=False)
        return f"\x1b[{';'.join(codes)}m" if codes else ""


def _of_row(y: int, old: Sequence[Cell], new: Sequence[Cell], pen: Pen) -> list[str]:
    parts: list[str] = []
    at = -1  # the terminal's column, where it is known to be in this row
    for x, cell in enumerate(new):
        if cell == old[x] or not cell.sign:  # the second half of a wide sign comes with the first
            continue
        gap = x - at
        if at < 0:
            parts.append(f"\x1b[{y + 1};{x + 1}H")
        elif 0 < gap <= FEW and all(between.look == pen.look for between in new[at:x]):
            parts.append("".join(between.sign for between in new[at:x]))
        elif gap:
            parts.append(f"\x1b[{gap}C" if gap > 1 else "\x1b[C")
        parts += pen.taken_up(cell.look), cell.sign
        # Nobody knows how wide a terminal draws such a sign: the next one is placed anew.
        at = x + 1 if cell_len(cell.sign) == 1 else -1
    return parts


@lru_cache(maxsize=1024)
def _codes(colour: str | None, colours: ColorSystem | None, *, ink: bool) -> tuple[str, ...]:
    """The parameters of a colour as the terminal knows it."""
    if colours is None:
        return ()
    if colour is None:
        return ("39",) if ink else ("49",)
    return tuple(Color.parse(colour).downgrade(colours).get_ansi_codes(foreground=ink))


# The library's driver for a terminal, made to bear what terminals do.


class TerminalDriver(LinuxDriver):
    """Writes to standard output, so that standard error may be a file; reads any bytes."""

    def __init__(
        self,
        app: App[object],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = sys.__stdout__

    def run_input_thread(self) -> None:
        """Read keys until the end; bytes that are not UTF-8 are dropped."""
        while not self.exit_event.is_set():
            try:
                super().run_input_thread()
            except UnicodeDecodeError:
                continue
            except OSError:
                hang_up()
                return

    def _sigcont_application(self, *_: object) -> None:
        """Go on behind a stop; the library would begin a second time where there was none."""
        if self._must_signal_resume:
            super()._sigcont_application()
        else:
            resumed = self._app._post_message(self.SignalResume())
            asyncio.run_coroutine_threadsafe(resumed, self._loop)

    @property
    def is_gone(self) -> bool:
        """Whether the window is closed: then every reading is answered at once, with nothing."""
        return not os.isatty(self.fileno)


def hang_up() -> None:
    """End as when the window is closed: not every system says so by itself."""
    os.kill(os.getpid(), signal.SIGHUP)


# The widget that shows a canvas: only cells that have changed are sent to the terminal.

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


# What the screens share: one widget of cells, and what becomes of the terminal at their end.

LOOK = 1.0  # seconds between two looks whether the terminal is there
Result = TypeVar("Result")


class CellsApp(App[Result]):
    """A screen that is drawn as cells."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Rubicon"

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.look = theme
        self.cells = CellsWidget(self.press, self.send_to_terminal, self.redraw)

    @abstractmethod
    def canvas(self, width: int, height: int) -> Canvas:
        """The screen of now at a size."""

    @abstractmethod
    def press(self, press: Press) -> None:
        """Carry out a key."""

    def compose(self) -> ComposeResult:
        """The cells alone."""
        yield self.cells

    def redraw(self) -> None:
        """Draw the screen of now."""
        width, height = self.size
        if width and height:
            self.cells.show(self.canvas(width, height))

    def send_to_terminal(self, text: str) -> None:
        """Write what has changed, past the library."""
        if self._driver is not None:
            self._driver.write(text)
            self._driver.flush()


class TerminalApp(CellsApp[Result]):
    """A screen that ends with its terminal, and whose own errors show no value of the program."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.fault: Exception | None = None  # of the screen itself

    def begin_drawing(self) -> None:
        """Draw the first time, and look after the terminal from now on."""
        # Not `on_mount`: the library calls that of each class, the subclass's first.
        self.cells.focus()
        self.app_resume_signal.subscribe(self, lambda _: self.draw_whole())
        self.set_interval(LOOK, self.look_at_terminal)
        self.redraw()

    @property
    def too_small(self) -> bool:
        """Whether the terminal is smaller than any layout."""
        return not is_at_least(*self.size, LEAST)

    def draw_whole(self) -> None:
        """Draw every cell: another program has had the terminal."""
        self.cells.refresh()

    def look_at_terminal(self) -> None:
        """End where the terminal is gone."""
        if isinstance(self._driver, TerminalDriver) and self._driver.is_gone:
            hang_up()

    def let_terminal_go(self) -> None:
        """Read no more keys, however the screen has ended: the program would wait for that."""
        if isinstance(self._driver, TerminalDriver):
            self._driver.exit_event.set()

    def _handle_exception(self, error: Exception) -> None:
        self.fault = self.fault or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End; the library would print all values too: hidden hands and tokens among them."""
        self._close_messages_no_wait()
