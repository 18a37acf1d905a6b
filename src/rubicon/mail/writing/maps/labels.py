"""Short names of territories for maps and tables: each is understood in orders."""

from __future__ import annotations

from functools import lru_cache

from rubicon.errors import RubiconError
from rubicon.rules.board.board import Board

SHORTEST, LONGEST = 3, 8  # letters of a name of one word
OF_WORD = 2  # letters of the last of several words


@lru_cache(maxsize=32)
def short_names(board: Board) -> tuple[str, ...]:
    """The short name of each territory, in the order of the board: Ala, W US, G Br."""
    return tuple(_short(board, t) for t in range(len(board.territories)))


def _short(board: Board, t: int) -> str:
    territory = board.territories[t]
    spellings = (territory.name, *territory.aliases)
    candidates = [text for spelling in spellings for text in _shortened(spelling)]
    meant = (text for text in sorted(candidates, key=_cost) if _means(board, text, t))
    return next(meant, territory.name)


def _cost(text: str) -> int:
    """Length without spaces; initials alone say least to the eye, so they count more."""
    letters = text.replace(" ", "")
    shouted = text.isupper() and " " not in text  # an alias such as NWT, which people know
    return len(letters) - shouted + (2 if len(letters) < SHORTEST else 0)


def _shortened(spelling: str) -> list[str]:
    words = spelling.split()
    if len(words) == 1:
        if spelling.isupper():
            return [spelling]
        return [spelling[:n] for n in range(SHORTEST, min(len(spelling), LONGEST) + 1)]
    *first, last = words
    initials = " ".join(word[0] for word in first)
    return [f"{initials} {last[:n]}" for n in range(OF_WORD, min(len(last), LONGEST) + 1)]


def _means(board: Board, text: str, t: int) -> bool:
    try:
        return board.index(text) == t
    except RubiconError:  # it fits several, or none
        return False
