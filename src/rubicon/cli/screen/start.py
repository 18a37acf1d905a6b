"""Opens the full screen: the start page, the choice of a new game, and the game itself."""

from __future__ import annotations

import os
import re
import select
import sys
import textwrap
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rubicon.cli.screen.canvas import (
    LEAST,
    Canvas,
    Look,
    Theme,
    is_at_least,
    page,
    quiet,
    strong,
    theme_for,
)
from rubicon.cli.screen.cells import CellScreen, Press
from rubicon.cli.screen.parts import badge, foot
from rubicon.cli.screen.scene import name_shown
from rubicon.cli.terminal.console import at_terminal
from rubicon.cli.terminal.opening import SeatAssignment, read_seats, usual_seats
from rubicon.cli.terminal.options import (
    BOOK,
    CHOOSE,
    DARK,
    LATEST,
    LIGHT,
    QUICK,
    SETUPS,
    PlayOptions,
)
from rubicon.errors import RubiconError
from rubicon.players.characters import USUAL_LEVEL
from rubicon.players.player import PLAYERS
from rubicon.rules.ruleset.file import DEFAULT_PRESET
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names

if TYPE_CHECKING:
    from rubicon.cli.screen.ending import CurveWork
    from rubicon.cli.screen.lobby_prompts import LobbyPrompts
    from rubicon.cli.terminal.session import Session


# The screen before a new game: who plays, by which rules, and how the armies are set up.

# Which seat has which colour; a game of two to six uses the first of them.
COLOURS = ("red", "blue", "green", "yellow", "grey", "black")
WAYS = {
    QUICK: ("Quick", "Territories are dealt, armies spread over your borders. You play at once."),
    CHOOSE: ("Choose", "Territories are dealt; you place your armies, many on one line."),
    BOOK: ("By the book", "You claim territories and place armies in turn, one at a time."),
}
LEFT, TEXT = 3, 22  # columns


