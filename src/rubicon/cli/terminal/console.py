"""The terminal of line mode: reading lines, and printing them with colours or without."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, ClassVar, NoReturn, Protocol, TextIO

from rich.console import Console
from rich.style import Style
from rich.text import Text

from rubicon.errors import RubiconError
from rubicon.rules.events import Event
from rubicon.rules.refusals import Refused
from rubicon.wording import printable, printable_text

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession


# Text output: colours, symbols and line widths.
#
# A letter is always next to a colour, so the game can be played without seeing colours.

WIDTH = 79  # one less than eighty: some terminals wrap a line that fills the last column
GAP = "  "  # before the code of an error, where it follows the sentence

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


@dataclass(slots=True, eq=False)
class Output:
    """Where a game and its prompts say what they have to say: here lines of a terminal.

    With `shows_board` the board, an attack that waits and who sits at the keyboard are to be seen
    all the time, and need no lines.
    """

    console: Console
    symbols: Symbols
    shows_board: ClassVar[bool] = False

    @property
    def terminal(self) -> Output:
        """The lines of the terminal, to which a full screen comes back at its end."""
        return self

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
        """Print what someone must know now."""
        self.quiet(text)

    def event(self, text: str, colours: Collection[str]) -> None:
        """Print what has happened; one of the `colours` that begins the line is in that colour."""
        word = text.split(" ", 1)[0].rstrip(":")
        if word in colours:
            self.line((word, STYLES[word]), text[len(word) :])
        else:
            self.line(text)

    def alarm(self, title: str, error: RubiconError) -> None:
        """Print what must not be overlooked; the title says in two words what it is about."""
        self.error(error)

    def told(self, events: Sequence[Event] = ()) -> None:
        """Every viewer has seen the events, or has read what was new."""

    def clear(self, *, interactive: bool) -> None:
        """Wipe the terminal and the lines above it; between pipes, print a ruler."""
        if interactive:
            print("\x1b[3J\x1b[2J\x1b[H", end="", flush=True)
        else:
            self.line(self.symbols.line * 40)

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
    """The stable code of an error, and the ids of its rules."""
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
    """An owner's letter, and a text next to it, on the owner's colour."""
    return Text(f" {LETTERS[owner]}{text} ", STYLES[owner] + Style(bold=bold))


def cut(text: str, width: int, symbols: Symbols) -> str:
    """A text of at most `width` columns; an ellipsis replaces the end of a longer one."""
    return text if len(text) <= width else text[: width - 1] + symbols.ellipsis


# Reading lines: with history and completion at a terminal, line by line from a pipe.


class AskAgain(Exception):
    """Something happened elsewhere while a line was waited for: look, and ask again."""


class Keyboard(Protocol):
    """A source of typed lines."""

    interactive: bool
    draft: str  # a line to be corrected: a terminal shows it at the next question
    recalls: bool  # whether the arrow keys show the earlier lines of the seat that is asked

    def read(self, prompt: str) -> str:
        """The next line; EOFError at the end of the input, KeyboardInterrupt at control-C."""
        ...


class Pipe:
    """Lines from a file or a pipe; each is printed too, so that the output can be read alone."""

    interactive = False
    draft = ""
    recalls = True

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdin

    def read(self, prompt: str) -> str:
        """The next line; EOFError at the end of the stream."""
        print(prompt, end="", flush=True)
        line = self.stream.readline()
        if not line:
            print(flush=True)
            raise EOFError
        print(line.rstrip("\r\n"), flush=True)
        return line.strip()


class Terminal:
    """A person at a terminal; `words` is called at every completion."""

    interactive = True

    def __init__(self, words: Callable[[], Iterable[str]]) -> None:
        from prompt_toolkit.completion import WordCompleter

        self.completer = WordCompleter(lambda: list(words()), ignore_case=True)
        self.sessions: dict[str, PromptSession[str]] = {}
        self.asked = ""
        self.draft = ""
        self.recalls = True

    def session(self, owner: str) -> PromptSession[str]:
        """The prompt of one seat, with the lines typed there; "" has no history.

        Each seat has its own history: people at one keyboard must not see each other's
        orders with the arrow keys.
        """
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import DummyHistory, InMemoryHistory
        from prompt_toolkit.shortcuts import CompleteStyle

        if owner not in self.sessions:
            self.sessions[owner] = PromptSession(
                history=InMemoryHistory() if owner else DummyHistory(),
                completer=self.completer,
                complete_while_typing=False,
                complete_style=CompleteStyle.READLINE_LIKE,  # needs no empty lines for a menu
                reserve_space_for_menu=0,
            )
        return self.sessions[owner]

    def read(self, prompt: str) -> str:
        """The next line; EOFError at control-D, KeyboardInterrupt at control-C."""
        if not is_question(prompt):
            return self.session("").prompt(prompt).strip()
        self.asked = seat_asked(prompt, self.asked)
        session = self.session(self.asked if self.recalls else "")
        draft = "" if more_is_typed(session) else self.draft
        self.draft = ""
        typed = session.prompt(prompt, default=draft) if draft else session.prompt(prompt)
        return typed.strip()


def more_is_typed(session: PromptSession[str]) -> bool:
    """Whether keys wait already, as those of a pasted block do: they begin their own line."""
    from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead

    keys = get_typeahead(session.app.input)
    store_typeahead(session.app.input, keys)
    return bool(keys)


def is_question(prompt: str) -> bool:
    """Whether a prompt asks for more than Enter."""
    return prompt.endswith("> ")


def asks_seat(prompt: str) -> bool:
    """Whether a prompt asks a seat for an order, as `red attack> ` does; `orders> ` reads on."""
    return is_question(prompt) and " " in prompt.removesuffix(" ")


def seat_asked(prompt: str, before: str) -> str:
    """The seat that a prompt asks: `red attack> ` names it, `orders> ` continues with `before`."""
    return prompt.partition(" ")[0] if asks_seat(prompt) else before


def open_keyboard(words: Callable[[], Iterable[str]]) -> Keyboard:
    """The terminal that the program was started from, or a pipe."""
    return Terminal(words) if at_terminal() else Pipe()


def at_terminal() -> bool:
    """Whether both input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()
