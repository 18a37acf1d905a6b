"""Short names for a map: three letters for each territory, and names with directions cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from rubicon.cli.terminal.display.board_view import SHORTER, in_brief
from rubicon.errors import RubiconError
from rubicon.rules.board.board import Board

LENGTH = 3
WORD = re.compile(rf"(?<![\w_])[^\W\d_]{{{LENGTH}}}(?![\w_])")


def words_of(name: str) -> list[str]:
    """The words of a name, letters alone."""
    kept = "".join(sign if sign.isalpha() else " " for sign in name)
    return kept.split()


def spellings(name: str) -> Iterator[str]:
    """Three letters that may stand for a name, the most telling first."""
    words = words_of(name) or ["Xxx"]
    first, *more = in_brief(name).split() or [""]
    if first.isupper() and len(first) == LENGTH - 1 and more:  # Northwest, Southeast
        yield first + more[0][0].upper()
    if len(words) >= LENGTH:
        yield "".join(word[0].upper() for word in words[:LENGTH])
    if len(words) > 1:
        yield words[0][0].upper() + words[-1][:2].capitalize()
    for word in words:
        yield word[:LENGTH].capitalize()
    letters = "".join(words)
    for second in range(1, len(letters)):
        for third in range(second + 1, len(letters)):
            yield (letters[0] + letters[second] + letters[third]).capitalize()
    for number in range(10, 100):
        yield f"{letters[0].upper()}{number}"


@cache
def codes(board: Board) -> tuple[str, ...]:
    """A code of three letters for each territory; no two are the same, whatever their case."""
    found: list[str] = []
    taken: set[str] = set()
    for territory in board.territories:
        code = next(c for c in spellings(territory.name) if c.casefold() not in taken)
        taken.add(code.casefold())
        found.append(code)
    return tuple(found)


def map_name(name: str) -> str:
    """A name as it stands on a large map: directions become letters, long words shorter."""
    short = in_brief(name)
    for word, shorter in SHORTER.items():
        short = short.replace(word, shorter)
    return short


@cache
def _meanings(board: Board) -> Mapping[str, str]:
    """The territory of each code that would mean none, or several, without being a code."""
    found = {}
    for code, territory in zip(codes(board), board.territories, strict=True):
        try:
            board.index(code)
        except RubiconError:
            found[code.casefold()] = territory.id
    return found


def without_codes(text: str, board: Board) -> str:
    """An order with the ids of territories in place of the codes of the map: `NAf` is typed too.

    Words that mean something without that stay as they are.
    """
    meanings = _meanings(board)
    return WORD.sub(lambda word: meanings.get(word[0].casefold(), word[0]), text)
