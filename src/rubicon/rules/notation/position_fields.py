"""The fields of a position that are written `name=value`, and how each kind of value is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rubicon.engine.records.position import (
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
from rubicon.engine.records.tables import RewardKind
from rubicon.rules.actions import STANDING_TEXTS
from rubicon.rules.notation.exact_actions import OBJECTIVE_IDS, WILD_IDS
from rubicon.rules.ruleset.ruleset import Ruleset

OWNER_LETTERS = {"red": "r", "blue": "b", "green": "g", "yellow": "y", "grey": "e", "black": "k"}
NEUTRAL_LETTER = "n"
HIDDEN_WORD = "?"
DRAW_WORD = "draw"
YES = "yes"


class NotWritable(ValueError):
    """A number in a position that has no text, so that reading could not give it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionNames:
    """What the numbers of a position are called under a ruleset, among these seats."""

    territories: tuple[str, ...]
    cards: tuple[str, ...]
    objectives: tuple[str, ...]
    missions: tuple[str, ...]
    rewards: tuple[str, ...]
    colours: tuple[str, ...]
    letters: Mapping[int, str] = field(init=False)  # of each owner
    owners: Mapping[str, int] = field(init=False)  # of each letter

    def __post_init__(self) -> None:
        letters = dict(enumerate(OWNER_LETTERS[colour] for colour in self.colours))
        letters[NEUTRAL] = NEUTRAL_LETTER
        object.__setattr__(self, "letters", letters)
        owners = {letter: owner for owner, letter in letters.items()}
        object.__setattr__(self, "owners", owners)

    @classmethod
    def of(cls, ruleset: Ruleset, colours: Sequence[str]) -> PositionNames:
        """The names in a game of these colours."""
        territories = tuple(territory.id for territory in ruleset.board.territories)
        wilds = int(ruleset.tables.cards) - len(territories)
        return cls(
            territories=territories,
            cards=territories + WILD_IDS[:wilds],
            objectives=OBJECTIVE_IDS,
            missions=tuple(f"M{number:02}" for number in range(1, MISSIONS + 1)),
            rewards=reward_names(ruleset),
            colours=tuple(colours),
        )

    def owner_name(self, owner: int) -> str:
        """The colour of an owner index; `neutral` for neutral armies, `nobody` for none."""
        if owner == NEUTRAL:
            return "neutral"
        return "nobody" if owner == NONE else self.colours[owner]


def reward_names(ruleset: Ruleset) -> tuple[str, ...]:
    """The names of the eight tokens: their kinds, the second of a kind as `major_…`."""
    names: list[str] = []
    for token in range(REWARDS):
        kind = RewardKind(int(ruleset.rules.reward_kind[token])).name.lower()
        name = f"major_{kind}" if kind in names else kind
        names.append(f"{name}_2" if name in names else name)
    return tuple(names)


@dataclass(frozen=True, slots=True)
class ValueFormat:
    """How one kind of value is written and read.

    `write` raises KeyError or NotWritable for a number without a text; `read` returns None for a
    text that is no such value.
    """

    write: Callable[[int, PositionNames], str]
    read: Callable[[str, PositionNames], int | None]


def whole(word: str) -> int | None:
    """A whole number as Python writes it, of at most 10 digits."""
    digits = word.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 10:
        return None
    return int(word) if str(int(word)) == word else None


def _words(words: Mapping[int, str]) -> ValueFormat:
    values = {word: value for value, word in words.items()}
    return ValueFormat(lambda value, _: words[value], lambda word, _: values.get(word))


def _named(
    among: Callable[[PositionNames], Sequence[str]], others: Mapping[int, str]
) -> ValueFormat:
    """The name of one of several things, or a word for none of them."""
    values = {word: value for value, word in others.items()}

    def write(value: int, names: PositionNames) -> str:
        if value in others:
            return others[value]
        known = among(names)
        # Python would take a negative index for a place counted from the end.
        if not 0 <= value < len(known):
            raise NotWritable
        return known[value]

    def read(word: str, names: PositionNames) -> int | None:
        if word in values:
            return values[word]
        known = among(names)
        return known.index(word) if word in known else None

    return ValueFormat(write, read)


def _write_secret(value: int, _: PositionNames) -> str:
    if value < 0 and value != HIDDEN:
        raise NotWritable
    return HIDDEN_WORD if value == HIDDEN else str(value)


def _read_secret(word: str, _: PositionNames) -> int | None:
    if word == HIDDEN_WORD:
        return HIDDEN
    value = whole(word)
    return None if value is None or value < 0 else value


NUMBER = ValueFormat(lambda value, _: str(value), lambda word, _: whole(word))
SECRET = ValueFormat(_write_secret, _read_secret)
FLAG = _words({0: "no", 1: YES})
ORDER = _words({HIDDEN: HIDDEN_WORD, **{int(o): text for o, text in STANDING_TEXTS.items()}})
PHASE = _words({int(phase): phase.name.lower() for phase in Phase})
CHANCE = _words({int(chance): chance.name.lower() for chance in Chance})
SEAT = _named(lambda names: names.colours, {NONE: "none", DRAWN: DRAW_WORD})
TERRITORY = _named(lambda names: names.territories, {NONE: "none"})

STATUS = {
    int(Seat.PLAYING): "",
    int(Seat.ELIMINATED): "eliminated",
    int(Seat.RESIGNED): "resigned",
}
STATUS_VALUES = {word: value for value, word in STATUS.items()}
ORDER_MARKS = {
    int(Standing.NONE): "",
    int(Standing.ONE): ":1",
    int(Standing.TWO): ":2",
    int(Standing.MAXIMUM): ":max",
    HIDDEN: ":?",
}
ORDER_VALUES = {mark: value for value, mark in ORDER_MARKS.items()}

# By seat, after its colour.
SEAT_FIELDS: Mapping[str, ValueFormat] = {
    "standing_all": ORDER,
    "unplaced": SECRET,
    "sealed": FLAG,
    "sets_by_seat": NUMBER,
    "snapshot": NUMBER,
    "capital": TERRITORY,
}

# Of the table as a whole.
TABLE_FIELDS: Mapping[str, ValueFormat] = {
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
    "draws_due": NUMBER,
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
