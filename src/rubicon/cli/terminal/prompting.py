"""Reading what is typed: with history and completion at a terminal, line by line from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Protocol, TextIO


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
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.history import InMemoryHistory

        completer = WordCompleter(lambda: list(words()), ignore_case=True)
        self.session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(), completer=completer, complete_while_typing=False
        )

    def read(self, prompt: str) -> str:
        """The next line."""
        return self.session.prompt(prompt).strip()


def open_keyboard(words: Callable[[], Iterable[str]]) -> Keyboard:
    """The keyboard of whoever started us."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return Terminal(words)
    return Pipe()
