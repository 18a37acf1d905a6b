"""A grid of terminal cells: what a screen shows, before any library draws it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len

from rubicon.wording import printable

SECOND = "\ue000"  # the second column of a sign that is two columns wide; private use, never shown


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


@lru_cache(maxsize=4096)
def columns(text: str) -> str:
    """One character for each column that a text takes, so that its length is its width.

    SECOND stands behind a sign that is two columns wide. Nothing that a terminal obeys is left in
    it, and no mark that would stand on another sign.
    """
    if text.isascii() and text.isprintable():
        return text
    text = unicodedata.normalize("NFC", text.replace(SECOND, ""))
    signs = ((sign, cell_len(sign)) for sign in printable(text))
    return "".join(sign + SECOND if width > 1 else sign for sign, width in signs if width)


class Canvas:
    """Cells by row and column, counted from 0; the second cell of a wide sign has the sign ""."""

    def __init__(self, width: int, height: int, look: Look = PLAIN) -> None:
        self.width, self.height, self.look = width, height, look
        blank = Cell(" ", look)
        self.rows: list[list[Cell]] = [[blank] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, look: Look = PLAIN) -> int:
        """Write a text, cut at the edges; returns the column behind it.

        A colour that the look leaves out stays as it is in the cell.
        """
        text = columns(text)
        behind = x + len(text)
        if not text or not 0 <= y < self.height:
            return behind
        row, ink = self.rows[y], look.ink or self.look.ink
        full = Look(ink, look.ground, look.bold, look.reverse)
        for edge in (x, behind):
            self._halve(row, edge)
        for column, sign in enumerate(self._inside(text, x), max(0, x)):
            if not look.ground and row[column].look.ground != full.ground:
                full = Look(ink, row[column].look.ground, look.bold, look.reverse)
            row[column] = Cell("" if sign == SECOND else sign, full)
        return behind

    def _halve(self, row: list[Cell], edge: int) -> None:
        """Leave no half of a wide sign where others are written up to, or from, a column."""
        if 0 < edge < self.width and not row[edge].sign:
            for x in (edge - 1, edge):
                row[x] = Cell(" ", row[x].look)

    def _inside(self, text: str, x: int) -> str:
        """The part of a text that is not beyond the edges; half a sign is a space."""
        most = max(0, self.width - x)
        cut = text[most : most + 1] == SECOND
        shown = text[: most - 1] + " " if cut and most else text[:most]
        shown = shown[max(0, -x) :]
        return " " + shown[1:] if shown.startswith(SECOND) else shown

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
