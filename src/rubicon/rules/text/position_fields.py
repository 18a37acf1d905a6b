"""The fields of a position that are written `name=value`, and how each kind of value is spelt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rubicon.rules.actions import STANDING_TEXTS
from rubicon.rules.position import (
    DRAWN,
    HIDDEN,
    MISSIONS,
    NEUTRAL,
    NONE,
    REWARDS,
    Chance,
    Phase,
    Seat,
    Standing,
)
from rubicon.rules.ruleset import Ruleset
from rubicon.rules.tables import RewardKind
from rubicon.rules.text.exact_actions import OBJECTIVE_IDS, WILD_IDS

OWNER_LETTERS = {"red": "r", "blue": "b", "green": "g", "yellow": "y", "grey": "e", "black": "k"}
NEUTRAL_LETTER = "n"
HIDDEN_WORD = "?"
DRAW_WORD = "draw"
YES = "yes"


@dataclass(frozen=True, slots=True)
class Names:
    """What the numbers of a position are called under a ruleset, among these seats."""

    territories: Sequence[str]
    cards: Sequence[str]
    objectives: Sequence[str]
    missions: Sequence[str]
    rewards: Sequence[str]
    colours: Sequence[str]

    @classmethod
    def of(cls, ruleset: Ruleset, colours: Sequence[str]) -> Names:
        """The names in a game of these colours."""
        territories = tuple(territory.id for territory in ruleset.board.territories)
        wilds = int(ruleset.tables.cards) - len(territories)
        return cls(
            territories,
            territories + WILD_IDS[:wilds],
            OBJECTIVE_IDS,
            tuple(f"M{number:02}" for number in range(1, MISSIONS + 1)),
            reward_names(ruleset),
            tuple(colours),
        )

    def letter_of(self, owner: int) -> str:
        """The letter of an owner."""
        return NEUTRAL_LETTER if owner == NEUTRAL else OWNER_LETTERS[self.colours[owner]]

    def owner_of(self, letter: str) -> int | None:
        """The owner that a letter stands for; None for any other text."""
        if letter == NEUTRAL_LETTER:
            return NEUTRAL
        letters = [OWNER_LETTERS[colour] for colour in self.colours]
        return letters.index(letter) if letter in letters else None


def reward_names(ruleset: Ruleset) -> tuple[str, ...]:
    """The names of the eight tokens: their kinds, the second of a kind as `major_…`."""
    names: list[str] = []
    for token in range(REWARDS):
        kind = RewardKind(int(ruleset.rules.reward_kind[token])).name.lower()
        name = f"major_{kind}" if kind in names else kind
        names.append(f"{name}_2" if name in names else name)
    return tuple(names)


@dataclass(frozen=True, slots=True)
class Spelling:
    """How one kind of value is written, and read: None for what is no such value."""

    written: Callable[[int, Names], str]
    value: Callable[[str, Names], int | None]


def whole(word: str) -> int | None:
    """A whole number as Python writes it, of at most 10 digits."""
    digits = word.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 10:
        return None
    return int(word) if str(int(word)) == word else None


def _words(words: Mapping[int, str]) -> Spelling:
    values = {word: value for value, word in words.items()}
    return Spelling(lambda value, _: words[value], lambda word, _: values.get(word))


def _indexed(among: Callable[[Names], Sequence[str]], others: Mapping[int, str]) -> Spelling:
    """The name of one of several things, or a word for none of them."""
    values = {word: value for value, word in others.items()}

    def written(value: int, names: Names) -> str:
        return others[value] if value in others else among(names)[value]

    def read(word: str, names: Names) -> int | None:
        if word in values:
            return values[word]
        known = among(names)
        return known.index(word) if word in known else None

    return Spelling(written, read)


def _secret(word: str, _: Names) -> int | None:
    value = HIDDEN if word == HIDDEN_WORD else whole(word)
    return value if value is None or value >= 0 or word == HIDDEN_WORD else None


NUMBER = Spelling(lambda value, _: str(value), lambda word, _: whole(word))
SECRET = Spelling(lambda value, _: HIDDEN_WORD if value == HIDDEN else str(value), _secret)
FLAG = _words({0: "no", 1: YES})
ORDER = _words({HIDDEN: HIDDEN_WORD, **{int(o): text for o, text in STANDING_TEXTS.items()}})
PHASE = _words({int(phase): phase.name.lower() for phase in Phase})
CHANCE = _words({int(chance): chance.name.lower() for chance in Chance})
SEAT = _indexed(lambda names: names.colours, {NONE: "none", DRAWN: DRAW_WORD})
TERRITORY = _indexed(lambda names: names.territories, {NONE: "none"})

STATUS = {Seat.PLAYING: "", Seat.ELIMINATED: "eliminated", Seat.RESIGNED: "resigned"}
ORDER_MARKS = {
    int(Standing.NONE): "",
    int(Standing.ONE): ":1",
    int(Standing.TWO): ":2",
    int(Standing.MAXIMUM): ":max",
    HIDDEN: ":?",
}

# By seat, behind its colour.
SEAT_FIELDS: Mapping[str, Spelling] = {
    "standing_all": ORDER,
    "unplaced": SECRET,
    "sealed": FLAG,
    "sets_by_seat": NUMBER,
    "snapshot": NUMBER,
    "capital": TERRITORY,
}

# Of the table as a whole.
TABLE_FIELDS: Mapping[str, Spelling] = {
    "phase": PHASE,
    "turn": SEAT,
    "first": SEAT,
    "round_number": NUMBER,
    "winner": SEAT,
    "sets": NUMBER,
    "award_territories": NUMBER,
    "award_continents": NUMBER,
    "award_capitals": NUMBER,
    "award_rewards": NUMBER,
    "hand_at_start": NUMBER,
    "sets_this_turn": NUMBER,
    "bonus_taken": FLAG,
    "conquered": FLAG,
    "conquered_from_player": FLAG,
    "claimed": FLAG,
    "draws_owed": NUMBER,
    "moves_left": NUMBER,
    "attack_source": TERRITORY,
    "attack_target": TERRITORY,
    "attack_dice": SECRET,
    "defence_dice": NUMBER,
    "attack_extra": NUMBER,
    "defence_extra": NUMBER,
    "attack_plus": NUMBER,
    "defence_plus": NUMBER,
    "occupy_minimum": NUMBER,
    "eliminated": SEAT,
    "order_source": TERRITORY,
    "order_target": TERRITORY,
    "order_standing": ORDER,
    "neutral_unplaced": NUMBER,
    "own_left": NUMBER,
    "neutral_left": NUMBER,
    "dealt": NUMBER,
    "chance": CHANCE,
    "chance_count": NUMBER,
}


def put(position: Any, field: str, at: int | None, value: int) -> bool:
    """Write a number into a field; False where it does not fit into it."""
    cells = position[field]
    limits = np.iinfo(cells.dtype)
    if not limits.min <= value <= limits.max:
        return False
    if at is None:
        position[field] = value
    else:
        cells[at] = value
    return True
