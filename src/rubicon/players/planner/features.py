"""What the value model sees of a seat: a row of numbers, most of them between 0 and 1.

Everything is read off what all seats may see, so the same row describes a seat to anybody: armies,
territories, continents, borders, numbers of cards, never the cards themselves or a mission.
"""

import math
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.ownership import playing_seats
from rubicon.engine.phases.cards import next_set_value
from rubicon.engine.records.choices import SetValues
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import (
    NEUTRAL,
    OBJECTIVES,
    SEATS,
    TERRITORIES,
    Position,
    Seat,
)
from rubicon.engine.records.tables import CONTINENTS, BoardTables, Rules
from rubicon.players.scripted.battle_odds import chance_of, defence_rolls

Rows = npt.NDArray[Any]
STARS_WORTH = 10.0


class Feature(IntEnum):
    """The columns of a row."""

    ARMIES = 0  # share of all armies, those to be placed included
    ARMIES_OF_LEADER = 1  # against the strongest other seat, at most 2, halved
    TERRITORIES = 2  # share of the board
    INCOME = 3  # share of all seats' armies a turn
    INCOME_IN_ARMIES = 4  # armies a turn, as a share of an average seat's armies
    BONUS = 5  # of the continents held, as a share of all continents
    SAFE_BONUS = 6  # each continent's bonus by how well its borders hold
    PROGRESS = 7  # bonus of other continents, by the square of the share held
    CARDS = 8  # in the hand, fifths
    CARDS_WORTH = 9  # a third of the next set a card, in average seats' armies
    SET_SOON = 10  # the chance of a set in the next turn, by the number of cards
    SET_SOON_WORTH = 11  # the same in average seats' armies
    STACK = 12  # the largest army, as a share of the seat's armies
    STACK_OF_ALL = 13  # and of all armies
    AT_BORDERS = 14  # the share of the seat's armies that stand beside an enemy
    BORDERS = 15  # the share of its territories that border on an enemy
    ENDANGERED = 16  # the share of its territories that one enemy stack would capture
    OPENINGS = 17  # territories that it could capture, as a share of the board
    ELIMINATION = 18  # how far the strongest neighbour's armies reach for all of its territories
    CONNECTED = 19  # the largest connected part of its territories, as a share
    WAITS = 20  # turns until it moves, as a share of the seats that play
    MOVES = 21  # 1: it is its turn
    TO_PLACE = 22  # armies to be placed, as a share of all
    CAPITAL = 23  # 1: it holds its own capital
    CAPITALS = 24  # other capitals it holds, thirds
    OBJECTIVES = 25  # claimed, thirds
    CITIES = 26  # share of all cities
    STRENGTH = 27  # share of armies, two turns of income and cards together
    PLAYING = 28  # seats that still play, sixths
    ALL_ARMIES = 29  # logarithm of all armies
    SET_WORTH = 30  # the next set, in average seats' armies
    ROUND = 31  # the logarithm of the round's number
    RISING = 32  # 1: each set brings more than the one before
    PLUS_ONE = 33  # 1: each set brings one more
    STARS = 34  # 1: cards are traded for their stars


FEATURES = len(Feature)
SOON = np.array([0.0, 0.0, 0.1, 0.5, 0.85, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])


