"""A screen of cells on a terminal: its modes, its keys and clicks, the cells that have changed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Generic, TypeVar

from prompt_toolkit.input import DummyInput, Input, create_input
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import DummyOutput, Output, create_output
from rich.cells import cell_len
from rich.color import Color, ColorSystem
from rich.console import Console

from rubicon.cli.screen.canvas import LEAST, Canvas, Cell, Look, Theme, is_at_least, page, quiet

Result = TypeVar("Result")
Rows = Sequence[Sequence[Cell]]
RESET = "\x1b[0m"
FEW = 3  # equal cells of the same look between two that differ are shorter than a movement
SECOND = 1.0
# Escape alone and the first byte of an arrow key are the same: so long the rest may take.
ESCAPE_DELAY = 0.1
# Presses and releases, also beyond column 223. The library's `enable_mouse_support` asks for every
# movement of the mouse as well: nothing here uses those, and a slow line would carry them.
CLICKS_ON, CLICKS_OFF = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"
RELEASED = re.compile(r"\x1b\[<0;(\d+);(\d+)m")  # the left button, at a column and a row from 1
UNKNOWN = ("[", "]", "P", "_", "^")  # after an Escape: no key, but an answer of the terminal
# As rich names them.
COLOURS = {
    "truecolor": ColorSystem.TRUECOLOR,
    "256": ColorSystem.EIGHT_BIT,
    "standard": ColorSystem.STANDARD,
}
KEYS = {
    Keys.ControlM: "enter",
    Keys.ControlJ: "enter",
    Keys.ControlI: "tab",
    Keys.BackTab: "shift+tab",
    Keys.ControlH: "backspace",
}


@dataclass(frozen=True, slots=True)
class Press:
    """A key by its name, such as `left` or `ctrl+a`, and the sign that it types; "" for none."""

    key: str
    sign: str = ""


def press_of(key: Keys | str) -> Press:
    """A key as the library names it."""
    if not isinstance(key, Keys):
        return Press(key, key if key.isprintable() else "")
    name = key.value
    return Press(KEYS.get(key) or (f"ctrl+{name[2:]}" if name.startswith("c-") else name))


class CellScreen(ABC, Generic[Result]):
    """A full screen that is drawn as cells, until `exit` gives its result.

    All happens in one loop, one thing after the other; only `notify` may be called from another
    thread. An error of the screen comes out of `run`, when the terminal is as it was before.
    """

    def __init__(self, theme: Theme) -> None:
        self.look = theme
        self.size = (0, 0)  # columns and rows
        self.over = False
        self.changed_waits = False  # `changed` is called soon
        self.result: Result | None = None
        self._todo: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._keys: Input = DummyInput()
        self._output: Output = DummyOutput()
        self._colours: ColorSystem | None = None
        self._modes = ExitStack()  # of the terminal, to be left again
        self._shown: Rows = ()  # what the terminal shows; empty where that is not known
        self._timers: dict[Callable[[], None], asyncio.TimerHandle] = {}

    @abstractmethod
    def canvas(self, width: int, height: int) -> Canvas:
        """The screen of now at a size."""

    @abstractmethod
    def press(self, press: Press) -> None:
        """Carry out a key."""

    @property
    def too_small(self) -> bool:
        """Whether the terminal is smaller than any layout: then it takes no keys."""
        return not is_at_least(*self.size, LEAST)

    def drawn(self, width: int, height: int) -> Canvas:
        """The canvas, or the size that it needs."""
        if is_at_least(width, height, LEAST):
            return self.canvas(width, height)
        canvas = page(width, height, self.look)
        text = f"Rubicon needs {LEAST[0]} x {LEAST[1]}; this is {width} x {height}."
        for row, part in enumerate(textwrap.wrap(text, max(1, width))):
            canvas.put(0, row, part, quiet(self.look, 2))
        return canvas

    def begin(self) -> None:
        """The screen is on the terminal."""

    def changed(self) -> None:
        """Something has happened since `notify`."""
        self.redraw()

    def tick(self) -> None:
        """A second has passed."""

    def paste(self, text: str) -> None:
        """A text is pasted."""

    def click(self, x: int, y: int) -> None:
        """A cell is clicked."""

    def leave(self) -> None:
        """Control-C, or Control-Q."""
        self.exit(None)

    def run(self) -> Result | None:
        """Show the screen on the program's terminal; its result, None where the person leaves."""
        return asyncio.run(self._on_terminal())

    async def _on_terminal(self) -> Result | None:
        loop = asyncio.get_running_loop()
        for number, what in (
            (signal.SIGWINCH, self.resized),
            (signal.SIGTSTP, self.suspend),
            (signal.SIGCONT, self.resume),
        ):
            loop.add_signal_handler(number, self._todo.put_nowait, what)
        return await self.show(create_input(), create_output())

    async def show(self, keys: Input, output: Output) -> Result | None:
        """The same with the keys and the output of any terminal."""
        self._loop, self._keys, self._output = asyncio.get_running_loop(), keys, output
        console = Console()
        self._colours = None if console.no_color else COLOURS.get(console.color_system or "")
        try:
            self.resume()
            self._after(SECOND, self._second)
            self.begin()
            # Keys, changes of the game and timers wait in one queue. None runs inside another, so
            # nothing here needs a lock, and every error comes out of this loop.
            while not self.over:
                (await self._todo.get())()
        finally:
            for timer in self._timers.values():
                timer.cancel()
            self._modes.close()
        return self.result

    def exit(self, result: Result | None) -> None:
        """End the screen."""
        self.over, self.result = True, result
        self._todo.put_nowait(lambda: None)  # the loop may be waiting

    def notify(self) -> None:
        """From any thread: the screen is out of date."""
        # Bots may take a hundred steps a second: one drawing does for all that came meanwhile.
        if not self.changed_waits and self._loop is not None:
            self.changed_waits = True
            with suppress(RuntimeError):  # the loop has ended with its screen
                self._loop.call_soon_threadsafe(self._todo.put_nowait, self._changed)

    def _changed(self) -> None:
        self.changed_waits = False
        self.changed()

    def _after(self, seconds: float, what: Callable[[], None]) -> None:
        """Do something later; what waits already begins to wait anew."""
        if what in self._timers:
            self._timers[what].cancel()
        assert self._loop is not None
        self._timers[what] = self._loop.call_later(seconds, self._todo.put_nowait, what)

    def _second(self) -> None:
        self.tick()
        self._after(SECOND, self._second)

    def resume(self) -> None:
        """Take the terminal, which another program may have had, and draw every cell."""
        # Left before they are taken again: the modes to come back to are those of outside.
        self._modes.close()
        with ExitStack() as modes:
            modes.enter_context(self._keys.raw_mode())
            modes.enter_context(self._keys.attach(self._keys_wait))
            modes.enter_context(full_screen(self._output))
            self._modes = modes.pop_all()
        self.resized()

    def suspend(self) -> None:
        """Stop, as a shell expects of Control-Z; `resume` is called when the program goes on."""
        self._modes.close()
        # Not SIGTSTP: that calls this method again, and no system stops a group by it that no shell
        # would continue.
        os.kill(0, signal.SIGSTOP)  # with the program that has started this one

    def resized(self) -> None:
        """Draw every cell at the size of now: a terminal that was smaller has lost some."""
        size = self._output.get_size()
        self.size, self._shown = (size.columns, size.rows), ()
        self.redraw()

    def redraw(self) -> None:
        """Send the cells that have changed."""
        if not all(self.size):
            return
        before, self._shown = self._shown, self.drawn(*self.size).rows
        if not before:
            # What is erased is blank in the plain look: only other cells need to be sent.
            self._output.erase_screen()
            before = Canvas(*self.size).rows
        if text := changes(before, self._shown, self._colours):
            self._output.write_raw(text)
            self._output.flush()

    def _keys_wait(self) -> None:
        found = self._keys.read_keys()
        # Where the window is closed, every reading is answered at once, with nothing.
        if self._keys.closed:
            self._todo.put_nowait(hang_up)
            return
        self._todo.put_nowait(partial(self._carry_out, found))
        self._after(ESCAPE_DELAY, self._lone_escape)

    def _lone_escape(self) -> None:
        """No further part of a sequence has come: its Escape was a key."""
        self._carry_out(self._keys.flush_keys())

    def _carry_out(self, found: Sequence[KeyPress]) -> None:
        """Carry out keys that came together: Escape and a key at once is that key with Alt."""
        alt = False
        for one, after in zip(found, (*found[1:], None), strict=False):
            if one.key == Keys.Escape and after is not None and after.key != Keys.Escape:
                if after.key in UNKNOWN:
                    return  # such as the colour of the background, asked for and answered too late
                alt = True
                continue
            if not self.over:
                self._key(one, alt="alt+" * alt)
            alt = False

    def _key(self, one: KeyPress, alt: str) -> None:
        if one.key in (Keys.ControlC, Keys.ControlQ):
            self.leave()
        elif one.key == Keys.ControlZ:
            self.suspend()
        elif self.too_small:
            return
        elif one.key == Keys.BracketedPaste:
            self.paste(one.data)
        elif one.key == Keys.Vt100MouseEvent:
            if (place := RELEASED.fullmatch(one.data)) is not None:
                self.click(int(place[1]) - 1, int(place[2]) - 1)
        else:
            found = press_of(one.key)
            self.press(Press(alt + found.key) if alt else found)


