"""The line numbers of tables, keys and words in a TOML text, which `tomllib` does not give."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

_TOKEN = re.compile(
    r"""
      \#[^\n]*
    | \"{3} (?: \\. | [^\\] )*? \"{3,5}
    | '{3} .*? '{3,5}
    | " (?: \\. | [^"\\\n] )* "
    | ' [^'\n]* '
    | [\[\]{}=,\n]
    | [^\s\[\]{}=,\#"']+
    """,
    re.VERBOSE | re.DOTALL,
)

Place: TypeAlias = tuple[str | int, ...]


class Token(NamedTuple):
    """A word, a string, a bracket, a comma, an equals sign or the end of a line."""

    text: str
    line: int


class LineNumbers:
    """The lines of each `[[section]]`, of its keys and of the words in their values.

    The text is not validated; for a place that is not found, `line` gives the nearest one.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[Place, int] = {}
        self._seen: Counter[str] = Counter()
        self._section: Place = ()
        for statement in _statements(text):
            if statement[0].text == "[":
                self._header(statement)
            else:
                self._pair(statement)

    def line(self, section: str, number: int = 0, *within: str) -> int:
        """The line of a section, a key or a word, as precise as it is known; 1 if nothing is."""
        places: list[Place] = [(section, number, *within[:end]) for end in range(len(within) + 1)]
        for place in (*reversed(places), (section,)):
            if place in self._lines:
                return self._lines[place]
        return 1

    def _header(self, statement: list[Token]) -> None:
        name, *inner = _path(token for token in statement if token.text not in "[]")
        if not inner:
            self._section = (name, self._seen[name])
            self._seen[name] += 1
        else:
            self._section = (name, max(0, self._seen[name] - 1), *inner)
        self._note(statement[0].line, *self._section)
        self._note(statement[0].line, name)

    def _pair(self, statement: list[Token]) -> None:
        cut = next((at for at, token in enumerate(statement) if token.text == "="), 0)
        place = (*self._section, *_path(statement[:cut]))
        for end in range(max(1, len(self._section)), len(place) + 1):
            self._note(statement[0].line, *place[:end])
        for token in statement[cut:]:
            self._note(token.line, *place[:3], _bare(token.text))

    def _note(self, line: int, *place: str | int) -> None:
        self._lines.setdefault(place, line)


def _statements(text: str) -> Iterator[list[Token]]:
    """The statements: headers, and keys with values, which may span several lines."""
    statement: list[Token] = []
    depth = 0
    for token in _tokens(text):
        if token.text != "\n":
            depth += (token.text in "[{") - (token.text in "]}")
            statement.append(token)
        elif depth <= 0 and statement:
            yield statement
            statement, depth = [], 0
    if statement:
        yield statement


def _tokens(text: str) -> Iterator[Token]:
    line, counted = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        if match[0][0] != "#":
            yield Token(match[0], line)


def _path(tokens: Iterator[Token] | list[Token]) -> tuple[str, ...]:
    return tuple("".join(_bare(token.text) for token in tokens).split("."))


def _bare(text: str) -> str:
    return text.strip("\"'")
