"""The lobby's screen without a terminal: its keys, its signs, and waiting for what it shows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from rubicon.cli.hosted.lobby import Visit
from rubicon.cli.screen.canvas import DARK
from rubicon.cli.screen.cells import Press
from rubicon.cli.screen.lobby import LobbyScreen
from rubicon.cli.screen.lobby_prompts import LobbyPrompts
from rubicon.cli.terminal.console import make_output
from rubicon.client import Client
from tests.cli.hosted.test_hosted_game import Typed
from tests.cli.screen.at_screen import shown

LONGEST = 120.0  # seconds that something may take on a loaded machine


def lobby(
    client: Client,
    connect: Callable[[str, str | None], Client],
    given: str = "",
    url: str = "https://rubicon.test",
) -> LobbyScreen:
    """The screen of a person at a server."""
    here = Visit(url, connect, Typed(), make_output(plain=True))
    return LobbyScreen(LobbyPrompts(here, client, given), DARK, "Ann")


@asynccontextmanager
async def running(app: LobbyScreen, size: tuple[int, int] = (80, 24)) -> AsyncIterator[LobbyScreen]:
    """The screen while it runs."""
    async with shown(app, size):
        yield app
        app.prompts.leave()


def text_of(app: LobbyScreen) -> str:
    """The signs on the screen."""
    return app.drawn(*app.size).text()


async def until(app: LobbyScreen, there: Callable[[str], bool]) -> str:
    """Wait until the screen shows something and a line may be typed; the screen."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        text = text_of(app)
        if app.prompts.ended or (there(text) and app.waited and app.prompts.asked):
            return text
        await asyncio.sleep(0.01)
    raise AssertionError(text_of(app))


async def shows(app: LobbyScreen, *words: str) -> str:
    """Wait until the screen shows all of these words."""
    return await until(app, lambda text: all(word in text for word in words))


async def ended(app: LobbyScreen) -> tuple[str, bool] | None:
    """Wait until a game is chosen; what is chosen."""
    await until(app, lambda text: False)
    assert app.prompts.failure is None
    return app.prompts.chosen


def press(app: LobbyScreen, *keys: str) -> str:
    """Press keys, by name or sign; the text of the screen behind them."""
    for key in keys:
        app.press(Press(key, key if len(key) == 1 else ""))
    return text_of(app)
