"""A screen of cells: what the bytes of a terminal mean, and what is sent to it."""

from __future__ import annotations

import asyncio
import threading

import pytest

from rubicon.cli.screen.canvas import DARK, Canvas, Look
from rubicon.cli.screen.cells import CellScreen, Press
from tests.cli.screen.at_screen import shown


class Noted(CellScreen[str]):
    """A screen that shows a text and notes what happens to it."""

    def __init__(self) -> None:
        super().__init__(DARK)
        self.text = "one"
        self.noted: list[object] = []

    def canvas(self, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height)
        canvas.put(2, 1, self.text, Look("#ffffff"))
        return canvas

    def press(self, press: Press) -> None:
        self.noted.append(press)

    def paste(self, text: str) -> None:
        self.noted.append(text)

    def click(self, x: int, y: int) -> None:
        self.noted.append((x, y))

    def leave(self) -> None:
        self.exit("left")


def noted(typed: str) -> list[object]:
    """What a screen notes of bytes."""
    screen = Noted()

    async def play() -> None:
        async with shown(screen, (80, 24)) as terminal:
            await terminal.type(typed)

    asyncio.run(play())
    return screen.noted


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("aé漢 ", [Press(sign, sign) for sign in "aé漢 "]),
        ("\r\t\x7f", [Press("enter"), Press("tab"), Press("backspace")]),
        ("\x1b[A\x1bOP\x1b[Z\x1b[5~", [Press(k) for k in ("up", "f1", "shift+tab", "pageup")]),
        ("\x01\x17", [Press("ctrl+a"), Press("ctrl+w")]),
        ("\x1b", [Press("escape")]),
        ("\x1b\x7f", [Press("alt+backspace")]),
        ("\x1b\x1b", [Press("escape"), Press("escape")]),
        ("\x1b[<0;5;3M\x1b[<0;5;3m", [(4, 2)]),
        ("\x1b[<64;5;3M\x1b[<35;5;4M", []),  # the wheel, a movement
        ("\x1b[200~two\nlines\x1b[201~", ["two\nlines"]),
        ("\x1b]11;rgb:1010/1414/1818\x1b\\", []),  # the background, asked for and told too late
    ],
)
def test_bytes_are_keys_clicks_and_pastes(typed: str, meant: list[object]) -> None:
    assert noted(typed) == meant


@pytest.mark.parametrize("typed", ["\x03", "\x11"])
def test_control_c_and_control_q_leave(typed: str) -> None:
    screen = Noted()

    async def play() -> None:
        async with shown(screen, (80, 24)) as terminal:
            await terminal.type(f"a{typed}b")

    asyncio.run(play())
    assert screen.result == "left"
    assert screen.noted == [Press("a", "a")]


def test_only_cells_that_have_changed_are_sent() -> None:
    screen = Noted()

    async def play() -> list[str]:
        async with shown(screen, (80, 24)) as terminal:
            first, terminal.sent = terminal.sent, ""
            screen.text = "ore"
            screen.redraw()
            changed, terminal.sent = terminal.sent, ""
            screen.redraw()
            nothing = terminal.sent
            terminal.resize(80, 24)
            return [first, changed, nothing, terminal.sent]

    first, changed, nothing, whole = asyncio.run(play())
    assert "one" in first
    assert changed.startswith("\x1b[2;4H")
    assert changed.endswith("r\x1b[0m")
    assert "o" not in changed
    assert nothing == ""
    assert "ore" in whole


def test_another_thread_says_that_the_screen_is_out_of_date_even_after_its_end() -> None:
    screen = Noted()

    async def play() -> str:
        async with shown(screen, (80, 24)) as terminal:
            screen.text = "two"
            thread = threading.Thread(target=screen.notify)
            thread.start()
            thread.join()
            while "two" not in terminal.sent:
                await asyncio.sleep(0.01)
            return terminal.sent

    assert "two" in asyncio.run(play())
    screen.notify()
