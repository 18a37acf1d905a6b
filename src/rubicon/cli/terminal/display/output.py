"""Text output: colours, symbols and line widths.

A letter always stands beside a colour, so the game can be played without seeing colours.
"""

import errno
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, NoReturn

from rich.console import Console
from rich.style import Style
from rich.text import Text

from rubicon.errors import RubiconError
from rubicon.rules.refusals import Refused
from rubicon.wording import printable, printable_text

WIDTH = 79  # one less than eighty: some terminals wrap a line that fills the last column
GAP = "  "  # before the code of an error, where it stands behind the sentence

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

# Both foreground and background are set, so that light and dark terminals look the same.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbols:
    """The characters that mark things on the map and in sentences; the default needs Unicode."""

    city: str = "⌂"
    capital: str = "★"
    airfield: str = "▲"
    card: str = "♦"
    line: str = "─"
    turn: str = "▶"
    arrow: str = "→"
    dot: str = "·"
    minus: str = "−"
    ellipsis: str = "…"


UNICODE = Symbols()
ASCII = Symbols(
    city="c",
    capital="*",
    airfield="^",
    card="#",
    line="-",
    turn=">",
    arrow="->",
    dot="-",
    minus="-",
    ellipsis="~",
)


class TerminalConsole(Console):
    """A console that raises BrokenPipeError instead of ending the program.

    The caller still has a game to save when the reader of the output is gone.
    """

    def on_broken_pipe(self) -> NoReturn:
        """Raise BrokenPipeError; rich's own method would exit here."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


@dataclass(frozen=True, slots=True)
class Output:
    """Prints lines and sentences to one console, with one set of symbols."""

    console: Console
    symbols: Symbols

    def line(self, *parts: str | Text | tuple[str, Style]) -> None:
        """Print one line as it is, however long; only the styles of its parts reach the terminal.

        Names, chat and whatever a server answers were written by others.
        """
        self.console.print(harmless(Text.assemble(*parts)), soft_wrap=True, highlight=False)

    def lines(self, texts: Iterable[Text]) -> None:
        """Print several lines as they are."""
        for text in texts:
            self.line(text)

    def prose(self, text: str, indent: str = "") -> None:
        """Print sentences, wrapped at the width; a file name is never broken."""
        for line in wrapped(text, indent):
            self.line(line)

    def quiet(self, text: str, indent: str = "") -> None:
        """Print sentences in grey."""
        for line in wrapped(text, indent):
            self.line((line, QUIET))

    def notice(self, text: str) -> None:
        """Print what somebody must know now."""
        self.quiet(text)

    def document(self, text: str, *, interactive: bool) -> None:
        """Print a long text as it is, page by page for a person at a terminal."""
        text = printable_text(text)
        if interactive:
            import click

            click.echo_via_pager(text)
        else:
            print(text)

    def error(self, error: RubiconError, suggestion: str | None = None) -> None:
        """Print what is wrong and what to do; the code and rule ids follow in grey.

        `suggestion` replaces the error's own, if given.
        """
        advice = error.suggestion if suggestion is None else suggestion
        *lines, last = wrapped(f"{sentence_of(error)} {advice}".strip())
        for line in lines:
            self.line(line)
        reference = reference_of(error)
        if len(last) + len(GAP) + len(reference) <= WIDTH:
            self.line(last + GAP, (reference, QUIET))
        else:
            self.line(last)
            self.line((GAP + reference, QUIET))


def harmless(text: Text) -> Text:
    """A text without anything that a terminal obeys; its styles stay."""
    text.plain = printable(text.plain)
    return text


def sentence_of(error: RubiconError) -> str:
    """What is wrong, in one sentence."""
    return error.message


def reference_of(error: RubiconError) -> str:
    """The stable code of an error, and the ids of the rules behind it."""
    rules = error.rules if isinstance(error, Refused) else ()
    return f"[{', '.join((error.code, *rules))}]"


def wrapped(text: str, indent: str = "") -> list[str]:
    """The lines of a text at the width; lines after the first of a paragraph are indented."""
    import textwrap

    wrapper = textwrap.TextWrapper(WIDTH, break_long_words=False, break_on_hyphens=False)
    lines: list[str] = []
    for part in text.splitlines() or [""]:
        wrapper.subsequent_indent = indent or leading(part)
        lines += wrapper.wrap(part) or [""]
    return lines


def leading(text: str) -> str:
    """The spaces that a line begins with."""
    return text[: len(text) - len(text.lstrip())]


def make_output(plain: bool, stream: IO[str] | None = None) -> Output:
    """Output to a stream (standard output if None).

    Colours need a terminal that has them; `plain`, NO_COLOR and TERM=dumb switch them off.
    """
    stream = stream or sys.stdout
    encoding = (getattr(stream, "encoding", None) or "ascii").lower()
    symbols = UNICODE if encoding.startswith("utf") and not plain else ASCII
    dumb = os.environ.get("TERM") == "dumb"
    console = TerminalConsole(
        file=stream, width=WIDTH, no_color=True if plain or dumb else None, legacy_windows=False
    )
    if plain:
        console = TerminalConsole(file=stream, width=WIDTH, color_system=None, force_terminal=False)
    return Output(console, symbols)


def badge(owner: str, text: str = "", *, bold: bool = True) -> Text:
    """An owner's letter, and a text beside it, on the owner's colour."""
    return Text(f" {LETTERS[owner]}{text} ", STYLES[owner] + Style(bold=bold))


def cut(text: str, width: int, symbols: Symbols) -> str:
    """A text of at most `width` columns; an ellipsis replaces the end of a longer one."""
    return text if len(text) <= width else text[: width - 1] + symbols.ellipsis
