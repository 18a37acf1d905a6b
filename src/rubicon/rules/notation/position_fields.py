"""The fields of a position's text, each written and read in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from struct import Struct
from types import SimpleNamespace
from typing import cast

import numpy as np

from rubicon.engine import records
from rubicon.engine.records import Position
from rubicon.rules.actions import STANDING_TEXTS
from rubicon.rules.notation.actions import OBJECTIVE_IDS, WILD_IDS
from rubicon.rules.ruleset.ruleset import Ruleset

# A position as plain Python numbers and lists.
#
# One `struct` call unpacks a whole record in about 10 microseconds. Reading the same cells one by
# one through NumPy takes a hundred times as long, and comparing them with Python's enumerations
# longer.

_OFFSETS = {name: field[1] for name, field in (records.POSITION.fields or {}).items()}
_ORDER = sorted(_OFFSETS, key=_OFFSETS.__getitem__)  # fields as they lie in memory
_COUNTS = [int(np.prod(records.POSITION[name].shape, dtype=int)) for name in _ORDER]
_IS_LIST = [bool(records.POSITION[name].shape) for name in _ORDER]
_STARTS = [sum(_COUNTS[:at]) for at in range(len(_COUNTS))]
# `=`: no padding between the fields, as in the record, which has none either.
_LAYOUT = Struct(
    "="
    + "".join(f"{n}{records.POSITION[f].base.char}" for f, n in zip(_ORDER, _COUNTS, strict=True))
)
assert _LAYOUT.size == records.POSITION.itemsize
_PARTS = tuple(zip(_ORDER, _STARTS, _COUNTS, _IS_LIST, strict=True))
_LIMITS = {name: np.iinfo(records.POSITION[name].base) for name in _ORDER}
_LOWEST = {name: int(limits.min) for name, limits in _LIMITS.items()}
_HIGHEST = {name: int(limits.max) for name, limits in _LIMITS.items()}


def unpacked(position: Position) -> Position:
    """The fields of a record as Python numbers, and as lists where a field has several cells.

    The result reads like the record but shares no memory with it.
    """
    return cells_of(position.tobytes())


def cells_of(data: bytes) -> Position:
    """The fields of a record that is given as bytes; see `unpacked`."""
    flat = _LAYOUT.unpack(data)
    fields = {
        name: list(flat[start : start + count]) if is_list else flat[start]
        for name, start, count, is_list in _PARTS
    }
    return cast(Position, SimpleNamespace(**fields))


def packed(cells: Position) -> Position:
    """The record of unpacked fields; the inverse of `unpacked`."""
    flat: list[int] = []
    fields = vars(cells)
    for name, _, _, is_list in _PARTS:
        if is_list:
            flat += fields[name]
        else:
            flat.append(fields[name])
    return cast(Position, np.ndarray((1,), records.POSITION, bytearray(_LAYOUT.pack(*flat)))[0])


def put(cells: Position, field: str, at: int | None, value: int) -> bool:
    """Write a number into unpacked fields; False where the record has no room for it."""
    if not _LOWEST[field] <= value <= _HIGHEST[field]:
        return False
    if at is None:
        setattr(cells, field, value)
    else:
        getattr(cells, field)[at] = value
    return True


# Fields that are written `name=value`, and how each kind of value is written.

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
        letters[records.NEUTRAL] = NEUTRAL_LETTER
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
            missions=tuple(f"M{number:02}" for number in range(1, records.MISSIONS + 1)),
            rewards=reward_names(ruleset),
            colours=tuple(colours),
        )

    def owner_name(self, owner: int) -> str:
        """The colour of an owner index; `neutral` for neutral armies, `nobody` for none."""
        if owner == records.NEUTRAL:
            return "neutral"
        return "nobody" if owner == records.NONE else self.colours[owner]


def reward_names(ruleset: Ruleset) -> tuple[str, ...]:
    """The names of the eight tokens: their kinds, the second of a kind as `major_…`."""
    names: list[str] = []
    for token in range(records.REWARDS):
        kind = records.RewardKind(int(ruleset.rules.reward_kind[token])).name.lower()
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
    if value < 0 and value != records.HIDDEN:
        raise NotWritable
    return HIDDEN_WORD if value == records.HIDDEN else str(value)


def _read_secret(word: str, _: PositionNames) -> int | None:
    if word == HIDDEN_WORD:
        return records.HIDDEN
    value = whole(word)
    return None if value is None or value < 0 else value


NUMBER = ValueFormat(lambda value, _: str(value), lambda word, _: whole(word))
SECRET = ValueFormat(_write_secret, _read_secret)
FLAG = _words({0: "no", 1: YES})
ORDER = _words(
    {records.HIDDEN: HIDDEN_WORD, **{int(o): text for o, text in STANDING_TEXTS.items()}}
)
PHASE = _words({int(phase): phase.name.lower() for phase in records.Phase})
CHANCE = _words({int(chance): chance.name.lower() for chance in records.Chance})
SEAT = _named(lambda names: names.colours, {records.NONE: "none", records.DRAWN: DRAW_WORD})
TERRITORY = _named(lambda names: names.territories, {records.NONE: "none"})

STATUS = {
    int(records.Seat.PLAYING): "",
    int(records.Seat.ELIMINATED): "eliminated",
    int(records.Seat.RESIGNED): "resigned",
}
STATUS_VALUES = {word: value for value, word in STATUS.items()}
ORDER_MARKS = {
    int(records.Standing.NONE): "",
    int(records.Standing.ONE): ":1",
    int(records.Standing.TWO): ":2",
    int(records.Standing.MAXIMUM): ":max",
    records.HIDDEN: ":?",
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


# Cards, objectives, rewards and missions in a position's text: lists of names, by place.

CARD_LISTS = {
    "discards": int(records.CardPlace.DISCARDS),
    "removed": int(records.CardPlace.REMOVED),
    "offered": int(records.CardPlace.OFFERED),
}
LATER = "~"  # after a reward that works only from the next turn on
FALLBACK = ":24"  # after a mission that now means 24 territories
_PLACES = {records.CardPlace.PILE, *CARD_LISTS.values()}

# Places by name, and the names that lie there in board order.
Lists = dict[int, list[str]]


class BadFieldValue(ValueError):
    """A value of a field that cannot be read, and why."""


# Cards


def card_lists(cells: Position, names: PositionNames) -> Lists:
    """The named cards by the place where they lie; NotWritable where that is no place."""
    lists: Lists = {}
    for place, name in zip(cells.card, names.cards, strict=False):
        lists.setdefault(place, []).append(name)
    if not lists.keys() <= {records.HIDDEN, *_PLACES, *range(len(names.colours))}:
        raise NotWritable
    return lists


def table_cards(cells: Position, lists: Lists) -> dict[str, str]:
    """The cards that lie neither in a hand nor where most lie."""
    fields: dict[str, str] = {}
    hidden = records.HIDDEN in lists
    pile, discards = (
        lists.get(records.CardPlace.PILE, []),
        lists.get(records.CardPlace.DISCARDS, []),
    )
    if hidden:
        fields["cards"] = HIDDEN_WORD
        if pile:
            fields["pile"] = ",".join(pile)
    for key, place in CARD_LISTS.items():
        if place in lists:
            fields[key] = ",".join(lists[place])
    _write_size(fields, "pile_size", cells.pile, len(pile), hidden)
    _write_size(fields, "discards_size", cells.discards, len(discards), hidden)
    return fields


def seat_cards(cells: Position, lists: Lists, seat: int) -> dict[str, str]:
    """The cards of a seat, and how many they are where not all can be seen."""
    cards = lists.get(seat, [])
    fields = {"hand": ",".join(cards)} if cards else {}
    _write_size(fields, "hand_size", cells.hand[seat], len(cards), records.HIDDEN in lists)
    return fields


def _write_size(fields: dict[str, str], key: str, size: int, seen: int, hidden: bool) -> None:
    """How many cards there are, where that is more than can be seen."""
    if size == seen:
        return
    if size < seen or not hidden:  # nothing hidden: the number follows from the names
        raise NotWritable
    fields[key] = str(size)


def read_cards(cells: Position, names: PositionNames, place: int, text: str) -> None:
    """Put the named cards there; none may be named twice."""
    for word in text.split(","):
        card = _index(names.cards, word, "card")
        if cells.card[card] not in (records.CardPlace.PILE, records.HIDDEN):
            raise BadFieldValue(f"the card {word} is counted twice")
        cells.card[card] = place


def _index(known: Sequence[str], word: str, what: str) -> int:
    if word not in known:
        raise BadFieldValue(f"there is no {what} {word[:30]!r}")
    return known.index(word)


# Objectives and rewards


def objective_lists(cells: Position, default: Position, names: PositionNames) -> Lists:
    """The objectives in the game by place, each with the reward that lies on it."""
    lists: Lists = {}
    shown = (records.ObjectivePlace.FACE_UP, *range(len(names.colours)))
    covered: list[int] = []
    for number, name in enumerate(names.objectives):
        place, token = cells.objective[number], cells.objective_reward[number]
        if place not in shown:
            if (place, token) != (default.objective[number], default.objective_reward[number]):
                raise NotWritable
            continue
        if token != records.NONE:
            covered.append(token)
        reward = "" if token == records.NONE else f":{_reward_name(names, token)}"
        lists.setdefault(place, []).append(name + reward)
    on_objective = [t for t, p in enumerate(cells.reward) if p == records.RewardPlace.ON_OBJECTIVE]
    if sorted(covered) != on_objective:
        raise NotWritable
    return lists


def _reward_name(names: PositionNames, token: int) -> str:
    if not 0 <= token < len(names.rewards) or names.rewards.index(names.rewards[token]) != token:
        raise NotWritable  # two tokens of one name cannot be told apart
    return names.rewards[token]


def reward_lists(cells: Position, default: Position, names: PositionNames) -> Lists:
    """The rewards of each seat."""
    lists: Lists = {}
    for token, place in enumerate(cells.reward):
        details = cells.reward_from[token], cells.airfield[token]
        if 0 <= place < len(names.colours):
            lists.setdefault(place, []).append(_reward(names, token, *details))
            continue
        known = (default.reward[token], records.RewardPlace.ON_OBJECTIVE)
        if place not in known or details != (default.reward_from[token], default.airfield[token]):
            raise NotWritable
    return lists


def _reward(names: PositionNames, token: int, later: int, airfield: int) -> str:
    if later not in (0, 1) or not records.NONE <= airfield < len(names.territories):
        raise NotWritable
    where = "" if airfield == records.NONE else f"@{names.territories[airfield]}"
    return _reward_name(names, token) + where + LATER * later


def read_objectives(cells: Position, names: PositionNames, place: int, text: str) -> None:
    """Put the named objectives there, and the rewards on them."""
    for word in text.split(","):
        name, colon, reward = word.partition(":")
        number = _index(names.objectives, name, "objective")
        if cells.objective[number] != records.ObjectivePlace.BOX:
            raise BadFieldValue(f"the objective {name} is counted twice")
        cells.objective[number] = place
        if colon:
            token = _free_token(cells, names, reward)
            cells.objective_reward[number] = token
            cells.reward[token] = int(records.RewardPlace.ON_OBJECTIVE)


def read_rewards(cells: Position, names: PositionNames, seat: int, text: str) -> None:
    """Give the named rewards to a seat."""
    for word in text.split(","):
        now = word.removesuffix(LATER)
        name, at, territory = now.partition("@")
        token = _free_token(cells, names, name)
        cells.reward[token] = seat
        cells.reward_from[token] = int(now != word)
        if at:
            cells.airfield[token] = _index(names.territories, territory, "territory")


def _free_token(cells: Position, names: PositionNames, name: str) -> int:
    token = _index(names.rewards, name, "reward")
    if cells.reward[token] != records.RewardPlace.BOX:
        raise BadFieldValue(f"the reward {name} is counted twice")
    return token


# Missions


def seat_mission(cells: Position, names: PositionNames, seat: int) -> dict[str, str]:
    """The mission of a seat; a hidden one is not the same as none."""
    mission, fallback = cells.mission[seat], cells.mission_fallback[seat]
    if mission == records.NONE:
        if fallback not in (0, records.HIDDEN):
            raise NotWritable
        return {"mission": HIDDEN_WORD} if fallback == records.HIDDEN else {}
    if not 0 <= mission < len(names.missions) or fallback not in (0, 1):
        raise NotWritable
    return {"mission": names.missions[mission] + FALLBACK * fallback}


def read_mission(cells: Position, names: PositionNames, seat: int, text: str) -> None:
    """Give a mission to a seat."""
    if text == HIDDEN_WORD:
        cells.mission[seat] = cells.mission_fallback[seat] = records.HIDDEN
        return
    name = text.removesuffix(FALLBACK)
    cells.mission[seat] = _index(names.missions, name, "mission")
    cells.mission_fallback[seat] = int(name != text)
