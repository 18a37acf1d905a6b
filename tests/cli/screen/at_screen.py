"""A full screen without a terminal: its keys, its cells, and waiting for its questions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from rubicon.cli.screen.app import FullScreen
from rubicon.cli.screen.canvas import DARK, Theme
from rubicon.cli.screen.cells import ESCAPE_DELAY, CellScreen, Press
from rubicon.cli.terminal.opening import open_session
from rubicon.cli.terminal.options import PlayOptions

LONGEST = 120.0  # seconds that a question may take on a loaded machine
SIZES = ((120, 40), (80, 24), (60, 20))


def screen(
    folder: Path, preset: str = "classic", theme: Theme = DARK, **more: object
) -> FullScreen:
    """A game on a screen; alone against two bots with dice of seed 3, unless `more` says else."""
    values = {"preset": preset, "seed": 3, "setup": "quick", "record": folder / "game.risk"}
    return FullScreen(open_session(PlayOptions(**(values | more))), theme)  # type: ignore[arg-type]


class NoTerminal(DummyOutput):
    """A terminal of a size; `sent` is the text that it was sent, keys are typed by their bytes."""

    def __init__(self, app: CellScreen[Any], keys: PipeInput, size: tuple[int, int]) -> None:
        self.app, self.keys, self.columns_rows = app, keys, size
        self.sent = ""

    def write_raw(self, data: str) -> None:
        """Keep what is sent."""
        self.sent += data

    def get_size(self) -> Size:
        """The size of now."""
        columns, rows = self.columns_rows
        return Size(rows=rows, columns=columns)

    def resize(self, *size: int) -> None:
        """Get another size, and say so."""
        self.columns_rows = size[0], size[1]
        self.app.resized()

    async def type(self, typed: str) -> None:
        """Type bytes, and wait until the screen has had them."""
        self.keys.send_text(typed)
        await asyncio.sleep(3 * ESCAPE_DELAY)


@asynccontextmanager
async def shown(app: CellScreen[Any], size: tuple[int, int]) -> AsyncIterator[NoTerminal]:
    """A screen while it is shown; what goes wrong in it goes wrong here."""
    with create_pipe_input() as keys:
        terminal = NoTerminal(app, keys, size)
        showing = asyncio.create_task(app.show(keys, terminal))
        await asyncio.sleep(0)  # until it is there
        try:
            yield terminal
        finally:
            if not app.over:
                app.exit(None)
            await showing


@asynccontextmanager
async def running(app: FullScreen, size: tuple[int, int] = SIZES[0]) -> AsyncIterator[FullScreen]:
    """The screen while it runs, from its first question on."""
    async with shown(app, size):
        await asked(app)
        yield app
        app.prompts.leave()


async def asked(app: FullScreen) -> None:
    """Wait until the screen shows a question, or the game has ended."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        waits = app.prompts.keyboard.question and app.question == app.prompts.keyboard.question
        if (waits and not app.changed_waits) or app.prompts.ended:
            return
        await asyncio.sleep(0.005)
    raise AssertionError(f"no question came: {app.prompts.failure!r}")


async def press(app: FullScreen, *keys: str) -> str:
    """Press keys, by name or sign; the text of the screen behind them."""
    for key in keys:
        app.press(Press(key, key if len(key) == 1 else ""))
        await asked(app)
    return text_of(app)


def text_of(app: FullScreen) -> str:
    """The signs on the screen."""
    return app.drawn(*app.size).text()


def text_with_chances(app: FullScreen) -> str:
    """The signs on the screen of a finished game, with the chances to win."""
    text_of(app)  # begins to compute them
    assert app.curve_work is not None
    app.curve_work.thread.join(LONGEST)
    return text_of(app)
