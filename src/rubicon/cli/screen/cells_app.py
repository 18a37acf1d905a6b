"""What the screens share: one widget of cells, and what becomes of the terminal at their end."""

from __future__ import annotations

from abc import abstractmethod
from typing import TypeVar

from textual.app import App, ComposeResult

from rubicon.cli.screen.canvas import Canvas
from rubicon.cli.screen.cells import CellsWidget
from rubicon.cli.screen.draw.layouts import LEAST, is_at_least
from rubicon.cli.screen.presses import Press
from rubicon.cli.screen.themes import Theme
from rubicon.cli.screen.tty.driver import TerminalDriver, hang_up

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
