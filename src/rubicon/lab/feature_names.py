"""The features of an observation: their order, names and version.

Seats are numbered from the seat that looks, in the order of play: 0 is the seat itself. Numbers of
armies are logarithms: ln(1 + armies) / 5. `docs/lab.md` explains every feature.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from rubicon.rules.ruleset.ruleset import Ruleset

VERSION = 1  # of the observation: raised when a feature changes its place or its meaning
Floats = npt.NDArray[np.float32]


class TerritoryFeature(IntEnum):
    OWNER_0 = 0  # one of eight: the owner
    OWNER_1 = 1
    OWNER_2 = 2
    OWNER_3 = 3
    OWNER_4 = 4
    OWNER_5 = 5
    NEUTRAL = 6
    NOBODY = 7
    ARMIES = 8
    ARMIES_SHARE = 9  # of all armies that are seen on the board
    HIDDEN = 10  # 1: the armies are a secret placement
    THREAT = 11  # armies of the strongest neighbour that another player holds
    THREAT_CHANCE = 12  # the chance that it captures the territory
    REACH = 13  # armies of the strongest neighbour of a foreign territory that seat 0 holds
    REACH_CHANCE = 14
    ATTACK_CHANCE = 15  # the chance that its own armies capture the weakest foreign neighbour
    FOREIGN_NEIGHBOURS = 16  # share of the neighbours that have another owner
    CONTINENT_SHARE = 17  # the owner's share of the continent
    CONTINENT_BONUS = 18  # tenths of the armies that the continent brings
    CARD = 19  # 1: seat 0 holds its card
    CITY = 20
    CAPITAL = 21  # of seat 0
    FOREIGN_CAPITAL = 22
    CAPTURED = 23  # in this turn
    AIRFIELD = 24
    ATTACK_SOURCE = 25
    ATTACK_TARGET = 26


class SeatFeature(IntEnum):
    PRESENT = 0  # 1: the game has so many seats
    PLAYING = 1
    TURN = 2
    TERRITORIES = 3  # share of the board
    ARMIES = 4
    ARMIES_SHARE = 5
    CARDS = 6  # tenths of the number in the hand
    UNPLACED = 7
    CONTINENTS = 8  # tenths of the armies that its continents bring
    AWARD = 9  # tenths of the armies that its territories bring
    SETS = 10  # fifths of the sets that it has traded
    SEALED = 11
    OBJECTIVES = 12  # quarters of the objectives that it has claimed
    REWARDS = 13
    MISSION_TARGET = 14  # 1: the mission of seat 0 is to destroy it


class ContinentFeature(IntEnum):
    SHARE_0 = 0  # held by seat 0, and so on
    SHARE_1 = 1
    SHARE_2 = 2
    SHARE_3 = 3
    SHARE_4 = 4
    SHARE_5 = 5
    NEUTRAL_SHARE = 6
    BONUS = 7  # tenths
    SIZE = 8  # share of the board
    MISSION = 9  # 1: the mission of seat 0 names it
    OBJECTIVE = 10  # 1: an objective that lies face up names it


class GameFeature(IntEnum):
    PHASE = 0  # 15 numbers, one of them 1: the phase, as `Phase` numbers them
    PLAYERS = 15  # sixths of the seats
    PLAYING = 16
    PLACE = 17  # of seat 0 in the order of play, from 0 to below 1
    ROUND = 18  # logarithm
    ROUNDS_LEFT = 19  # twentieths, 0 without a limit
    NEXT_SET = 20  # armies of the next set of seat 0; of its offer where stars are traded
    SETS = 21  # logarithm of all sets traded
    TRADE_FORCED = 22
    HAND_INFANTRY = 23  # fifths of the cards of seat 0 with this design
    HAND_CAVALRY = 24
    HAND_ARTILLERY = 25
    HAND_WILD = 26
    HAND_STARS = 27  # tenths of the stars in the hand
    OCCUPY_LOWEST = 28
    OCCUPY_HIGHEST = 29
    ATTACK_DICE = 30  # thirds
    DEFENCE_DICE = 31  # thirds
    MOVES_LEFT = 32  # quarters of the fortifications that are left
    CONQUERED = 33  # 1: a territory was captured in this turn
    PILE = 34  # share of the deck
    OWN_LEFT = 35  # of this move of the two-player set-up
    NEUTRAL_LEFT = 36
    MISSION_CONTINENTS = 37  # kind of the mission of seat 0
    MISSION_TERRITORIES = 38
    MISSION_DESTROY = 39
    IN_TRUCE = 40  # 1: players may not attack one another in this round
    # the ruleset
    SET_VALUES = 41  # 4 numbers: escalating, plus one, fixed, stars
    OWN_COUNTER = 45  # 1: set values rise for each player apart
    FORCED_TRADE = 46  # 4 numbers
    ELIMINATION_TRADE = 50  # 3 numbers
    CARDS_PUBLIC = 53
    CARD_BONUS = 54  # quarters of the armies for an own territory on a traded card
    GOAL = 55  # 4 numbers: conquest, mission, objectives, headquarters
    FORTIFY_REACH = 59  # 4 numbers: adjacent, connected, any, connected many
    FORTIFY_COUNT = 63  # quarters
    CONTINENT_TIMING = 64  # 3 numbers
    ARMY_CAP = 67
    TWO_DICE_ALWAYS = 68  # 1: one army defends with two dice
    GUARDED_DICE = 69  # 1: an attack uses as many dice as armies, not one fewer


GAME_FEATURES = 70
BLOCKS = {
    GameFeature.PHASE: 15,
    GameFeature.SET_VALUES: 4,
    GameFeature.FORCED_TRADE: 4,
    GameFeature.ELIMINATION_TRADE: 3,
    GameFeature.GOAL: 4,
    GameFeature.FORTIFY_REACH: 4,
    GameFeature.CONTINENT_TIMING: 3,
}
TERRITORY_FEATURES = len(TerritoryFeature)
SEAT_FEATURES = len(SeatFeature)
CONTINENT_FEATURES = len(ContinentFeature)
SEATS_SHOWN = 6


@dataclass(frozen=True, slots=True)
class FeatureLayout:
    """Where the parts of an observation lie: the game, then seats, continents, territories."""

    territories: int
    continents: int

    @classmethod
    def of(cls, ruleset: Ruleset) -> "FeatureLayout":
        """The layout on the board of a ruleset; rulesets on one board have the same."""
        return cls(int(ruleset.tables.territories), int(ruleset.tables.continents))

    @property
    def first_continent(self) -> int:
        """Where the continents begin."""
        return GAME_FEATURES + SEATS_SHOWN * SEAT_FEATURES

    @property
    def first_territory(self) -> int:
        """Where the territories begin."""
        return self.first_continent + self.continents * CONTINENT_FEATURES

    @property
    def size(self) -> int:
        """How many features an observation has."""
        return self.first_territory + self.territories * TERRITORY_FEATURES

    def game(self, observations: Floats) -> Floats:
        """The features of the game: a view, shape (..., GAME_FEATURES)."""
        return observations[..., :GAME_FEATURES]

    def seats(self, observations: Floats) -> Floats:
        """The features by seat: a view, shape (..., 6, SEAT_FEATURES)."""
        return _rows(observations[..., GAME_FEATURES : self.first_continent], SEAT_FEATURES)

    def by_continent(self, observations: Floats) -> Floats:
        """The features by continent: a view, shape (..., continents, CONTINENT_FEATURES)."""
        part = observations[..., self.first_continent : self.first_territory]
        return _rows(part, CONTINENT_FEATURES)

    def by_territory(self, observations: Floats) -> Floats:
        """The features by territory: a view, shape (..., territories, TERRITORY_FEATURES)."""
        return _rows(observations[..., self.first_territory :], TERRITORY_FEATURES)

    def names(self, ruleset: Ruleset) -> tuple[str, ...]:
        """The name of every feature of an observation, such as `alaska armies`."""
        return tuple(_names(ruleset))


def _rows(part: Floats, width: int) -> Floats:
    """A view of the last axis as rows of this width."""
    return part.reshape(*part.shape[:-1], part.shape[-1] // width, width)


def _words(feature: IntEnum) -> str:
    return feature.name.lower().replace("_", " ")


def _names(ruleset: Ruleset) -> Iterator[str]:
    for one in GameFeature:
        count = BLOCKS.get(one, 1)
        yield from ([_words(one)] if count == 1 else [f"{_words(one)} {n}" for n in range(count)])
    for seat in range(SEATS_SHOWN):
        yield from (f"seat {seat} {_words(feature)}" for feature in SeatFeature)
    for continent in ruleset.board.continents:
        yield from (f"{continent.id} {_words(feature)}" for feature in ContinentFeature)
    for territory in ruleset.board.territories:
        yield from (f"{territory.id} {_words(feature)}" for feature in TerritoryFeature)
