"""What the names in a text may mean, and how much work has gone into finding that out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import TypeAlias

from rubicon.orders.problems import MOST_PROBLEMS, Problem
from rubicon.rules.board import Board
from rubicon.rules.board_names import Names, compact, words
from rubicon.rules.board_parts import one_of
from rubicon.rules.errors import RubiconError
from rubicon.rules.text.places import read_card

MOST_SEARCHES = 10  # for the names nearest to different words that are unknown: the slowest work
MOST_LOOKUPS = 400  # of different spellings
MOST_ORDERS = 200  # those behind IF and the requests too
MOST_ORDER_CHARACTERS = 6_000  # of all of them together, without messages
PLAUSIBLE = 0.75  # how alike a misspelt word must be to what it is taken for
CLEARLY = 0.06  # and by how much more than to anything else
SHORTEST = 3  # letters that may begin a name in the midst of prose
WILD = ("wild", "joker")


Near: TypeAlias = list[tuple[float, str, str]]  # likeness, id and name, the likest first


class TooMuch(Exception):
    """The text asks for more work than any honest one."""


class Finder:
    """The territories of a board by what people type; as `Board.index`, but never slow.

    A name and its abbreviation begin with the same letter, so only a few are compared.
    """

    def __init__(self, board: Board) -> None:
        spellings = [(t.id, t.name, *t.aliases) for t in board.territories]
        letters = {_letter(text) for texts in spellings for text in texts}
        self.ids = [territory.id for territory in board.territories]
        self.labels = [territory.name for territory in board.territories]
        self.spellings = spellings
        self.all = Names(spellings)
        self.openings = frozenset(
            part[:count]
            for texts in spellings
            for text in texts
            for part in (compact(text), *words(text))
            for count in range(SHORTEST if len(compact(text)) > 2 else 2, len(part) + 1)
        )
        self.by_letter = {
            letter: Names(
                [text for text in texts if _letter(text) == letter] for texts in spellings
            )
            for letter in letters
        }

    def find(self, text: str) -> tuple[int, ...]:
        """Those it may mean."""
        names = self.by_letter.get(_letter(text))
        return tuple(sorted(names.find(text))) if names else ()

    def begins(self, word: str) -> bool:
        """Whether a word begins a name or one of its words, and is no chance likeness."""
        return compact(word) in self.openings

    def nearest(self, text: str) -> list[tuple[float, int]]:
        """Those whose spelling is closest, the closest first, and how close."""
        typed = compact(text)[:100]
        found = [(self._likeness(typed, index), index) for index in self.all.nearest(text)]
        return sorted(found, reverse=True)

    def _likeness(self, typed: str, index: int) -> float:
        texts = self.spellings[index]
        return max(SequenceMatcher(None, compact(text), typed).ratio() for text in texts)


def _letter(text: str) -> str:
    found = words(text)
    return found[0][:1] if found else ""


@lru_cache(maxsize=8)
def finder_of(board: Board) -> Finder:
    """The finder of a board, made once."""
    return Finder(board)


class Desk:
    """Where a text is read: the board, the players, the problems so far, and the work done."""

    def __init__(self, board: Board, colours: Sequence[str], names: Mapping[str, str]) -> None:
        self.board = board
        self.finder = finder_of(board)
        self.colours = tuple(colours)
        self.people = {_key(name): colour for name, colour in names.items() if colour in colours}
        self.people |= {_key(colour): colour for colour in colours}
        self.problems: list[Problem] = []
        self.total = 0  # of the problems
        self.searches = 0
        self.orders = 0
        self.characters = 0
        self.looked_up: dict[str, tuple[int, ...]] = {}
        self._cards: dict[str, str | None] = {}
        self._near: dict[str, Near] = {}

    def note(self, problem: Problem) -> None:
        """Keep a problem; beyond the first twenty they are only counted."""
        self.total += 1
        if self.total <= MOST_PROBLEMS:
            self.problems.append(problem)

    def count_orders(self, number: int, characters: int = 0) -> None:
        """TooMuch where there are too many orders, or where they are too long."""
        self.orders += number
        self.characters += characters
        if self.orders > MOST_ORDERS:
            raise TooMuch(f"A text has at most {MOST_ORDERS} orders.")
        self.check_length(self.characters)

    def check_length(self, characters: int) -> None:
        """TooMuch where this is more than all orders together may have."""
        if characters > MOST_ORDER_CHARACTERS:
            most = MOST_ORDER_CHARACTERS
            raise TooMuch(f"All orders together have at most {most} characters.")

    def places(self, text: str) -> tuple[int, ...]:
        """The territories that a text may mean, by their indices."""
        if text not in self.looked_up:
            if len(self.looked_up) == MOST_LOOKUPS:
                raise TooMuch(f"At most {MOST_LOOKUPS} different spellings of names are read.")
            self.looked_up[text] = self.finder.find(text)
        return self.looked_up[text]

    def place(self, text: str) -> str | None:
        """The id of the one territory that a text means."""
        found = self.places(text)
        return self.finder.ids[found[0]] if len(found) == 1 else None

    def card(self, text: str) -> str | None:
        """The id of the one card that a text means."""
        if not text.startswith(WILD):
            return self.place(text)
        if text not in self._cards:
            self._cards[text] = self._read_card(text)
        return self._cards[text]

    def _read_card(self, text: str) -> str | None:
        if self.searches >= MOST_SEARCHES:
            return None
        try:
            return read_card(self.board, text)
        except RubiconError:
            self.searches += 1
            return None

    def near_places(self, text: str) -> Near:
        """Likeness, id and name of the territories that were perhaps meant, the likest first."""
        if text not in self._near:
            if not self._may_search():
                return []
            finder = self.finder
            near = [(like, finder.ids[t], finder.labels[t]) for like, t in finder.nearest(text)]
            self._near[text] = near
        return self._near[text]

    def near_words(self, word: str, known: Iterable[str]) -> Near:
        """The same for other words."""
        if not self._may_search():
            return []
        close = get_close_matches(word[:100], list(known), 3, 0.6)
        return [(SequenceMatcher(None, name, word[:100]).ratio(), name, name) for name in close]

    def _may_search(self) -> bool:
        self.searches += 1
        return self.may_search

    @property
    def may_search(self) -> bool:
        """Whether nothing was left unsearched so far."""
        return self.searches <= MOST_SEARCHES

    def players(self, text: str, *, in_full: bool = True) -> set[str]:
        """The colours of those that a colour, a name or the beginning of one may mean."""
        typed = _key(text)
        if typed in self.people:
            return {self.people[typed]}
        if in_full or not typed:
            return set()
        return {colour for name, colour in self.people.items() if name.startswith(typed)}


def plausible(near: Near) -> str | None:
    """The one that must have been meant, where there is only one."""
    if not near or near[0][0] < PLAUSIBLE:
        return None
    return near[0][1] if len(near) == 1 or near[0][0] - near[1][0] >= CLEARLY else None


def did_you_mean(near: Near) -> str:
    """A suggestion, or ""."""
    return f"Did you mean {one_of([label for _, _, label in near])}?" if near else ""


def _key(name: str) -> str:
    plain = "".join(unicodedata.normalize("NFKC", name).casefold().split())
    return plain.rstrip(".,!;") or plain