@dataclass(frozen=True, slots=True)
class NewGame:
    """What has been chosen so far; `options` are those of the command line, changed by keys."""

    options: PlayOptions
    way: str = QUICK

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the game."""
        return Ruleset.load(self.options.preset or DEFAULT_PRESET, board=self.options.board)

    @property
    def seats(self) -> list[SeatAssignment]:
        """Who plays, in the order of play."""
        if self.options.seats is not None:
            return read_seats(self.options.seats, PLAYERS)
        rules = self.ruleset.rules
        return usual_seats(int(rules.players_min), int(rules.players_max), self.options.watch)

    def moved(self, step: int) -> NewGame:
        """Another way to set up."""
        return replace(self, way=SETUPS[(SETUPS.index(self.way) + step) % len(SETUPS)])

    def other_seats(self) -> NewGame:
        """One bot more, or after the most that the rules allow the fewest."""
        rules = self.ruleset.rules
        fewest, most = max(2, int(rules.players_min)), int(rules.players_max)
        count = len(self.seats) + 1
        bots = (count if count <= most else fewest) - 1
        seats = ",".join(["me", *[USUAL_LEVEL] * bots])
        return replace(self, options=replace(self.options, seats=seats))

    def other_rules(self) -> NewGame:
        """The next preset, with its usual seats."""
        names = preset_names()
        now = self.options.preset or DEFAULT_PRESET
        preset = names[(names.index(now) + 1) % len(names)] if now in names else names[0]
        return replace(self, options=replace(self.options, preset=preset, seats=None))

    def begun(self) -> PlayOptions:
        """The options of the game that is played."""
        return replace(self.options, setup=self.way)


class NewGameScreen(CellScreen[PlayOptions]):
    """Asks how to begin; its result is None where the person leaves.

    `fixed` is what the command line has decided: neither seats nor rules can be changed then.
    `resumable`: an unfinished game can be continued instead.
    """

    def __init__(self, options: PlayOptions, theme: Theme, *, resumable: bool = False) -> None:
        super().__init__(theme)
        self.resumable = resumable
        self.chosen = NewGame(options)
        self.may_seats = options.seats is None
        self.may_rules = not (options.preset or options.board or options.overrides)

    def press(self, press: Press) -> None:
        """Carry out a key."""
        key = press.sign or press.key
        if key in ("up", "down", "tab", "shift+tab"):
            self.chosen = self.chosen.moved(-1 if key in ("up", "shift+tab") else 1)
        elif key in ("1", "2", "3"):
            self.chosen = replace(self.chosen, way=SETUPS[int(key) - 1])
        elif key == "f2" and self.may_seats:
            self.chosen = self.chosen.other_seats()
        elif key == "f3" and self.may_rules:
            self.chosen = self.chosen.other_rules()
        elif key == "f4" and self.resumable:
            self.exit(replace(self.chosen.options, preset=None, seats=None, resume=LATEST))
        elif key == "enter":
            self.exit(self.chosen.begun())
        elif key in ("escape", "q"):
            self.exit(None)
        self.redraw()

    def canvas(self, width: int, height: int) -> Canvas:
        """The screen at a size."""
        theme, chosen = self.look, self.chosen
        ruleset = chosen.ruleset
        canvas = page(width, height, theme)
        title = (f"   New game · {ruleset.title}", quiet(theme, 2))
        canvas.line(1, 0, ("▚ Rubicon", strong(theme)), title)
        y = 1 if height < 24 else 2
        self._seats(canvas, y, chosen.seats)
        if self.may_seats:
            self._change(canvas, y, "F2")
        y += 1
        board = "" if ruleset.board.name == "World" else f" Board: {ruleset.board.name}."
        about = textwrap.wrap(ruleset.description + board, width - TEXT - 14)[:2]
        canvas.put(LEFT, y + 2, "Rules", quiet(theme))
        for row, line in enumerate(about):
            canvas.put(LEFT + 9, y + 2 + row, line, Look(theme["ink"]))
        if self.may_rules:
            self._change(canvas, y + 2, "F3")
        canvas.put(LEFT, y + 5, "How do you want to begin?", Look(theme["ink"], bold=True))
        self._ways(canvas, y + 7, width)
        keys = [("Enter", "begin"), ("↑ ↓", "choose")]
        keys += [("F2", "players")] * self.may_seats + [("F3", "rules")] * self.may_rules
        keys += [("F4", "resume the last game")] * self.resumable + [("Esc", "quit")]
        foot(canvas, theme, keys, height - 1)
        said = "On a server instead: rubicon play --server URL"
        canvas.put(LEFT, height - 3, said[: width - LEFT], quiet(theme))
        return canvas

    def _seats(self, canvas: Canvas, y: int, seats: Sequence[SeatAssignment]) -> None:
        theme = self.look
        canvas.put(LEFT, y, "Players", quiet(theme))
        start = at = LEFT + 9
        for colour, seat in zip(COLOURS, seats, strict=False):
            name = name_shown(seat.name)
            kind = " bot" if seat.bot is not None else ""
            if at + len(name + kind) + 4 > canvas.width - 12 and at > start:
                at, y = start, y + 1
            bold = Look(theme["ink"], bold=True)
            at = canvas.line(at, y, badge(theme, colour), " ", (name, bold), (kind, quiet(theme)))
            at += 2

    def _change(self, canvas: Canvas, y: int, key: str) -> None:
        parts = ((key, strong(self.look)), (" change", quiet(self.look, 2)))
        canvas.line(canvas.width - 11, y, *parts)

    def _ways(self, canvas: Canvas, y: int, width: int) -> None:
        theme = self.look
        for number, way in enumerate(SETUPS, 1):
            name, about = WAYS[way]
            lines = textwrap.wrap(about, width - TEXT - 3)
            chosen = way == self.chosen.way
            if chosen:
                canvas.fill(2, y, width - 4, max(1, len(lines)), Look(None, theme["accent-wash"]))
            look = strong(theme) if chosen else Look(theme["ink"], bold=True)
            mark = "›" if chosen else " "
            canvas.line(LEFT, y, (f"{mark} {number}  {name}", look))
            for line in lines:
                canvas.put(TEXT, y, line, Look(theme["ink"] if chosen else theme["ink-2"]))
                y += 1
            y += canvas.height >= 24


# Whether the terminal is dark or light: its own answer about its background (OSC 11).

# The second question is one that nearly every terminal answers: so the end of waiting is known.
QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
LONGEST = 0.15  # seconds
ANSWER = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)")
END = re.compile(rb"\x1b\[\?[0-9;]*c")


def is_light(answer: bytes) -> bool | None:
    """Whether an answer means a light background; None if it says nothing."""
    found = ANSWER.search(answer)
    if found is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    return bool(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)


def has_light_background() -> bool | None:
    """Ask the terminal; None if it does not answer in time, or cannot be asked."""
    if sys.platform == "win32" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    import termios
    import tty

    keys = sys.stdin.fileno()
    before = termios.tcgetattr(keys)
    try:
        tty.setcbreak(keys, termios.TCSANOW)
        os.write(sys.stdout.fileno(), QUESTION)
        return is_light(_answer(keys))
    finally:
        termios.tcsetattr(keys, termios.TCSANOW, before)


def _answer(keys: int) -> bytes:
    """What the terminal sends until it has answered both questions, or the time is up."""
    got, end = b"", time.monotonic() + LONGEST
    while not END.search(got) and (left := end - time.monotonic()) > 0:
        if select.select([keys], [], [], left)[0]:
            got += os.read(keys, 256)
    return got


# Whether a game is played on the full screen, and how it begins and ends there.


def wants_screen(options: PlayOptions) -> bool:
    """Whether the options and the terminal are for the full screen."""
    if options.line or options.plain or os.environ.get("TERM") == "dumb":
        return False
    if not at_terminal() or sys.platform == "win32":
        return False
    if not (sys.stdout.encoding or "").lower().startswith("utf"):
        return False  # the map needs signs that the terminal's encoding lacks
    size = os.get_terminal_size()
    return is_at_least(size.columns, size.lines, LEAST)


def why_no_screen(session: Session) -> str:
    """Why the game goes on line by line where the full screen is wanted; "" where it can be had."""
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
        wanted = LIGHT if has_light_background() else DARK
    return theme_for(console.color_system, wanted or DARK)


def begin_on_screen(options: PlayOptions) -> PlayOptions | None:
    """The options of a new game as the person at the screen chooses; None if they leave."""
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

    app = FullScreen(session, theme_of_terminal(theme))
    try:
        again = bool(app.run())
    finally:
        app.prompts.leave()
    if app.prompts.failure is not None:
        raise app.prompts.failure
    return Played(app.prompts.over, again, app.curve_work)


def choose_on_screen(
    prompts: LobbyPrompts, theme: str | None, name: str
) -> tuple[str, bool] | None:
    """The game of a server that the person at the screen chooses; None if they leave.

    `name` is the person's on the server. An error inside is raised here.
    """
    from rubicon.cli.screen.lobby import LobbyScreen

    try:
        chosen = LobbyScreen(prompts, theme_of_terminal(theme), name).run()
    finally:
        prompts.leave()
    if prompts.failure is not None:
        raise prompts.failure
    return chosen
