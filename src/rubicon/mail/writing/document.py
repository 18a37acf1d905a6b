"""What an e-mail says, once, and how the seats are called in it; `layout` writes it down,
and adds nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from rubicon.rules.board.board import COLOURS
from rubicon.server.emails import one_line

# How the seats are called in e-mails: a content each, and the names of people.

NEUTRAL_COLOUR = "neutral"
LETTERS = {
    "red": "R",
    "blue": "B",
    "green": "G",
    "yellow": "Y",
    "grey": "E",
    "black": "K",
    NEUTRAL_COLOUR: "*",
}
assert set(LETTERS) >= set(COLOURS)
MOST_NAME = 24  # characters of a name
_LABEL = re.compile(r"\btoken\b", re.IGNORECASE)
_TAG = re.compile(
    r"(?:\+|%2b)(?=[a-z2-7]{26}(?:@|%40))", re.IGNORECASE
)  # of an address with a token


def shown_name(name: str, colour: str) -> str:
    """A name that people chose, as one printable line; the colour where there is none."""
    return harmless(name)[:MOST_NAME].strip() or colour.capitalize()


def harmless(text: str) -> str:
    """Words that people chose, as one printable line that means nothing to the reader of answers.

    Such as a line of ours, the label of a token, or an address with one.
    """
    line = one_line(text).replace("==", "--").replace("//", "/").replace('"', "'")
    line = _TAG.sub(" + ", line)
    return _LABEL.sub(lambda found: f"{found[0][:2]}-{found[0][2:]}", line)


# What an e-mail says, once: `as_text` and `as_html` write it, and add nothing.
#
# Text within a line is a string, or a tuple of strings and `Inline` values.


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that stand out."""

    text: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A seat: its content on its colour, or `text` there; `said` is what plain text has instead."""

    colour: str
    text: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A link; plain text has its address after it where `shown`."""

    text: str
    url: str
    shown: bool = False


@dataclass(frozen=True, slots=True)
class DiceOfRoll:
    """The dice of both sides, highest first, each with whether it won its pair.

    `small`: HTML writes digits instead of dice, where a table has no room for more.
    """

    attacker: str  # colour
    defender: str
    attack: tuple[tuple[int, bool], ...]
    defence: tuple[tuple[int, bool], ...]
    small: bool = False


Inline: TypeAlias = str | Strong | Tile | Link | DiceOfRoll
Words: TypeAlias = Inline | tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """The one heading of the first panel; plain text has it in the first line instead."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    words: Words
    quiet: bool = False
    bullet: bool = False  # plain text begins it with a star
    in_text: str = ""  # what is in its place in plain text, where nothing is drawn


@dataclass(frozen=True, slots=True)
class Steps:
    """Numbered lines."""

    lines: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class FactTable:
    """Facts in columns. A row of one cell is a heading inside the table.

    `right` are the columns of figures, which plain text aligns to the right too. A row whose first
    cell is empty goes on with the row above.
    """

    rows: tuple[tuple[Words, ...], ...]
    head: tuple[str, ...] = ()
    right: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to copy: orders, a code."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines shown unchanged, to read: a status, a list."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Button:
    text: str
    url: str
    first: bool = True


@dataclass(frozen=True, slots=True)
class Buttons:
    """Only in HTML, with a note: plain text says how to do the same by an answer."""

    buttons: tuple[Button, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """Only in HTML: the picture of the map; the e-mail carries it under `cid`."""

    cid: str
    width: int
    height: int
    alt: str


@dataclass(frozen=True, slots=True)
class FixedLines:
    """Lines of plain text, shown unchanged, such as the map; HTML has no such block."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chips:
    """Territories as tiles with their names; plain text has a table instead."""

    title: str
    chips: tuple[tuple[Tile, str], ...]


Block: TypeAlias = (
    Heading | Paragraph | Steps | FactTable | Code | Lines | Buttons | Picture | FixedLines | Chips
)


@dataclass(frozen=True, slots=True)
class Panel:
    """Blocks under a title. `framed`: on its own card in HTML."""

    blocks: tuple[Block, ...]
    title: str = ""
    framed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailContent:
    """A whole e-mail. `text` has its panels in the order of plain text, where that is another.

    `news` is the first line, which the inbox shows; `why` says why the e-mail comes.
    """

    subject: str
    news: str
    greeting: str
    panels: tuple[Panel, ...]
    text: tuple[Panel, ...] = field(default=())
    why: Words = ""
    game: str = ""  # the table's title
    url: str = ""  # of the game
    token_line: str = ""  # where an answer is possible
    reply_mark: str = ""
