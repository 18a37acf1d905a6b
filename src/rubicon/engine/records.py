"""The records of the engine: a game, its ruleset and its board, each a flat piece of memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from operator import itemgetter
from struct import Struct
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    ParamSpec,
    Protocol,
    Self,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

import numpy as np
from numba import config

# How a record is laid out: one annotated class is both the NumPy layout and the type for mypy.

P = ParamSpec("P")
R = TypeVar("R")


class Cells(Protocol):
    """Whole numbers by index: what a compiled procedure asks of an array that it is given."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...


class CellArray(Protocol):
    """A one-dimensional field of a record, with the methods of a NumPy array that are in use.

    A comparison is made cell by cell, and gives cells of 0 and 1.
    """

    __hash__: ClassVar[None]  # type: ignore[assignment]

    @overload
    def __getitem__(self, index: int, /) -> int: ...
    @overload
    def __getitem__(self, index: slice | Cells | Sequence[int], /) -> CellArray: ...
    @overload
    def __setitem__(self, index: int, value: int, /) -> None: ...
    @overload
    def __setitem__(
        self, index: slice | Cells | Sequence[int], value: int | Cells | Sequence[int], /
    ) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def __array__(self) -> np.ndarray[Any, Any]: ...
    def __eq__(self, other: object, /) -> CellArray: ...  # type: ignore[override]
    def __ne__(self, other: object, /) -> CellArray: ...  # type: ignore[override]
    def __lt__(self, other: int | Cells, /) -> CellArray: ...
    def __le__(self, other: int | Cells, /) -> CellArray: ...
    def __gt__(self, other: int | Cells, /) -> CellArray: ...
    def __ge__(self, other: int | Cells, /) -> CellArray: ...
    def __and__(self, other: Cells, /) -> CellArray: ...
    def __or__(self, other: Cells, /) -> CellArray: ...
    def __invert__(self) -> CellArray: ...
    def __add__(self, other: int | Cells, /) -> CellArray: ...
    def __sub__(self, other: int | Cells, /) -> CellArray: ...
    def any(self) -> bool: ...
    def all(self) -> bool: ...
    def sum(self, *, dtype: str | None = None) -> int: ...
    def min(self) -> int: ...
    def max(self) -> int: ...
    def argmax(self) -> int: ...
    def copy(self) -> CellArray: ...
    def tolist(self) -> list[int]: ...
    def tobytes(self) -> bytes: ...


class Grid(Protocol):
    """A two-dimensional field of a record; a row of it is a one-dimensional one."""

    @overload
    def __getitem__(self, index: tuple[int, int], /) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> CellArray: ...
    def __setitem__(self, index: tuple[int, int], value: int, /) -> None: ...
    def __array__(self) -> np.ndarray[Any, Any]: ...


class RecordLayout:
    """What every record offers next to its fields: the methods of `np.record` that are in use.

    A subclass names the fields and is never made: NumPy makes the records, with `record_dtype`.
    """

    if TYPE_CHECKING:

        @property
        def dtype(self) -> np.dtype[Any]: ...
        def __getitem__(self, field: str, /) -> Any: ...
        def __setitem__(self, field: str, value: Any, /) -> None: ...
        def copy(self) -> Self: ...
        def tobytes(self) -> bytes: ...


