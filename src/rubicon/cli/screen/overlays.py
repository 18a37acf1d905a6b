"""What covers the map: the keys of now, lists, the hand-over."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from rubicon.cli.screen.canvas import (
    Canvas,
    Look,
    Part,
    Theme,
    columns,
    is_at_least,
    quiet,
    strong,
)
from rubicon.cli.screen.layouts import WIDE, Box, map_box, panel_box
from rubicon.cli.screen.parts import badge
from rubicon.cli.screen.scene import ScreenScene

# What `?` shows: the keys that do something now, and how an order is written.

KEY, HALF = 11, 38  # columns of a key, and of the first of two columns
ALWAYS = (
    ("F2", "the map, or your borders"),
    ("F4", "cards, sets and mission"),
    ("F5", "log, with all dice"),
    ("F6", "chat line, on a server"),
    ("F7", "standing order for your defence"),
    ("F8", "odds of the line or proposal"),
    ("F9", "a whole turn, looked ahead"),
    ("Esc", "clear, close; twice: leave"),
)
WATCHED = (
    ("Space", "pauses, and goes on"),
    ("+ and −", "faster, slower"),
    ("F2", "the map, or the log"),
    ("F5", "log, with all dice"),
    ("Esc", "leaves"),
)
EXAMPLES = (
    ("att ukr > neu until left 3", "until it falls, or 3 are left"),
    ("att ukr > neu until odds < 40%", "or until rounds 4, lost 5, won"),
    ("att ukr > ural > china", "along a path"),
    ("dep 3 ukr, rest ice", "several places at once"),
    ("fort ice > sca all but 1", "or a number"),
)


def keys_now(scene: ScreenScene) -> list[tuple[str, str]]:
    """The keys for the decision of now."""
    choices = scene.desk.choices
    found = []
    if scene.proposal:
        found.append(("Enter", f"{scene.proposal.split()[0].lower()}: the grey order"))
    if choices.attacks:
        found += [("Space", "roll once"), ("[ and ]", "stop earlier, later")]
    if choices.sources():
        found += [("Tab", "next target, or territory"), ("arrows", "the neighbour that way")]
    if choices.numbers:
        found += [("← →", "one less, one more"), ("Home, End", "fewest, most")]
    elif choices.places or choices.moves:
        found.append(("+ and −", "one army more, or less"))
    if choices.end:
        found.append((".", choices.end))
    return [*found, ("Backspace", "take back, to the last die"), ("letters", "begin an order")]


def help_rows(scene: ScreenScene) -> list[list[Part] | str]:
    """The two columns of keys, then the words."""
    theme = scene.theme
    if scene.pace:
        return [[(f"{key:{KEY}}", strong(theme)), (does, quiet(theme, 2))] for key, does in WATCHED]
    left, right = keys_now(scene), ALWAYS
    rows: list[list[Part] | str] = []
    for number in range(max(len(left), len(right))):
        row: list[Part] = []
        for column, keys in enumerate((left, right)):
            if number < len(keys):
                key, meaning = keys[number]
                row += [" " * (HALF * column - _width(row))] if column else []
                row += [(f"{key:{KEY - 5 * column}}", strong(theme)), (meaning, quiet(theme, 2))]
        rows.append(row)
    rows += [
        "",
        [("Orders", strong(theme)), ("  the same words as by e-mail and on the web", quiet(theme))],
    ]
    rows += [[f"  {order:32}", (meaning, quiet(theme, 2))] for order, meaning in EXAMPLES]
    rows += ["  `help` lists all words, `help attack` explains one, `rules` has the rulebook."]
    return rows


def _width(row: list[Part]) -> int:
    return sum(len(part if isinstance(part, str) else part[0]) for part in row)


# Lists of lines, and the hand-over.

BOTTOM = 6  # rows that always stay
TOP = 2
MOST_FACTS = 9  # rows
PASS = "Pass the keyboard to"
Row = list[Part]


def wrapped(lines: Sequence[str | Row], width: int) -> list[str | Row]:
    """The lines broken at a width; their indents stay. Rows of parts are as they are."""
    found: list[str | Row] = []
    for line in lines:
        if not isinstance(line, str):
            found.append(line)
            continue
        indent = line[: len(line) - len(line.lstrip())]
        found += textwrap.wrap(line, width, subsequent_indent=indent + "  ") or [""]
    return found


def place_of_list(width: int, height: int) -> Box:
    """The place of a list over the map, with a row for its title."""
    box = map_box(width, height)
    if box is not None and is_at_least(width, height, WIDE):
        return Box(1, box.y, box.width - 2, box.height)
    return Box(0, TOP, width, max(2, height - TOP - BOTTOM))


@dataclass(slots=True)
class OpenList:
    """Lines over the map, a page at a time from `first` on; only Escape closes an `alarm`."""

    title: str
    lines: Sequence[str | Row]
    alarm: bool = False
    first: int = 0

    def last_page(self, size: tuple[int, int]) -> int:
        """The first line of the last page on a screen."""
        box = place_of_list(*size)
        return max(0, len(wrapped(self.lines, box.width - 4)) - box.height + 1)

    def turn(self, key: str, size: tuple[int, int]) -> bool:
        """Turn pages; False for a key that means something else."""
        rows = place_of_list(*size).height - 1
        steps = {"pagedown": rows, "pageup": -rows, "down": 1, "up": -1}
        if key not in steps:
            return False
        self.first = max(0, min(self.last_page(size), self.first + steps[key]))
        return True

    def draw(self, canvas: Canvas, theme: Theme) -> None:
        """Draw a page, no higher than it needs."""
        box = place_of_list(canvas.width, canvas.height)
        texts = wrapped(self.lines, box.width - 4)
        rows = min(box.height - 1, len(texts) + 1)
        ground = Look(theme["ink"], theme["card"])
        canvas.fill(box.x, box.y, box.width, rows + 1, ground)
        accent = Look(theme["accent-text"], theme["card"], bold=True)
        canvas.put(box.x + 2, box.y, self.title, accent)
        more = "" if self.first + rows >= len(texts) else "PgDn: more   "
        note = f"{more}Esc: close"
        canvas.put(box.x + box.width - len(note) - 2, box.y, note, quiet(theme))
        for row, text in enumerate(texts[self.first : self.first + rows]):
            parts: Row = [(text, ground)] if isinstance(text, str) else text
            canvas.line(box.x + 2, box.y + 1 + row, *parts)


def over_panel(canvas: Canvas, theme: Theme, title: str, lines: Sequence[str]) -> None:
    """Lines in place of the panel next to a large map."""
    box = panel_box(canvas.width, canvas.height)
    canvas.fill(box.x, box.y, box.width, box.height, Look(theme["ink"], theme["paper"]))
    canvas.put(box.x + 1, box.y + 1, title, strong(theme))
    texts = wrapped(lines, box.width - 2)[: box.height - 3]
    for row, text in enumerate(texts):
        parts: Row = [text] if isinstance(text, str) else text
        canvas.line(box.x + 1, box.y + 3 + row, *parts)


def hand_over(
    width: int,
    height: int,
    theme: Theme,
    colour: str,
    name: str,
    before: str = "",
    facts: Sequence[str] = (),
) -> Canvas:
    """The whole screen for the moment between two people: nothing secret is on it.

    `before` is who sat at the keyboard until now, `facts` what happened to the next person.
    """
    told = [row for fact in facts for row in textwrap.wrap(fact, width - 4)][:MOST_FACTS]
    ground = Look(theme["on-accent"], theme["accent"])
    canvas = Canvas(width, height, ground)
    middle = (height - len(told)) // 2 - 1
    canvas.put((width - len(PASS)) // 2, middle - 3, PASS, ground)
    start = (width - len(name) - 5) // 2
    canvas.line(start, middle, badge(theme, colour), "  ", (name, ground._replace(bold=True)))
    if before:
        away = f"{before}'s cards and orders are put away."
        canvas.put((width - len(away)) // 2, middle + 2, away, ground)
    for y, row in enumerate(told, middle + 4):
        canvas.put((width - len(columns(row))) // 2, y, row, ground)
    ready = f" Press Enter when you are {name}. "
    button = Look(theme["accent"], theme["on-accent"], bold=True, reverse=not theme.colours)
    at = min(height - 2, middle + max(7, len(told) + 5))
    canvas.put((width - len(ready)) // 2, at, ready, button)
    return canvas
