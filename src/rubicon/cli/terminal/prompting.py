"""Reading what is typed: with history and completion at a terminal, line by line from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession


class Keyboard(Protocol):
    """Where lines come from."""

    interactive: bool

    def read(self, prompt: str) -> str:
        """The next line; EOFError at the end of the input, KeyboardInterrupt at control-C."""
        ...


class Pipe:
    """Lines from a file or a pipe, echoed so that what is printed can be read on its own."""

    interactive = False

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdin

    def read(self, prompt: str) -> str:
        """The next line."""
        print(prompt, end="", flush=True)
        line = self.stream.readline()
        if not line:
            print(flush=True)
            raise EOFError
        print(line.rstrip("\r\n"), flush=True)
        return line.strip()


class Terminal:
    """A person at a terminal; the words to complete are asked for anew at every prompt."""

    interactive = True

    def __init__(self, words: Callable[[], Iterable[str]]) -> None:
        from prompt_toolkit.completion import WordCompleter

        self.completer = WordCompleter(lambda: list(words()), ignore_case=True)
        self.sessions: dict[str, PromptSession[str]] = {}
        self.asked = ""

    def session(self, owner: str) -> PromptSession[str]:
        """Where somebody types, with the history of what that person has typed; "" is nobody."""
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
        """The next line."""
        self.asked = owner_of(prompt, self.asked)
        return self.session(self.asked if is_question(prompt) else "").prompt(prompt).strip()


def is_question(prompt: str) -> bool:
    """Whether more than Enter is waited for."""
    return prompt.endswith("> ")


def owner_of(prompt: str, before: str) -> str:
    """Who is asked: `red attack> ` names a seat, `orders> ` goes on with the one before."""
    seat, space, _ = prompt.removesuffix(" ").partition(" ")
    return seat if space and is_question(prompt) else before


def open_keyboard(words: Callable[[], Iterable[str]]) -> Keyboard:
    """The keyboard of whoever started us."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return Terminal(words)
    return Pipe()
