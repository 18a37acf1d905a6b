"""What a terminal must be sent so that it shows other cells: the signs that differ, no more.

A screen over a slow line is as fast as it is short. The sequences are those of ECMA-48 that every
terminal of the full screen knows: to a place, some columns on, and the look of what follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rich.cells import cell_len
from rich.color import Color, ColorSystem

from rubicon.cli.screen.canvas import Cell, Look

Rows = Sequence[Sequence[Cell]]
RESET = "\x1b[0m"
FEW = 3  # equal cells of the same look between two that differ are shorter than a movement


def changes(before: Rows, after: Rows, colours: ColorSystem | None) -> str:
    """The text that turns one screen into another of the same size; "" where nothing differs.

    `colours` are those that the terminal knows; None for none. Expects the plain look, and leaves
    it behind.
    """
    pen = Pen(colours)
    parts = [
        part
        for y, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
        for part in _of_row(y, old, new, pen)
    ]
    return "".join([*parts, RESET]) if parts else ""


class Pen:
    """The look that the terminal writes with now."""

    def __init__(self, colours: ColorSystem | None) -> None:
        self._colours = colours
        self.look: Look | None = None

    def taken_up(self, look: Look) -> str:
        """The sequence for another look: only what differs."""
        before, self.look = self.look, look
        if before == look:
            return ""
        codes: list[str] = []
        if before is None or (before.bold, before.reverse) != (look.bold, look.reverse):
            codes += ["0", *(["1"] if look.bold else []), *(["7"] if look.reverse else [])]
            before = Look()  # after a reset
        if before.ink != look.ink:
            codes += _codes(look.ink, self._colours, ink=True)
        if before.ground != look.ground:
            codes += _codes(look.ground, self._colours, ink=False)
        return f"\x1b[{';'.join(codes)}m" if codes else ""


def _of_row(y: int, old: Sequence[Cell], new: Sequence[Cell], pen: Pen) -> list[str]:
    parts: list[str] = []
    at = -1  # the terminal's column, where it is known to be in this row
    for x, cell in enumerate(new):
        if cell == old[x] or not cell.sign:  # the second half of a wide sign comes with the first
            continue
        gap = x - at
        if at < 0:
            parts.append(f"\x1b[{y + 1};{x + 1}H")
        elif 0 < gap <= FEW and all(between.look == pen.look for between in new[at:x]):
            parts.append("".join(between.sign for between in new[at:x]))
        elif gap:
            parts.append(f"\x1b[{gap}C" if gap > 1 else "\x1b[C")
        parts += pen.taken_up(cell.look), cell.sign
        # Nobody knows how wide a terminal draws such a sign: the next one is placed anew.
        at = x + 1 if cell_len(cell.sign) == 1 else -1
    return parts


@lru_cache(maxsize=1024)
def _codes(colour: str | None, colours: ColorSystem | None, *, ink: bool) -> tuple[str, ...]:
    """The parameters of a colour as the terminal knows it."""
    if colours is None:
        return ()
    if colour is None:
        return ("39",) if ink else ("49",)
    return tuple(Color.parse(colour).downgrade(colours).get_ansi_codes(foreground=ink))
