"""Reading lines: with history and completion at a terminal, line by line from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession


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

        Each seat has a history of its own: people at one keyboard must not see each other's
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
    """Whether keys wait already, as those of a pasted block do: they begin a line of their own."""
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
