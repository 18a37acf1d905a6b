"""Colours and marks. A letter always stands beside a colour, so that colour is never needed."""

import errno
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, NoReturn

from rich.console import Console
from rich.style import Style
from rich.text import Text

WIDTH = 79  # one less than eighty, so that no terminal wraps

LETTERS = {
    "red": "R",
    "blue": "B",
    "green": "G",
    "yellow": "Y",
    "grey": "E",
    "black": "K",
    "neutral": "N",
    "nobody": ".",
}

# Both colours are given, so that light and dark terminals show the same.
STYLES = {
    "red": Style(color="#ffffff", bgcolor="#b3261e"),
    "blue": Style(color="#ffffff", bgcolor="#1d4fb8"),
    "green": Style(color="#ffffff", bgcolor="#1b6e33"),
    "yellow": Style(color="#241c00", bgcolor="#edbf21"),
    "grey": Style(color="#10151a", bgcolor="#a9b1ba"),
    "black": Style(color="#ffffff", bgcolor="#2b2b2b"),
    "neutral": Style(color="#3a2f20", bgcolor="#d9ccb4"),
    "nobody": Style(dim=True),
}
QUIET = Style(dim=True)
STRONG = Style(bold=True)


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs on the map, and the lines between its parts."""

    city: str = "⌂"
    capital: str = "★"
    airfield: str = "▲"
    card: str = "♦"
    line: str = "─"
    turn: str = "▶"
    arrow: str = "→"
    dot: str = "·"
    minus: str = "−"
    cut: str = "…"


FANCY = Marks()
ASCII = Marks("c", "*", "^", "#", "-", ">", "->", "-", "-", "~")


class Screen(Console):
    """A console that leaves it to its callers what is to be done when nobody reads any more."""

    def on_broken_pipe(self) -> NoReturn:
        """Tell the callers, who have a game to keep."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


@dataclass(frozen=True, slots=True)
class Paint:
    """Where things are drawn, and with which marks."""

    console: Console
    marks: Marks

    def line(self, *parts: str | Text | tuple[str, Style]) -> None:
        """Print one line as it is, however long."""
        self.console.print(Text.assemble(*parts), soft_wrap=True, highlight=False)

    def lines(self, texts: Iterable[Text]) -> None:
        """Print lines."""
        for text in texts:
            self.console.print(text, soft_wrap=True, highlight=False)

    def prose(self, text: str, indent: str = "") -> None:
        """Print a sentence or more, broken at the width, but never within the name of a file."""
        import textwrap

        wrapper = textwrap.TextWrapper(WIDTH, break_long_words=False, break_on_hyphens=False)
        for part in text.splitlines() or [""]:
            wrapper.subsequent_indent = indent or leading(part)
            for line in wrapper.wrap(part) or [""]:
                self.line(line)


def leading(text: str) -> str:
    """The spaces that a line begins with."""
    return text[: len(text) - len(text.lstrip())]


def make_paint(plain: bool, stream: IO[str] | None = None) -> Paint:
    """Draw on a stream: in colours where it is a terminal that has them and nobody objects."""
    stream = stream or sys.stdout
    encoding = (getattr(stream, "encoding", None) or "ascii").lower()
    marks = FANCY if encoding.startswith("utf") and not plain else ASCII
    dumb = os.environ.get("TERM") == "dumb"
    console = Screen(
        file=stream, width=WIDTH, no_color=True if plain or dumb else None, legacy_windows=False
    )
    if plain:
        console = Screen(file=stream, width=WIDTH, color_system=None, force_terminal=False)
    return Paint(console, marks)


def badge(owner: str, text: str = "", *, bold: bool = True) -> Text:
    """An owner's letter, and something beside it, on the owner's colour."""
    return Text(f" {LETTERS[owner]}{text} ", STYLES[owner] + Style(bold=bold))


def cut(text: str, width: int, marks: Marks) -> str:
    """A text at most so wide."""
    return text if len(text) <= width else text[: width - 1] + marks.cut
