"""A grid of terminal cells, and the colours of its themes."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len

from rubicon.wording import printable

# A grid of terminal cells: what a screen shows, before any library draws it.

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

    SECOND follows a sign that is two columns wide. Nothing that a terminal obeys is left in
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
        """Write a text, cut at the edges; returns the column after it.

        A colour that the look leaves out stays as it is in the cell.
        """
        text = columns(text)
        after = x + len(text)
        if not text or not 0 <= y < self.height:
            return after
        row, ink = self.rows[y], look.ink or self.look.ink
        full = Look(ink, look.ground, look.bold, look.reverse)
        for edge in (x, after):
            self._halve(row, edge)
        for column, sign in enumerate(self._inside(text, x), max(0, x)):
            if not look.ground and row[column].look.ground != full.ground:
                full = Look(ink, row[column].look.ground, look.bold, look.reverse)
            row[column] = Cell("" if sign == SECOND else sign, full)
        return after

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
        """Write parts one after the other; returns the column after the last."""
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


# The colours of the full screen: those of the web app, and tables for older terminals.

SHADES = 4  # of each owner's land, for neighbours of one owner
SEATS = ("red", "blue", "green", "yellow", "grey", "black", "neutral", "nobody")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by name, and four shades of land for each owner.

    `mixed`: land that is not meant can be drawn back. `outlines`: the map is lines, without land
    in colours. Without `colours` nothing has a colour.
    """

    name: str
    tokens: Mapping[str, str] = field(repr=False)
    shades: Mapping[str, tuple[str, ...]] = field(repr=False)
    mixed: bool = True
    outlines: bool = False
    colours: bool = True

    def __getitem__(self, token: str) -> str | None:
        return self.tokens.get(token)


def tokens_of(text: str) -> dict[str, str]:
    """Colours from lines of names and values."""
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def shades_of(text: str) -> dict[str, tuple[str, ...]]:
    """The shades from lines of an owner and four colours."""
    rows = (line.split() for line in text.strip().splitlines())
    return {owner: tuple(shades) for owner, *shades in rows}


