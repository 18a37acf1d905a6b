"""A grid of terminal cells: what a screen shows, before any library draws it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias


class Look(NamedTuple):
    """How a sign looks; a colour is `#rrggbb`, None is the terminal's own."""

    ink: str | None = None
    ground: str | None = None
    bold: bool = False
    reverse: bool = False


class Cell(NamedTuple):
    """One sign and its look."""

    sign: str
    look: Look


Part: TypeAlias = str | tuple[str, Look]
PLAIN = Look()


class Canvas:
    """Cells by row and column, counted from 0."""

    def __init__(self, width: int, height: int, look: Look = PLAIN) -> None:
        self.width, self.height, self.look = width, height, look
        blank = Cell(" ", look)
        self.rows: list[list[Cell]] = [[blank] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, look: Look = PLAIN) -> int:
        """Write a text, cut at the edges; returns the column behind it.

        A colour that the look leaves out stays as it is in the cell.
        """
        if not 0 <= y < self.height:
            return x + len(text)
        row, ink = self.rows[y], look.ink or self.look.ink
        full = Look(ink, look.ground, look.bold, look.reverse)
        for column, sign in enumerate(text, x):
            if 0 <= column < self.width:
                if not look.ground and row[column].look.ground != full.ground:
                    full = Look(ink, row[column].look.ground, look.bold, look.reverse)
                row[column] = Cell(sign, full)
        return x + len(text)

    def line(self, x: int, y: int, *parts: Part) -> int:
        """Write parts one behind the other; returns the column behind the last."""
        for part in parts:
            text, look = (part, PLAIN) if isinstance(part, str) else part
            x = self.put(x, y, text, look)
        return x

    def wrapped(self, x: int, y: int, width: int, *parts: Part) -> int:
        """Write parts, a part that does not fit on the next row; returns the last row."""
        at = x
        for part in parts:
            text, look = (part, PLAIN) if isinstance(part, str) else part
            if at + len(text.rstrip()) > x + width and at > x:
                at, y, text = x, y + 1, text.lstrip(" ,")
            at = self.put(at, y, text, look)
        return y

    def fill(self, x: int, y: int, width: int, height: int, look: Look = PLAIN) -> None:
        """Clear a box."""
        for row in range(y, y + height):
            self.put(x, row, " " * width, look)

    def paste(self, x: int, y: int, rows: Sequence[Sequence[Cell]]) -> None:
        """Copy the rows of another canvas."""
        for number, row in enumerate(rows, y):
            if 0 <= number < self.height:
                self.rows[number][x : x + len(row)] = row[: self.width - x]

    def text(self) -> str:
        """The signs alone, without spaces at the ends of the rows."""
        lines = ("".join(cell.sign for cell in row).rstrip() for row in self.rows)
        return "\n".join(lines) + "\n"
