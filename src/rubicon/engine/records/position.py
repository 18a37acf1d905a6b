"""A position: everything that is true of one game at one moment, in one NumPy record.

Equal positions have equal bytes: a new position is all zeros, and every procedure resets the
fields of a step that is over. Unless a comment says otherwise, -1 stands for "none".
"""

from enum import IntEnum
from typing import Annotated

import numpy as np

from rubicon.engine.records.layout import CellArray, RecordLayout, record_dtype

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
    airfield: Annotated[CellArray, np.int16, (REWARDS,)]  # where an airfield token stands
    # the turn
    phase: Annotated[int, np.int8]
    turn: Annotated[int, np.int8]  # the seat whose turn it is
    first: Annotated[int, np.int8]  # the seat that takes turn 1
    winner: Annotated[int, np.int8]
    round_number: Annotated[int, np.int32]  # 1 from the first turn on
    sets: Annotated[int, np.int16]  # traded in by anybody, ever
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