@compiled
def features(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """Fill a row for each seat, zeros for those that are out; `rows`: shape (6, FEATURES)."""
    for seat in range(SEATS):
        for i in range(FEATURES):
            rows[seat, i] = 0.0
    add_board(position, rules, board, rows)
    add_continents(position, board, rows)
    add_connection(position, board, rows)
    add_seats(position, rules, board, rows)


@compiled
def add_board(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """Armies, territories, borders, dangers: sums, which `add_seats` makes shares."""
    reach = np.zeros((SEATS + 1, SEATS + 1))
    for t in range(board.territories):
        owner = position.owner[t]
        if owner < 0 or owner == NEUTRAL:
            continue
        row = rows[owner]
        armies = position.armies[t]
        row[Feature.ARMIES] += armies
        row[Feature.TERRITORIES] += 1.0
        row[Feature.STACK] = max(row[Feature.STACK], armies)
        row[Feature.CITIES] += position.city[t]
        strongest, by = 0, -1
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            foe = position.owner[other]
            if foe == owner or foe < 0:
                continue
            if foe != NEUTRAL and position.armies[other] > strongest:
                strongest, by = position.armies[other], foe
        if strongest > 0:
            row[Feature.AT_BORDERS] += armies
            row[Feature.BORDERS] += 1.0
            chance = chance_of(defence_rolls(rules, owner), strongest - 1, armies)
            row[Feature.ENDANGERED] += chance
            rows[by, Feature.OPENINGS] += chance
            reach[by, owner] = max(reach[by, owner], float(strongest))
    for seat in range(position.seats):
        for other in range(position.seats):
            if other != seat and rows[seat, Feature.ARMIES] > 0.0:
                row = rows[seat]
                grip = reach[other, seat] / (row[Feature.ARMIES] + row[Feature.TERRITORIES])
                row[Feature.ELIMINATION] = max(row[Feature.ELIMINATION], min(2.0, grip) / 2.0)


@compiled
def add_continents(position: Position, board: BoardTables, rows: Rows) -> None:
    """Bonuses held, how safe they are, and how near others are."""
    own = np.zeros((SEATS + 1, CONTINENTS))
    weakest = np.ones(CONTINENTS)
    total = 0.0
    for t in range(board.territories):
        owner, c = position.owner[t], board.continent[t]
        if owner < 0:
            continue
        own[owner, c] += 1.0
        threat = 0
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            foe = position.owner[other]
            if foe not in (owner, NEUTRAL) and foe >= 0:
                threat = max(threat, position.armies[other])
        if threat > 1:
            weakest[c] = min(weakest[c], position.armies[t] / (position.armies[t] + threat))
    for c in range(board.continents):
        total += board.continent_bonus[c]
    if total == 0.0:
        return
    for c in range(board.continents):
        bonus = board.continent_bonus[c] / total
        for seat in range(position.seats):
            share = own[seat, c] / board.continent_size[c]
            if share == 1.0:
                rows[seat, Feature.INCOME] += board.continent_bonus[c]
                rows[seat, Feature.BONUS] += bonus
                rows[seat, Feature.SAFE_BONUS] += bonus * weakest[c]
            else:
                rows[seat, Feature.PROGRESS] += bonus * share * share


@compiled
def add_connection(position: Position, board: BoardTables, rows: Rows) -> None:
    """The size of each seat's largest connected part."""
    part = np.zeros(TERRITORIES, np.int64)
    waiting = np.zeros(TERRITORIES, np.int64)
    for t in range(board.territories):
        owner = position.owner[t]
        if part[t] != 0 or owner < 0 or owner == NEUTRAL:
            continue
        part[t] = 1
        waiting[0] = t
        count, size = 1, 0
        while count > 0:
            count -= 1
            size += 1
            here = waiting[count]
            for i in range(board.degree[here]):
                other = board.neighbour[here, i]
                if part[other] == 0 and position.owner[other] == owner:
                    part[other] = 1
                    waiting[count] = other
                    count += 1
        rows[owner, Feature.CONNECTED] = max(rows[owner, Feature.CONNECTED], float(size))


@compiled
def set_worth(position: Position, rules: Rules, seat: int) -> float:
    """The armies of the seat's next set, or about those of a trade in stars."""
    if rules.cards_values == SetValues.STARS:
        return STARS_WORTH
    return float(next_set_value(position, rules, seat))


@compiled
def add_seats(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """What a seat is and has, and shares of all that was counted."""
    playing = max(1, playing_seats(position))
    all_armies, all_income, all_cities, strengths = 1.0, 0.0, 1.0, 0.0
    for seat in range(position.seats):
        row = rows[seat]
        if position.status[seat] != Seat.PLAYING:
            for i in range(FEATURES):
                row[i] = 0.0
            continue
        row[Feature.TO_PLACE] = max(0, position.unplaced[seat])
        row[Feature.ARMIES] += row[Feature.TO_PLACE]
        row[Feature.INCOME] += max(3.0, math.floor(row[Feature.TERRITORIES] / 3.0))
        all_armies += row[Feature.ARMIES]
        all_income += row[Feature.INCOME]
        all_cities += row[Feature.CITIES]
        row[Feature.STRENGTH] = row[Feature.ARMIES] + 2.0 * row[Feature.INCOME]
        row[Feature.STRENGTH] += position.hand[seat] * set_worth(position, rules, seat) / 4.0
        strengths += row[Feature.STRENGTH]
    compare_with_leader(position, rows)
    for seat in range(position.seats):
        if position.status[seat] == Seat.PLAYING:
            row = rows[seat]
            add_cards(position, rules, seat, row, all_armies / playing)
            add_turn(position, rules, seat, row, playing)
            add_goals(position, seat, row)
            own, land = max(1.0, row[Feature.ARMIES]), max(1.0, row[Feature.TERRITORIES])
            row[Feature.INCOME_IN_ARMIES] = min(2.0, row[Feature.INCOME] * playing / all_armies)
            row[Feature.INCOME] /= all_income
            row[Feature.STACK_OF_ALL] = row[Feature.STACK] / all_armies
            row[Feature.STACK] /= own
            row[Feature.AT_BORDERS] /= own
            row[Feature.BORDERS] /= land
            row[Feature.ENDANGERED] /= land
            row[Feature.OPENINGS] /= board.territories
            row[Feature.CONNECTED] /= land
            row[Feature.TO_PLACE] /= all_armies
            row[Feature.CITIES] /= all_cities
            row[Feature.ALL_ARMIES] = math.log(all_armies) / 6.0
            row[Feature.STRENGTH] /= max(1.0, strengths)
            row[Feature.ARMIES] /= all_armies
            row[Feature.TERRITORIES] /= board.territories


@compiled
def compare_with_leader(position: Position, rows: Rows) -> None:
    """Each seat's strength against that of the strongest other one."""
    for seat in range(position.seats):
        leader = 1.0
        for other in range(position.seats):
            if other != seat:
                leader = max(leader, rows[other, Feature.STRENGTH])
        ratio = rows[seat, Feature.STRENGTH] / leader
        rows[seat, Feature.ARMIES_OF_LEADER] = min(2.0, ratio) / 2.0


@compiled
def add_cards(position: Position, rules: Rules, seat: int, row: Rows, average: float) -> None:
    """The hand by its size, and what sets are worth; `average` is an average seat's armies."""
    worth = set_worth(position, rules, seat)
    hand = min(10, position.hand[seat])
    row[Feature.CARDS] = hand / 5.0
    row[Feature.CARDS_WORTH] = min(3.0, hand * worth / 3.0 / average)
    row[Feature.SET_SOON] = SOON[hand]
    row[Feature.SET_SOON_WORTH] = min(3.0, SOON[hand] * worth / average)
    row[Feature.SET_WORTH] = min(3.0, worth / average)
    row[Feature.RISING] = float(int(rules.cards_values == SetValues.ESCALATING))
    row[Feature.PLUS_ONE] = float(int(rules.cards_values == SetValues.PLUS_ONE))
    row[Feature.STARS] = float(int(rules.cards_values == SetValues.STARS))


@compiled
def add_turn(position: Position, rules: Rules, seat: int, row: Rows, playing: int) -> None:
    """When the seat moves, and how far the game has come."""
    row[Feature.WAITS] = turns_until(position, seat) / playing
    row[Feature.MOVES] = float(int(position.turn == seat))
    row[Feature.PLAYING] = playing / 6.0
    row[Feature.ROUND] = math.log(1.0 + max(0, position.round_number)) / 4.0


@compiled
def add_goals(position: Position, seat: int, row: Rows) -> None:
    """Capitals and objectives."""
    for other in range(position.seats):
        place = position.capital[other]
        if place >= 0 and position.owner[place] == seat:
            if other == seat:
                row[Feature.CAPITAL] = 1.0
            else:
                row[Feature.CAPITALS] += 1.0 / 3.0
    for objective in range(OBJECTIVES):
        row[Feature.OBJECTIVES] += int(position.objective[objective] == seat) / 3.0


@compiled
def turns_until(position: Position, seat: int) -> int:
    """How many seats that play move before this one, from the one whose turn it is."""
    count = 0
    other = position.turn
    while other != seat:
        count += int(position.status[other] == Seat.PLAYING)
        other = other + 1 if other + 1 < position.seats else 0
    return count
