"""What may be written next: candidates for the place of the cursor in an order text.

Only what the seat may see decides which candidates there are, and which come first. A candidate
may still be refused: the parser and the rules have the last word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rubicon.engine.records import NONE, ObjectivePlace
from rubicon.orders.execute.program import SeatView
from rubicon.orders.parse.places import MEANINGS, ORDERS
from rubicon.orders.parse.words import order_start
from rubicon.rules.board.format import compact
from rubicon.rules.game import Game

MOST_CANDIDATES = 20
LONGEST_NAME = 4  # words of a territory's name that are joined
MOST_WORDS = 60  # of one order that are read
# The words that may follow the names of an order.
KEYWORDS: Mapping[str, tuple[str, ...]] = {
    "ATTACK": (
        "UNTIL LEFT",
        "UNTIL ODDS <",
        "UNTIL ROUNDS",
        "UNTIL LOST",
        "DICE",
        "ADVANCE",
        "ADVANCE ASK",
    ),
    "ADVANCE": ("ALL BUT", "ALL", "MIN"),
    "FORTIFY": ("ALL BUT", "ALL"),
    "MANOEUVRE": ("ALL BUT", "ALL"),
    "TRADE": ("BEST", "NONE", "ON"),
    "DEPLOY": ("REST",),
    "DEFEND": ("ALL",),
    "END": ("ATTACK", "TURN"),
    "IF": ("WON", "FAILED", "CARD", "ELIMINATED"),
}
PATHS = ("ATTACK", "FORTIFY", "MANOEUVRE")  # verbs whose names follow a path
_WORD = re.compile(r"-*>|\u2192|[^\s,;>\u2192]+")
_ARROWS = (">", "\u2192")  # the last sign of an arrow


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text for the characters from `start` to `stop` of the whole text, counted from 0.

    `kind` is `verb`, `territory`, `card`, `objective` or `keyword`; `label` is its name for people.
    """

    text: str
    label: str
    kind: str
    start: int
    stop: int


class NextWord(NamedTuple):
    """Something that may follow: its text, its name for people, and its kind."""

    text: str
    label: str
    kind: str


def candidates(text: str, cursor: int, game: Game, colour: str) -> tuple[Candidate, ...]:
    """The candidates for a cursor in a text, the likeliest first; at most MOST_CANDIDATES.

    `cursor` is a number of characters. The game may be a seat's view of it.
    """
    cursor = max(0, min(cursor, len(text)))
    begin = max(text.rfind("\n", 0, cursor), text.rfind(";", 0, cursor)) + 1
    begin += order_start(text[begin:cursor])
    line = text[begin:cursor]
    words = [word.group() for word in list(_WORD.finditer(line))[-MOST_WORDS:]]
    # The last word is still being written, unless a space or a sign is after it.
    typing = bool(words) and not line[-1].isspace() and line[-1] not in (",", *_ARROWS)
    for count in range(min(LONGEST_NAME, len(words)) if typing else 0, 0, -1):
        joined = words[-count:]
        if any(word.endswith(_ARROWS) for word in joined):
            continue
        found = _matching(NextWords(words[:-count], game, colour), " ".join(joined))
        if found or count == 1:
            start = begin + [word.start() for word in _WORD.finditer(line)][-count]
            return tuple(Candidate(*one, start, cursor) for one in found)
    every = _matching(NextWords(words, game, colour), "")
    return tuple(Candidate(*one, cursor, cursor) for one in every)


def _matching(following: NextWords, typed: str) -> list[NextWord]:
    key = compact(typed)
    found = [one for one in following.likeliest_first() if _begins(one, key)]
    return found[:MOST_CANDIDATES]


def _begins(word: NextWord, key: str) -> bool:
    """Whether what was typed begins a candidate, or a word of its name."""
    return any(compact(name).startswith(key) for name in (word.text, *_endings(word.label)))