@contextmanager
def full_screen(output: Output) -> Iterator[None]:
    """The terminal's other screen, which reports clicks and pastes and hides the cursor."""
    import termios  # not on every system: line mode does without

    output.enter_alternate_screen()
    output.hide_cursor()
    output.enable_bracketed_paste()
    output.write_raw(CLICKS_ON)
    output.flush()
    try:
        yield
    finally:
        output.write_raw(CLICKS_OFF)
        output.disable_bracketed_paste()
        output.quit_alternate_screen()
        output.show_cursor()
        with suppress(OSError):  # the window is closed
            output.flush()
        with suppress(termios.error, OSError, NotImplementedError):
            # A click or a key that was meant for the screen is none for the shell.
            termios.tcflush(output.fileno(), termios.TCIFLUSH)


def hang_up() -> None:
    """End as when the window is closed: not every system says so by itself."""
    os.kill(os.getpid(), signal.SIGHUP)


# A screen over a slow line is as fast as what is sent is short. The sequences are those of ECMA-48
# that every terminal knows: to a place, some columns on, the look of what follows.


def changes(before: Rows, after: Rows, colours: ColorSystem | None) -> str:
    """The text that turns one screen into another of the same size; "" where nothing differs.

    `colours` are those that the terminal knows; None for none. The terminal writes
    in the plain look before and after it.
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
        # Bold and reverse have no end of their own that all terminals know: a reset ends both.
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
        # No one knows how wide a terminal draws such a sign: the next one is placed anew.
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
