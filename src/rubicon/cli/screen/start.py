"""Whether a game is played on the full screen, and how it begins and ends there."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rubicon.cli.screen.draw.layouts import LEAST, is_at_least
from rubicon.cli.screen.themes import Theme, theme_for
from rubicon.cli.terminal.keyboard import at_terminal

if TYPE_CHECKING:
    from rubicon.cli.terminal.options import PlayOptions
    from rubicon.cli.terminal.session import Session

LIBRARY = "textual"
MISSING = (
    "The full screen needs the package textual, which is not installed. The game goes on line "
    "by line."
)


def wants_screen(options: PlayOptions) -> bool:
    """Whether the options and the terminal are for the full screen, which may be missing."""
    if options.line or options.plain or options.watch or os.environ.get("TERM") == "dumb":
        return False
    if not at_terminal() or sys.platform == "win32":
        return False
    size = os.get_terminal_size()
    return is_at_least(size.columns, size.lines, LEAST)


def has_library() -> bool:
    """Whether the full screen is installed."""
    return find_spec(LIBRARY) is not None


def theme_of_terminal(wanted: str) -> Theme:
    """The theme for this terminal; `wanted` is `dark` or `light`."""
    from rich.console import Console

    console = Console()
    return theme_for(None if console.no_color else console.color_system, wanted)


def play_on_screen(session: Session, theme: str) -> tuple[bool, bool]:
    """Play one game on the full screen.

    Returns whether the game is over, and whether the players want a rematch. An error inside
    the game is raised here, when the terminal is a terminal again.
    """
    from rubicon.cli.screen.app import FullScreen

    app = FullScreen(session, theme_of_terminal(theme))
    again = bool(app.run())
    session.file = app.story.session.file
    if app.story.failure is not None:
        raise app.story.failure
    return app.story.over, again