def _endings(label: str) -> Iterator[str]:
    """The name, and what is left of it behind its first words: `Northern Europe`, `Europe`."""
    words = label.split()
    yield from (" ".join(words[at:]) for at in range(min(len(words), LONGEST_NAME)))


class NextWords:
    """What may follow the complete words of one order."""

    def __init__(self, words: list[str], game: Game, colour: str) -> None:
        self.seat_view = SeatView(game, colour)
        self.board = game.ruleset.board
        self.view = game.view(colour)
        # After the colon of a condition, and after ELSE, a new order begins.
        breaks = [at for at, word in enumerate(words) if word.endswith(":") or _is_else(word)]
        self.words = words[breaks[-1] + 1 if breaks else 0 :]
        self.verb = MEANINGS.get(self.words[0].casefold(), "") if self.words else ""
        self.named = list(self._territories(self.words[1:]))

    def likeliest_first(self) -> list[NextWord]:
        """Everything that may follow."""
        if not self.words:
            return [NextWord(verb, verb.lower(), "verb") for verb in (*ORDERS, "IF")]
        known = KEYWORDS.get(self.verb, ())
        keywords = [NextWord(word, word.lower(), "keyword") for word in known]
        names = list(self._names())
        # After a whole path the stops come first; until then, territories.
        behind_path = self.verb in PATHS and len(self.named) >= 2
        if behind_path and not self.words[-1].endswith(_ARROWS):
            return [*keywords, *names]
        return [*names, *keywords]

    def _names(self) -> Iterator[NextWord]:
        match self.verb:
            case "ATTACK" | "FORTIFY" | "MANOEUVRE":
                yield from self._along_path(own=self.verb != "ATTACK")
            case "DEPLOY" | "DEFEND":
                yield from self._labelled(self._owned())
            case "CLAIM" | "CAPITAL":
                free = [t for t in self._every() if self.view.owner[t] == NONE]
                yield from self._labelled(free or self._owned())
            case "TRADE":
                for card, name in enumerate(self.seat_view.game.cards):
                    if self.view.card[card] == self.seat_view.seat:
                        yield NextWord(name, name.replace("_", " "), "card")
            case "OBJECTIVE":
                for number, objective in enumerate(self.board.objectives):
                    if self.view.objective[number] == ObjectivePlace.FACE_UP:
                        yield NextWord(objective.id, objective.text, "objective")
            case "IF":
                yield from self._labelled(self._every())

    def _along_path(self, *, own: bool) -> Iterator[NextWord]:
        """First an own territory that has armies to spare; then what it borders on."""
        tables, seat = self.seat_view.tables, self.seat_view.seat
        if not self.named:
            yield from self._labelled(t for t in self._owned() if self.view.armies[t] > 1)
            return
        last = self.named[-1]
        near = [int(tables.neighbour[last, at]) for at in range(int(tables.degree[last]))]
        left = [t for t in near if t not in self.named]
        yield from self._labelled(t for t in left if bool(self.view.owner[t] == seat) is own)

    def _every(self) -> range:
        return range(len(self.board.territories))

    def _owned(self) -> list[int]:
        return [t for t in self._every() if self.view.owner[t] == self.seat_view.seat]

    def _labelled(self, places: Iterable[int]) -> Iterator[NextWord]:
        for t in places:
            territory = self.board.territories[t]
            yield NextWord(territory.id, territory.name, "territory")

    def _territories(self, words: list[str]) -> Iterator[int]:
        """The territories that are written in full, in their order."""
        at = 0
        while at < len(words):
            taken = 1
            for count in range(LONGEST_NAME, 0, -1):
                t = self._exact(compact(" ".join(words[at : at + count])))
                if t is not None:
                    taken = min(count, len(words) - at)
                    yield t
                    break
            at += taken

    def _exact(self, key: str) -> int | None:
        """The territory of which this is the id, the name or an alias."""
        for t, one in enumerate(self.board.territories):
            if key in map(compact, (one.id, one.name, *one.aliases)):
                return t
        return None


def _is_else(word: str) -> bool:
    return word.casefold() == "else"
