"""The screen before a new game: who plays, by which rules, and how the armies are set up."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rubicon.cli.screen.canvas import Canvas, Look
from rubicon.cli.screen.cells_app import CellsApp
from rubicon.cli.screen.draw.parts import badge, foot, page, quiet, strong
from rubicon.cli.screen.presses import Press
from rubicon.cli.screen.scene import name_shown
from rubicon.cli.screen.themes import Theme
from rubicon.cli.terminal.options import BOOK, CHOOSE, LATEST, QUICK, SETUPS, PlayOptions
from rubicon.cli.terminal.seats import SeatAssignment, read_seats, usual_seats
from rubicon.players.player import PLAYERS
from rubicon.players.registry import USUAL_LEVEL
from rubicon.rules.ruleset.file import DEFAULT_PRESET
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names

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


class NewGameScreen(CellsApp[PlayOptions]):
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

    def on_mount(self) -> None:
        """Draw the first time."""
        self.cells.focus()
        self.redraw()

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

    async def action_quit(self) -> None:
        """Control-Q."""
        self.exit(None)

    def action_help_quit(self) -> None:
        """Control-C."""
        self.exit(None)

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
