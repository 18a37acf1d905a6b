"""Resolves the names in an order text, within limits on the work that one text may cause."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import TypeAlias

from rubicon.errors import RubiconError
from rubicon.orders.errors import MOST_PROBLEMS, OrderProblem
from rubicon.rules.board.board import Board
from rubicon.rules.board.names import BoardNames, compact, words
from rubicon.rules.notation.places import read_card
from rubicon.wording import one_of

MOST_SEARCHES = 10  # for names similar to an unknown word, which is the slowest work
MOST_LOOKUPS = 400  # different spellings of names
MOST_ORDERS = 200  # in a text, with requests and the orders behind IF
MOST_ORDER_CHARACTERS = 6_000  # of all of them together, without messages
PLAUSIBLE = 0.75  # likeness, 0 to 1, from which a misspelt word is corrected
CLEARLY = 0.06  # by which the likeness must be greater than that of the next best name
SHORTEST = 3  # letters with which a name may begin in prose
WILD = ("wild", "joker")


Candidates: TypeAlias = list[tuple[float, str, str]]  # likeness, id and name, most alike first


class TooLongError(Exception):
    """The text is longer, or takes more work to parse, than the limits allow."""


class TerritoryIndex:
    """The territories of a board by what players type; like `Board.index`, but with bounded work.

    A name and its abbreviation begin with the same letter, so only names with that first letter
    are compared.
    """

    def __init__(self, board: Board) -> None:
        spellings = [(t.id, t.name, *t.aliases) for t in board.territories]
        translated = [[name for _, name in t.names] for t in board.territories]
        letters = {_letter(text) for texts in (*spellings, *translated) for text in texts}
        self.ids = [territory.id for territory in board.territories]
        self.labels = [territory.name for territory in board.territories]
        self.spellings = spellings
        self.neighbours = _neighbours(board)
        self.all = BoardNames(spellings)
        self.openings = frozenset(
            part[:count]
            for texts in spellings
            for text in texts
            for part in (compact(text), *words(text))
            for count in range(SHORTEST if len(compact(text)) > 2 else 2, len(part) + 1)
        )
        self.by_letter = {
            letter: BoardNames(_beginning(letter, spellings), _beginning(letter, translated))
            for letter in letters
        }

    def find(self, text: str) -> tuple[int, ...]:
        """The indices of the territories that a text may mean."""
        names = self.by_letter.get(_letter(text))
        return tuple(sorted(names.find(text))) if names else ()

    def begins(self, word: str) -> bool:
        """Whether a word, of at least three letters, begins a name or one of its words."""
        return compact(word) in self.openings

    def nearest(self, text: str) -> list[tuple[float, int]]:
        """Likeness (0 to 1) and index of the most similar territories, best first."""
        # SequenceMatcher takes quadratic time, so the text is cut.
        typed = compact(text)[:100]
        found = [(self._likeness(typed, index), index) for index in self.all.nearest(text)]
        return sorted(found, reverse=True)

    def _likeness(self, typed: str, index: int) -> float:
        texts = self.spellings[index]
        return max(SequenceMatcher(None, compact(text), typed).ratio() for text in texts)


def _neighbours(board: Board) -> dict[str, tuple[str, ...]]:
    """The ids of the neighbours of every territory, optional borders included."""
    ids = [territory.id for territory in board.territories]
    found: dict[str, list[str]] = {name: [] for name in ids}
    for low, high in board.borders:
        found[ids[low]].append(ids[high])
        found[ids[high]].append(ids[low])
    return {name: tuple(others) for name, others in found.items()}


def _beginning(letter: str, spellings: Sequence[Iterable[str]]) -> list[list[str]]:
    """Of each territory the names with this first letter."""
    return [[text for text in texts if _letter(text) == letter] for texts in spellings]


def _letter(text: str) -> str:
    found = words(text)
    return found[0][:1] if found else ""


@lru_cache(maxsize=8)
def territory_index(board: Board) -> TerritoryIndex:
    """The index of a board, built once per board."""
    return TerritoryIndex(board)


class NameResolver:
    """Names of one text: the board, the players, the problems so far, and the work done."""

    def __init__(self, board: Board, colours: Sequence[str], names: Mapping[str, str]) -> None:
        self.board = board
        self.territories = territory_index(board)
        self.colours = tuple(colours)
        self.people = {_key(name): colour for name, colour in names.items() if colour in colours}
        self.people |= {_key(colour): colour for colour in colours}
        self.problems: list[OrderProblem] = []
        self.total = 0  # number of problems
        self.searches = 0
        self.orders = 0
        self.characters = 0
        self.looked_up: dict[str, tuple[int, ...]] = {}
        self._cards: dict[str, str | None] = {}
        self._near: dict[str, Candidates] = {}

    def note(self, problem: OrderProblem) -> None:
        """Record a problem; those beyond the first twenty are only counted."""
        self.total += 1
        if self.total <= MOST_PROBLEMS:
            self.problems.append(problem)

    def count_orders(self, number: int, characters: int = 0) -> None:
        """Count orders; TooLongError beyond the limit of orders or of characters."""
        self.orders += number
        self.characters += characters
        if self.orders > MOST_ORDERS:
            raise TooLongError(f"A text has at most {MOST_ORDERS} orders and requests.")
        self.check_length(self.characters)

    def check_length(self, characters: int) -> None:
        """TooLongError beyond the limit of characters of all orders together."""
        if characters > MOST_ORDER_CHARACTERS:
            raise TooLongError(
                f"All orders together have at most {MOST_ORDER_CHARACTERS:,} characters."
            )

    def places(self, text: str) -> tuple[int, ...]:
        """The indices of the territories that a text may mean."""
        # Counted by spelling, so that a long text with few names stays cheap and allowed.
        if text not in self.looked_up:
            if len(self.looked_up) == MOST_LOOKUPS:
                raise TooLongError(
                    f"A text has at most {MOST_LOOKUPS} different spellings of names."
                )
            self.looked_up[text] = self.territories.find(text)
        return self.looked_up[text]

    def place(self, text: str) -> str | None:
        """The id of the one territory that a text means."""
        found = self.places(text)
        return self.territories.ids[found[0]] if len(found) == 1 else None

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

    def near_places(self, text: str) -> Candidates:
        """The territories that a misspelt text may mean, most alike first."""
        if text not in self._near:
            if not self._may_search():
                return []
            territories = self.territories
            near = [
                (like, territories.ids[t], territories.labels[t])
                for like, t in territories.nearest(text)
            ]
            self._near[text] = near
        return self._near[text]

    def near_words(self, word: str, known: Iterable[str]) -> Candidates:
        """The known words that a misspelt word may mean, most alike first."""
        if not self._may_search():
            return []
        close = get_close_matches(word[:100], list(known), 3, 0.6)
        return [(SequenceMatcher(None, name, word[:100]).ratio(), name, name) for name in close]

    def _may_search(self) -> bool:
        # Beyond the limit names are reported as unknown without a suggestion.
        self.searches += 1
        return self.may_search

    @property
    def may_search(self) -> bool:
        """Whether every search so far was carried out, so that no similar name was missed."""
        return self.searches <= MOST_SEARCHES

    def players(self, text: str, *, in_full: bool = True) -> set[str]:
        """The colours of the players that a colour, a name or the beginning of one may mean."""
        typed = _key(text)
        if typed in self.people:
            return {self.people[typed]}
        if in_full or not typed:
            return set()
        return {colour for name, colour in self.people.items() if name.startswith(typed)}


def plausible(near: Candidates) -> str | None:
    """The best candidate, where it is likely and clearly better than the next; else None."""
    if not near or near[0][0] < PLAUSIBLE:
        return None
    return near[0][1] if len(near) == 1 or near[0][0] - near[1][0] >= CLEARLY else None


def did_you_mean(near: Candidates) -> str:
    """The suggestion of these candidates; "" where there are none."""
    return f"Did you mean {one_of([label for _, _, label in near])}?" if near else ""


def _key(name: str) -> str:
    plain = "".join(unicodedata.normalize("NFKC", name).casefold().split())
    return plain.rstrip(".,!;") or plain
