"""Whether a game is played on the full screen, and how it begins and ends there."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rubicon.cli.screen.draw.layouts import LEAST, is_at_least
from rubicon.cli.screen.themes import Theme, theme_for
from rubicon.cli.screen.tty.ground import ground_of_terminal
from rubicon.cli.terminal.keyboard import at_terminal
from rubicon.cli.terminal.options import DARK, LIGHT
from rubicon.errors import RubiconError

if TYPE_CHECKING:
    from rubicon.cli.screen.ending.curve_work import CurveWork
    from rubicon.cli.screen.lobby.lobby_story import LobbyStory
    from rubicon.cli.terminal.options import PlayOptions
    from rubicon.cli.terminal.session import Session

LIBRARY = "textual"
MISSING = (
    "The full screen needs the package textual, which is not installed. The game goes on line "
    "by line."
)


def wants_screen(options: PlayOptions) -> bool:
    """Whether the options and the terminal are for the full screen, which may be missing."""
    if options.line or options.plain or os.environ.get("TERM") == "dumb":
        return False
    if not at_terminal() or sys.platform == "win32":
        return False
    if not (sys.stdout.encoding or "").lower().startswith("utf"):
        return False  # the map needs signs that the terminal's encoding lacks
    size = os.get_terminal_size()
    return is_at_least(size.columns, size.lines, LEAST)


def has_library() -> bool:
    """Whether the full screen is installed."""
    return find_spec(LIBRARY) is not None


def why_no_screen(session: Session) -> str:
    """Why the game goes on line by line where the full screen is wanted; "" where it can be had."""
    if not has_library():
        return MISSING
    try:
        session.game.ruleset.board.geometry()
    except RubiconError as error:
        return f"{error} The game goes on line by line."
    return ""


def theme_of_terminal(wanted: str | None) -> Theme:
    """The theme for this terminal; `wanted` is `dark`, `light`, or None: as the terminal is."""
    from rich.console import Console

    console = Console()
    if console.no_color:
        return theme_for(None, DARK)
    if wanted is None and console.color_system == "truecolor":
        wanted = LIGHT if ground_of_terminal() else DARK
    return theme_for(console.color_system, wanted or DARK)


def begin_on_screen(options: PlayOptions) -> PlayOptions | None:
    """The options of a new game as the person at the screen chooses; None if they leave."""
    from rubicon.cli.screen.welcome.new_game import NewGameScreen
    from rubicon.cli.terminal.saves import has_unfinished

    theme = theme_of_terminal(options.theme)
    if theme.name in (DARK, LIGHT):  # the terminal is asked once
        options = replace(options, theme=theme.name)
    return NewGameScreen(options, theme, resumable=has_unfinished()).run()


@dataclass(frozen=True, slots=True)
class Played:
    """How a game on the full screen was left; `again`: the players want a rematch.

    `curve_work` computes the chances to win; None where the screen has not begun with that.
    """

    over: bool
    again: bool
    curve_work: CurveWork | None


def play_on_screen(session: Session, theme: str | None) -> Played:
    """Play one game on the full screen.

    An error inside the game is raised here, when the terminal is a terminal again.
    """
    from rubicon.cli.screen.app import FullScreen
    from rubicon.cli.screen.tty.driver import TerminalDriver

    app = FullScreen(session, theme_of_terminal(theme))
    app.driver_class = TerminalDriver
    try:
        again = bool(app.run())
    finally:
        app.let_terminal_go()
    session.file = app.story.session.file
    if (failure := app.story.failure or app.fault) is not None:
        app.story.leave()
        raise failure
    return Played(app.story.over, again, app.curve_work)


def choose_on_screen(story: LobbyStory, theme: str | None, name: str) -> tuple[str, bool] | None:
    """The game of a server that the person at the screen chooses; None if they leave.

    `name` is the person's on the server. An error inside is raised here.
    """
    from rubicon.cli.screen.lobby.lobby_screen import LobbyScreen
    from rubicon.cli.screen.tty.driver import TerminalDriver

    app = LobbyScreen(story, theme_of_terminal(theme), name)
    app.driver_class = TerminalDriver
    try:
        chosen = app.run()
    finally:
        app.let_terminal_go()
        story.news.stop()
    if (failure := story.failure or app.fault) is not None:
        story.leave()
        raise failure
    return chosen