def record_dtype(layout: type) -> np.dtype[Any]:
    """The aligned NumPy record type that the annotations of `layout` describe.

    A field is `Annotated[int, np.int8]`, `Annotated[CellArray, np.int8, shape]`, or another record.
    Wide fields come first in memory, so that nothing is padded between them.
    """
    fields: list[Any] = []
    for name, hint in get_type_hints(layout, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{layout.__name__}.{name} is not annotated with a NumPy type")
        _, *extras = get_args(hint)
        fields.append((name, *extras))
    fields.sort(key=lambda field: -np.dtype(field[1]).itemsize)
    plain = np.dtype(fields, align=True)
    return np.dtype((_record_class(layout.__name__, plain), plain))


def _record_class(name: str, plain: np.dtype[Any]) -> type[np.record]:
    """A record whose fields are properties: `np.record` looks each up anew, which is slow.

    A single number is read as a Python one: NumPy's compare with an enumeration's members a hundred
    times as slowly.

    `data` is what Numba takes a record's memory from. NumPy's own would describe all fields in the
    words of PEP 3118 at each call; the record itself is as good a buffer.
    """
    own: dict[str, Any] = {field: _field(field, plain) for field in plain.names or ()}
    # The real part of what is no complex number is itself, and NumPy finds it without Python.
    own["data"] = np.generic.real
    for slot in ("__getattribute__", "__setattr__", "__getitem__"):
        own[slot] = getattr(np.void, slot)
    return type(name, (np.record,), own)


def _field(name: str, plain: np.dtype[Any]) -> property:
    assert plain.fields is not None
    kind, offset = plain.fields[name][:2]

    def write(record: Any, value: Any) -> None:
        record[name] = value

    # Python's whole numbers have no 64 bits to shift out of: a word of a random generator stays
    # NumPy's, as in compiled code. A record within a record is read as a record.
    if kind.shape or kind.names or kind == np.uint64:
        return property(itemgetter(name), write)
    read_at = Struct(kind.char).unpack_from

    def number(record: Any) -> Any:
        return read_at(record, offset)[0]

    return property(number, write)


if TYPE_CHECKING:

    def compiled(function: Callable[P, R]) -> Callable[P, R]: ...

    def inlined(function: Callable[P, R]) -> Callable[P, R]: ...

    def unlocked(function: Callable[P, R]) -> Callable[P, R]: ...

elif config.DISABLE_JIT:
    np.seterr(over="ignore")  # compiled numbers wrap around without a warning, so these do, too

    def compiled(function):
        """Leave the procedure as it is: for the debugger, coverage and the case book."""
        return function

    inlined = unlocked = compiled

else:
    from rubicon.engine.compiler.jit import compile_inlined as inlined  # noqa: F401 (for others)
    from rubicon.engine.compiler.jit import compile_procedure as compiled
    from rubicon.engine.compiler.jit import compile_unlocked as unlocked  # noqa: F401


# A position: everything that is true of one game at one moment, in one NumPy record.
#
# Equal positions have equal bytes: a new position is all zeros, and every procedure resets the
# fields of a step that is over. Unless a comment says otherwise, -1 stands for "none".

TERRITORIES = 128
SEATS = 6
NEUTRAL = 6  # the owner index of neutral armies and rebels
CARDS = 130
OBJECTIVES = 12
OBJECTIVES_A_CLASS = 4  # minor or major, that lie face up (S001-10)
REWARDS = 8
MAJOR_REWARDS = 4  # the first token that belongs on a major objective
MISSIONS = 14
NONE = -1
HIDDEN = -1
DRAWN = 7  # `winner` of a game that ended without one


class Phase(IntEnum):
    FIRST_PLAYER = 0  # chance decides who begins
    DEAL = 1  # chance deals cities, objectives, territories, missions, first cards
    CLAIM = 2
    PLACE = 3  # starting armies, seat after seat
    SEALED = 4  # starting armies, all seats at once, unseen by the others
    HEADQUARTERS = 5
    REINFORCE = 6  # trades and placements, in any order
    ATTACK = 7
    DEFEND = 8  # the defender chooses a number of dice
    OCCUPY = 9
    TRADE = 10  # sets traded, and their armies placed, after an elimination
    OBJECTIVE = 11
    FORTIFY = 12
    CONTINENTS = 13  # continental armies placed at the end of one's turn
    OVER = 14


class Chance(IntEnum):
    """The chance event that is pending; NONE where a decision is."""

    NONE = 0
    BATTLE = 1  # attack dice and defence dice
    DICE = 2  # one die for each seat in `chance_seats`
    FIRST_SEAT = 3  # the rest: pick one of `chance_count`
    CITY = 4
    MINOR_OBJECTIVE = 5
    MAJOR_OBJECTIVE = 6
    MINOR_REWARD = 7
    MAJOR_REWARD = 8
    NEUTRAL_TERRITORY = 9
    TERRITORY = 10
    MISSION = 11
    STARTING_CARD = 12
    CARD = 13


class Seat(IntEnum):
    """Whether a seat plays, or how it left."""

    EMPTY = 0
    PLAYING = 1
    ELIMINATED = 2
    RESIGNED = 3


class CardPlace(IntEnum):
    """Where a card lies; 0 to 5 are the seats' hands."""

    PILE = 6
    DISCARDS = 7
    REMOVED = 8  # headquarters cards, and slots without a card
    OFFERED = 9  # laid down by the acting seat for a trade in stars


class ObjectivePlace(IntEnum):
    """Where an objective lies; 0 to 5 are its owners."""

    FACE_UP = 6
    BOX = 7  # not in this game, or taken out of it


class RewardPlace(IntEnum):
    """Where a reward token lies; 0 to 5 are its owners."""

    ON_OBJECTIVE = 6
    BOX = 7


class Standing(IntEnum):
    """A defender's standing order: the dice to roll without a decision (A-29)."""

    NONE = 0
    ONE = 1
    TWO = 2
    MAXIMUM = 3


class Position(RecordLayout):
    """The layout of a position. Seats are numbered from 0 in the order of play."""

    # the board, by territory
    armies: Annotated[CellArray, np.int32, (TERRITORIES,)]
    owner: Annotated[CellArray, np.int8, (TERRITORIES,)]  # seat, NEUTRAL or NONE
    captured: Annotated[CellArray, np.int8, (TERRITORIES,)]  # 1: taken by the acting seat this turn
    city: Annotated[CellArray, np.int8, (TERRITORIES,)]
    standing: Annotated[CellArray, np.int8, (TERRITORIES,)]  # Standing, filed by the owner for it
    # the cards, by card: territory cards in board order, then wild cards
    card: Annotated[CellArray, np.int8, (CARDS,)]  # CardPlace or seat
    # the seats
    seats: Annotated[int, np.int8]
    colour: Annotated[CellArray, np.int8, (SEATS,)]  # index into board colours
    status: Annotated[CellArray, np.int8, (SEATS,)]  # Seat
    territories: Annotated[CellArray, np.int16, (SEATS + 1,)]  # how many each owner holds
    hand: Annotated[CellArray, np.int16, (SEATS,)]  # how many cards each seat holds
    unplaced: Annotated[CellArray, np.int32, (SEATS,)]  # armies received, not yet on the board
    sealed: Annotated[CellArray, np.int8, (SEATS,)]  # 1: has finished its sealed placement
    standing_all: Annotated[CellArray, np.int8, (SEATS,)]  # Standing, for every territory
    sets_by_seat: Annotated[CellArray, np.int16, (SEATS,)]
    snapshot: Annotated[CellArray, np.int16, (SEATS,)]  # continental award judged at own turn end
    capital: Annotated[CellArray, np.int16, (SEATS,)]  # territory of the capital or headquarters
    mission: Annotated[CellArray, np.int8, (SEATS,)]
    mission_fallback: Annotated[CellArray, np.int8, (SEATS,)]  # 1: now means 24 territories
    # objectives and rewards
    objective: Annotated[CellArray, np.int8, (OBJECTIVES,)]  # ObjectivePlace or seat
    objective_reward: Annotated[CellArray, np.int8, (OBJECTIVES,)]  # the token that lies on it
    reward: Annotated[CellArray, np.int8, (REWARDS,)]  # RewardPlace or seat
    reward_from: Annotated[CellArray, np.int8, (REWARDS,)]  # 1: works only from the next turn on
    airfield: Annotated[CellArray, np.int16, (REWARDS,)]  # where an airfield token is
    # the turn
    phase: Annotated[int, np.int8]
    turn: Annotated[int, np.int8]  # the seat whose turn it is
    first: Annotated[int, np.int8]  # the seat that takes turn 1
    winner: Annotated[int, np.int8]
    round_number: Annotated[int, np.int32]  # 1 from the first turn on
    sets: Annotated[int, np.int16]  # traded in by anyone, ever
    neutral_unplaced: Annotated[int, np.int16]
    own_left: Annotated[int, np.int8]  # of this move of the two-player set-up
    neutral_left: Annotated[int, np.int8]
    pile: Annotated[int, np.int16]  # cards face down
    discards: Annotated[int, np.int16]
    award_territories: Annotated[int, np.int32]  # of this turn's armies, item by item
    award_continents: Annotated[int, np.int32]
    award_capitals: Annotated[int, np.int32]
    award_rewards: Annotated[int, np.int32]
    hand_at_start: Annotated[int, np.int16]
    sets_this_turn: Annotated[int, np.int16]  # traded in the first step of this turn
    bonus_taken: Annotated[int, np.int8]
    conquered: Annotated[int, np.int8]
    conquered_from_player: Annotated[int, np.int8]
    claimed: Annotated[int, np.int8]
    draws_due: Annotated[int, np.int8]
    moves_left: Annotated[int, np.int8]
    # the attack that is under way
    attack_source: Annotated[int, np.int16]
    attack_target: Annotated[int, np.int16]
    attack_dice: Annotated[int, np.int8]
    defence_dice: Annotated[int, np.int8]
    attack_extra: Annotated[int, np.int8]  # bonus dice
    defence_extra: Annotated[int, np.int8]
    attack_plus: Annotated[int, np.int8]  # airfields
    defence_plus: Annotated[int, np.int8]
    occupy_minimum: Annotated[int, np.int32]
    eliminated: Annotated[int, np.int8]  # the seat whose cards are taken after the occupation
    order_source: Annotated[int, np.int16]  # the attack order that `again` continues
    order_target: Annotated[int, np.int16]
    order_standing: Annotated[int, np.int8]
    # the pending chance event
    chance: Annotated[int, np.int8]
    chance_count: Annotated[int, np.int16]
    chance_seats: Annotated[CellArray, np.int8, (SEATS,)]
    dealt: Annotated[int, np.int16]  # how far the step of the set-up that is under way has come
    spare: Annotated[CellArray, np.int8, (4,)]  # always 0; without it the record would be padded


POSITION = record_dtype(Position)


def empty_position() -> Position:
    """A position of zeros, which shares no memory with another."""
    made: Position = np.zeros(1, POSITION)[0]
    return made


def copy_position(position: Position) -> Position:
    """A copy that shares no memory with `position`."""
    made: Position = np.ndarray((1,), POSITION, bytearray(position.tobytes()))[0]
    return made


# The two read-only records next to a position: the rules in force and the board as tables.
#
# Both are made once for a ruleset (`Ruleset.rules`, `Ruleset.tables`) and never change.

NEIGHBOURS = 24  # the most borders one territory may have
CONTINENTS = 32
NO_NEIGHBOUR = 255  # after the last border of a territory


class Design(IntEnum):
    INFANTRY = 0
    CAVALRY = 1
    ARTILLERY = 2
    WILD = 3


class MissionKind(IntEnum):
    CONTINENTS = 0  # two continents; a third of one's choice where `mission_third` is 1
    TERRITORIES = 1  # `mission_count` territories with `mission_minimum` armies each
    DESTROY = 2  # the colour `mission_colour`


class ObjectiveKind(IntEnum):
    CITIES = 0  # control `objective_count` cities
    CONTINENT = 1  # control `objective_continent`
    CITIES_IN_TURN = 2
    ENEMY_CAPITALS = 3
    CONTINENTS = 4  # control `objective_count` whole continents
    TERRITORIES_IN_TURN = 5
    CONTINENT_IN_TURN = 6
    TERRITORIES = 7


class RewardKind(IntEnum):
    AIRFIELD = 0
    ADDITIONAL_MANOEUVRE = 1
    STARTING_MANOEUVRE = 2
    GUARANTEED_CARD = 3
    ATTACK_DIE = 4
    DEFENCE_DIE = 5
    TWO_TROOPS = 6


class BoardTables(RecordLayout):
    """The board as the kernel reads it, with the cards and missions that the ruleset gives it.

    What serves as an index most often is unsigned: with a signed one, every compiled look-up asks
    first whether it counts from the end.
    """

    territories: Annotated[int, np.int16]
    continents: Annotated[int, np.int16]
    degree: Annotated[CellArray, np.uint16, (TERRITORIES,)]
    most_borders: Annotated[int, np.int16]  # the largest degree
    neighbour: Annotated[Grid, np.uint16, (TERRITORIES, NEIGHBOURS)]  # or NO_NEIGHBOUR
    adjacent: Annotated[Grid, np.int8, (TERRITORIES, TERRITORIES)]  # 0 or 1
    continent: Annotated[CellArray, np.uint8, (TERRITORIES,)]
    # the territories of a continent lie from its first to its last; others may lie between them
    continent_first: Annotated[CellArray, np.int16, (CONTINENTS,)]
    continent_last: Annotated[CellArray, np.int16, (CONTINENTS,)]
    continent_size: Annotated[CellArray, np.int16, (CONTINENTS,)]
    continent_bonus: Annotated[CellArray, np.int16, (CONTINENTS,)]
    cards: Annotated[int, np.int16]  # territory cards and wild cards
    design: Annotated[CellArray, np.int8, (CARDS,)]  # Design
    stars: Annotated[CellArray, np.int8, (CARDS,)]
    mission_in_deck: Annotated[CellArray, np.int8, (MISSIONS,)]  # 0 or 1
    mission_kind: Annotated[CellArray, np.int8, (MISSIONS,)]  # MissionKind
    mission_first: Annotated[CellArray, np.int8, (MISSIONS,)]  # continents
    mission_second: Annotated[CellArray, np.int8, (MISSIONS,)]
    mission_third: Annotated[CellArray, np.int8, (MISSIONS,)]
    mission_colour: Annotated[CellArray, np.int8, (MISSIONS,)]  # index into `board.COLOURS`
    mission_count: Annotated[CellArray, np.int16, (MISSIONS,)]
    mission_minimum: Annotated[CellArray, np.int16, (MISSIONS,)]
    mission_fallback_count: Annotated[int, np.int16]  # 24 on the world board
    objective_in_pool: Annotated[CellArray, np.int8, (OBJECTIVES,)]
    objective_kind: Annotated[CellArray, np.int8, (OBJECTIVES,)]  # ObjectiveKind
    objective_major: Annotated[CellArray, np.int8, (OBJECTIVES,)]  # 0 minor, 1 major
    objective_count: Annotated[CellArray, np.int16, (OBJECTIVES,)]
    objective_continent: Annotated[CellArray, np.int8, (OBJECTIVES,)]


class Rules(RecordLayout):
    """The options in force: option `a.b` is field `a_b`, a choice by its IntEnum value.

    A field is the one place where the engine defines an option; `rubicon.rules.options` declares
    everything else about it. A flag is 0 or 1.
    """

    # set-up
    players_min: Annotated[int, np.int16]
    players_max: Annotated[int, np.int16]
    setup_armies: Annotated[CellArray, np.int16, (SEATS + 1,)]  # by number of players
    setup_first_player: Annotated[int, np.int16]
    setup_claim: Annotated[int, np.int16]
    setup_place: Annotated[int, np.int16]
    setup_turn1: Annotated[int, np.int16]
    setup_cities: Annotated[int, np.int16]
    setup_capitals: Annotated[int, np.int16]
    setup_starting_cards: Annotated[CellArray, np.int16, (SEATS,)]  # by place in the order of play
    revised_capital_on_city: Annotated[int, np.int16]
    hq_reveal: Annotated[int, np.int16]
    hq_needed: Annotated[int, np.int16]
    # reinforcement
    reinforce_min: Annotated[int, np.int16]
    reinforce_min_scope: Annotated[int, np.int16]
    continent_timing: Annotated[int, np.int16]
    revised_rounding: Annotated[int, np.int16]
    army_cap: Annotated[int, np.int16]  # 0: none
    # cards
    cards_deck: Annotated[int, np.int16]
    cards_wilds: Annotated[int, np.int16]
    cards_two_wilds_ok: Annotated[int, np.int16]
    cards_values: Annotated[int, np.int16]
    cards_counter: Annotated[int, np.int16]
    cards_forced: Annotated[int, np.int16]
    cards_max_sets_per_start: Annotated[int, np.int16]  # 0: unlimited
    cards_territory_bonus: Annotated[int, np.int16]
    cards_territory_bonus_cap: Annotated[int, np.int16]
    cards_trigger: Annotated[int, np.int16]
    cards_draw_time: Annotated[int, np.int16]
    cards_empty: Annotated[int, np.int16]
    cards_visibility: Annotated[int, np.int16]
    elim_trade: Annotated[int, np.int16]
    stars_trades_per_draft: Annotated[int, np.int16]  # 0: unlimited
    # attack and occupation
    attack_dice_cap: Annotated[int, np.int16]
    attack_default: Annotated[int, np.int16]
    attack_truce: Annotated[int, np.int16]  # rounds without attacks on players; 0: none
    defend_dice_cap: Annotated[int, np.int16]
    defend_extra_die: Annotated[int, np.int16]
    defend_default: Annotated[int, np.int16]
    dice_announce: Annotated[int, np.int16]
    occupy_min: Annotated[int, np.int16]
    # fortification
    fortify_reach: Annotated[int, np.int16]
    fortify_count: Annotated[int, np.int16]
    # neutral armies and resignation
    rebels_setup: Annotated[int, np.int16]
    neutral_layout: Annotated[int, np.int16]
    neutral_armies: Annotated[int, np.int16]
    neutral_must_fall: Annotated[int, np.int16]
    neutral_dice: Annotated[int, np.int16]
    player_resign: Annotated[int, np.int16]
    # winning
    victory_goal: Annotated[int, np.int16]
    missions_in_play: Annotated[int, np.int16]  # derived: `missions.deck` is not none
    missions_killer: Annotated[int, np.int16]
    missions_check: Annotated[int, np.int16]
    missions_unused_colours: Annotated[int, np.int16]
    missions_own_colour: Annotated[int, np.int16]
    missions_reveal: Annotated[int, np.int16]
    game_round_limit: Annotated[int, np.int16]
    game_limit_winner: Annotated[int, np.int16]
    # objectives and rewards
    objectives_in_play: Annotated[int, np.int16]  # derived
    objectives_continent_turn: Annotated[int, np.int16]
    conquest_objectives: Annotated[int, np.int16]
    capital_dead_counts: Annotated[int, np.int16]
    revised_win: Annotated[int, np.int16]
    airfield_lost: Annotated[int, np.int16]
    bonus_die: Annotated[int, np.int16]
    reward_effective: Annotated[int, np.int16]
    guaranteed_max_one: Annotated[int, np.int16]
    reward_kind: Annotated[CellArray, np.int8, (REWARDS,)]  # of tokens 0 to 3 minor, 4 to 7 major


BOARD_TABLES = record_dtype(BoardTables)
RULES = record_dtype(Rules)
