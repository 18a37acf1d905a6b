"""What covers the map: a list of lines, the hand-over, the end of the game."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rubicon.cli.screen.canvas import Canvas, Look
from rubicon.cli.screen.draw.parts import badge, page, quiet, strong
from rubicon.cli.screen.themes import Theme

BOTTOM = 6  # rows that always stay
TOP = 2


def wrapped(lines: Sequence[str], width: int) -> list[str]:
    """The lines broken at a width; their indents stay."""
    found: list[str] = []
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        found += textwrap.wrap(line, width, subsequent_indent=indent + "  ") or [""]
    return found


def rows_of(height: int) -> int:
    """The rows of a list on a screen."""
    return max(1, height - TOP - BOTTOM - 1)


def over_map(canvas: Canvas, theme: Theme, title: str, lines: Sequence[str], first: int) -> None:
    """A list over the map from its line `first`; the bottom rows of the screen stay."""
    width, rows = canvas.width, rows_of(canvas.height)
    texts = wrapped(lines, width - 4)
    ground = Look(theme["ink"], theme["card"])
    canvas.fill(0, TOP, width, rows + 1, ground)
    canvas.put(2, TOP, title, Look(theme["accent-text"], theme["card"], bold=True))
    more = "" if first + rows >= len(texts) else "PgDn: more   "
    note = f"{more}Esc: close"
    canvas.put(width - len(note) - 2, TOP, note, quiet(theme))
    for row, text in enumerate(texts[first : first + rows]):
        canvas.put(2, TOP + 1 + row, text, ground)


def hand_over(width: int, height: int, theme: Theme, colour: str, name: str) -> Canvas:
    """The whole screen for the moment between two people: nothing of the game is on it."""
    canvas = page(width, height, theme)
    middle = height // 2
    for row, text in ((-3, "Pass the keyboard to"), (4, f"Press Enter when you are {name}.")):
        canvas.put((width - len(text)) // 2, middle + row, text, quiet(theme, 2))
    start = (width - len(name) - 6) // 2
    canvas.line(start, middle, badge(theme, colour), "   ", (name, strong(theme)))
    return canvas


def nothing_fits(width: int, height: int, theme: Theme, least: tuple[int, int]) -> Canvas:
    """The whole screen of a terminal that is too small for the game."""
    canvas = page(width, height, theme)
    text = f"Rubicon needs {least[0]} x {least[1]}; this is {width} x {height}."
    for row, part in enumerate(textwrap.wrap(text, max(1, width))):
        canvas.put(0, row, part, quiet(theme, 2))
    return canvas


def game_over(
    width: int, height: int, theme: Theme, lines: Sequence[str], *, again: bool = True
) -> Canvas:
    """The end of a game: who has won, the luck; with `again` a rematch is offered."""
    canvas = page(width, height, theme)
    canvas.put(2, 1, "▚ Rubicon", strong(theme))
    for row, text in enumerate(wrapped(lines, width - 6)):
        canvas.put(3, 4 + row, text, Look(theme["ink"], bold=not row))
    x = 3
    if again:
        words = (" play again with the same players   ", quiet(theme, 2))
        x = canvas.line(x, height - 2, ("Enter", strong(theme)), words)
    canvas.line(
        x,
        height - 2,
        ("Esc", strong(theme)),
        (" leave", quiet(theme, 2)),
    )
    return canvas