LIGHT = Theme(
    "light",
    tokens_of("""
    paper #faf8f3 card #ffffff ink #16212c ink-2 #465462 ink-3 #5d6a77 line #857f73
    accent #7a2463 accent-wash #f5e8f1 accent-text #7a2463 on-accent #ffffff
    good #17704a bad #a8261b warn #7d5200 sea #bcd4de shallow #deecf1 sea-ink #3a5b6b
    red #b02a1b red-on #ffffff red-name #2a0d08 blue #2f5fc0 blue-on #ffffff blue-name #0b1a3b
    green #58a87c green-on #0b2318 green-name #0b2318
    yellow #f4cf2b yellow-on #2b2200 yellow-name #2b2200
    grey #b4c1cd grey-on #18222b grey-name #18222b black #20262f black-on #ffffff
    black-name #ffffff black-edge #353b44 neutral #fbf8f0 neutral-on #16212c neutral-name #16212c
    nobody #efeadd nobody-on #16212c nobody-name #16212c
    """),
    shades_of("""
    red #d27a68 #ca6e5c #c2614f #ba5442
    blue #7599d9 #688ed2 #5c83cc #4f78c6
    green #bfe3ca #a8d9b8 #95ceaa #84c29d
    yellow #f2da7a #e9cd60 #e0c047 #d7b22d
    grey #aeb9c5 #a0adba #92a1ae #8594a3
    black #696f78 #5c626b #525861 #474d56
    neutral #efeadd #e3ddcc #d8d0bb #cdc4ab
    nobody #efeadd #e3ddcc #d8d0bb #cdc4ab
    """),
)
DARK = Theme(
    "dark",
    tokens_of("""
    paper #0e151c card #16202a ink #eef2f5 ink-2 #b3bfca ink-3 #8d9ba8 line #6c7b89
    accent #a33f88 accent-wash #33172c accent-text #e5a5d3 on-accent #ffffff
    good #6fcf9d bad #ff9a8a warn #f0c05a sea #0b1823 shallow #1a3142 sea-ink #8fb3c4
    red #c9402d red-on #ffffff red-name #ffe9e4 blue #4172d8 blue-on #ffffff blue-name #e9f0ff
    green #4fbf93 green-on #03180f green-name #e3fff5
    yellow #f2cf45 yellow-on #231b00 yellow-name #1a1400
    grey #c3ced8 grey-on #111a22 grey-name #0b1219 black #10151b black-on #ffffff
    black-name #f0f4f8 black-edge #6d7885 neutral #d9d2c2 neutral-on #16212c
    neutral-name #f3efe4 nobody #3d4147 nobody-on #eef2f5 nobody-name #eef2f5
    """),
    shades_of("""
    red #833225 #9c3d2e #a94636 #b64f3e
    blue #253b6d #2f4a8a #3857a0 #4161aa
    green #1b806f #238977 #2c927e #349c85
    yellow #ab8d25 #b8992f #c5a63a #d2b244
    grey #8c99a7 #98a5b2 #a4b1be #b1bdc9
    black #2c323a #383f48 #444c56 #505964
    neutral #4b4a44 #56544d #615f57 #6b6961
    nobody #3d4147 #464a50 #4f5359 #585c62
    """),
)
# Chosen by hand from the 256: rounding would make red land olive, next to yellow.
FEW = Theme(
    "256 colours",
    tokens_of("""
    paper #121212 card #262626 ink #eeeeee ink-2 #b2b2b2 ink-3 #949494 line #6c6c6c
    accent #af00af accent-wash #5f005f accent-text #d7afd7 on-accent #ffffff
    good #87d787 bad #ff8787 warn #ffd75f sea #121212 shallow #00005f sea-ink #87afd7
    red #d70000 red-on #ffffff red-name #ffffff blue #005fff blue-on #ffffff blue-name #ffffff
    green #00af5f green-on #000000 green-name #ffffff
    yellow #ffd700 yellow-on #000000 yellow-name #000000
    grey #d0d0d0 grey-on #000000 grey-name #000000 black #000000 black-on #ffffff
    black-name #ffffff black-edge #767676 neutral #d7d7af neutral-on #000000
    neutral-name #000000 nobody #585858 nobody-on #ffffff nobody-name #ffffff
    """),
    shades_of("""
    red #870000 #af0000 #5f0000 #d70000
    blue #005faf #0000af #0087d7 #000087
    green #00875f #00af87 #005f5f #00af5f
    yellow #d7af00 #af8700 #d7d700 #d7af5f
    grey #8a8a8a #a8a8a8 #9e9e9e #b2b2b2
    black #303030 #444444 #3a3a3a #4e4e4e
    neutral #878787 #949494 #878787 #949494
    nobody #585858 #626262 #585858 #626262
    """),
    mixed=False,
)
# The sixteen colours, as terminals name them; land has none, only figures have.
SIXTEEN = Theme(
    "16 colours",
    tokens_of("""
    ink #ffffff ink-2 #c0c0c0 ink-3 #808080 line #808080 accent #800080 accent-wash #800080
    accent-text #ff00ff on-accent #ffffff good #00ff00 bad #ff0000 warn #ffff00 sea-ink #008080
    red #800000 red-on #ffffff blue #000080 blue-on #ffffff green #008000 green-on #ffffff
    yellow #ffff00 yellow-on #000000 grey #c0c0c0 grey-on #000000 black #000000 black-on #ffffff
    neutral #808080 neutral-on #ffffff nobody-on #c0c0c0 paper #000000 card #000000
    """),
    {},
    mixed=False,
    outlines=True,
)
NONE = Theme("no colour", {}, {}, mixed=False, outlines=True, colours=False)


def mix(one: str, other: str, part: float) -> str:
    """A colour between two: `part` 0 is the first, 1 the other."""
    pairs = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a * (1 - part) + b * part):02x}" for a, b in pairs)


def readable(ground: str) -> str:
    """Dark or light ink, whichever stands out on a colour."""
    red, green, blue = (int(ground[at : at + 2], 16) for at in (1, 3, 5))
    return "#18222b" if 0.3 * red + 0.59 * green + 0.11 * blue > 118 else "#d5dce2"


def theme_for(colour_system: str | None, wanted: str) -> Theme:
    """The theme for what a terminal can show.

    `colour_system` is `truecolor`, `256`, `standard` or None for no colours, as rich names them;
    `wanted` is `dark` or `light`.
    """
    match colour_system:
        case None:
            return NONE
        case "256":
            return FEW
        case "standard" | "windows":
            return SIXTEEN
    return LIGHT if wanted == "light" else DARK


# What every screen has.

LEAST = (60, 20)  # columns and rows of the full screen


def is_at_least(width: int, height: int, size: tuple[int, int]) -> bool:
    """Whether a terminal has this size."""
    return width >= size[0] and height >= size[1]


def page(width: int, height: int, theme: Theme) -> Canvas:
    """An empty screen: its whole ground is painted."""
    return Canvas(width, height, Look(theme["ink"], theme["paper"]))


def strong(theme: Theme) -> Look:
    """What you can do or have chosen."""
    return Look(theme["accent-text"], bold=True)


def quiet(theme: Theme, step: int = 3) -> Look:
    """Grey text; step 2 is darker than 3."""
    return Look(theme[f"ink-{step}"])
