"""What the value model sees of a seat: a row of numbers, most of them between 0 and 1.

Everything is read off what all seats may see, so the same row describes a seat to anybody: armies,
territories, continents, borders, numbers of cards, never the cards themselves or a mission.
"""

import math
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

NAMES = (
    "armies",  # share of all armies, those to be placed included
    "armies_of_leader",  # against the strongest other seat, at most 2, halved
    "territories",  # share of the board
    "income",  # share of all seats' armies a turn
    "income_in_armies",  # armies a turn, as a share of an average seat's armies
    "bonus",  # of the continents held, as a share of all continents
    "safe_bonus",  # each continent's bonus by how well its borders hold
    "progress",  # bonus of other continents, by the square of the share held
    "cards",  # in the hand, fifths
    "cards_worth",  # a third of the next set a card, in average seats' armies
    "set_soon",  # the chance of a set in the next turn, by the number of cards
    "set_soon_worth",  # the same in average seats' armies
    "stack",  # the largest army, as a share of the seat's armies
    "stack_of_all",  # and of all armies
    "at_borders",  # the share of the seat's armies that stand beside an enemy
    "borders",  # the share of its territories that border on an enemy
    "endangered",  # the share of its territories that one enemy stack would capture
    "openings",  # territories that it could capture, as a share of the board
    "elimination",  # how far the strongest neighbour's armies reach for all of its territories
    "connected",  # the largest connected part of its territories, as a share
    "waits",  # turns until it moves, as a share of the seats that play
    "moves",  # 1: it is its turn
    "to_place",  # armies to be placed, as a share of all
    "capital",  # 1: it holds its own capital
    "capitals",  # other capitals it holds, thirds
    "objectives",  # claimed, thirds
    "cities",  # share of all cities
    "strength",  # share of armies, two turns of income and cards together
    "playing",  # seats that still play, sixths
    "all_armies",  # logarithm of all armies
    "set_worth",  # the next set, in average seats' armies
    "round",  # the logarithm of the round's number
    "rising",  # 1: each set brings more than the one before
    "plus_one",  # 1: each set brings one more
    "stars",  # 1: cards are traded for their stars
    "most_stars",  # left for later versions: always 0
)
FEATURES = len(NAMES)
SOON = np.array([0.0, 0.0, 0.1, 0.5, 0.85, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])


@compiled
def features(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """Fill a row for each seat: `rows` has the shape (6, FEATURES); zeros for those that are out."""
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
        row[0] += armies
        row[2] += 1.0
        row[12] = max(row[12], armies)
        row[26] += position.city[t]
        strongest, by = 0, -1
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            foe = position.owner[other]
            if foe == owner or foe < 0:
                continue
            if foe != NEUTRAL and position.armies[other] > strongest:
                strongest, by = position.armies[other], foe
        if strongest > 0:
            row[14] += armies
            row[15] += 1.0
            chance = chance_of(defence_rolls(rules, owner), strongest - 1, armies)
            row[16] += chance
            rows[by, 17] += chance
            reach[by, owner] = max(reach[by, owner], float(strongest))
    for seat in range(position.seats):
        for other in range(position.seats):
            if other != seat and rows[seat, 0] > 0.0:
                grip = reach[other, seat] / (rows[seat, 0] + rows[seat, 2])
                rows[seat, 18] = max(rows[seat, 18], min(2.0, grip) / 2.0)


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
            if foe != owner and foe != NEUTRAL and foe >= 0:
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
                rows[seat, 3] += board.continent_bonus[c]
                rows[seat, 5] += bonus
                rows[seat, 6] += bonus * weakest[c]
            else:
                rows[seat, 7] += bonus * share * share


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
        rows[owner, 19] = max(rows[owner, 19], float(size))


@compiled
def add_seats(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """What a seat is and has, and shares of all that was counted."""
    playing = max(1, playing_seats(position))
    all_armies, all_income, all_cities, strengths = 1.0, 0.0, 1.0, 0.0
    for seat in range(position.seats):
        row = rows[seat]
        if position.status[seat] != Seat.PLAYING:
            continue
        row[22] = max(0, position.unplaced[seat])
        row[0] += row[22]
        row[3] += max(3.0, math.floor(row[2] / 3.0))
        all_armies += row[0]
        all_income += row[3]
        all_cities += row[26]
    average = all_armies / playing
    worth = STARS_WORTH
    for seat in range(position.seats):
        if rules.cards_values != SetValues.STARS:
            worth = float(next_set_value(position, rules, seat))
        row = rows[seat]
        row[27] = row[0] + 2.0 * row[3] + position.hand[seat] * worth / 4.0
        strengths += row[27] * int(position.status[seat] == Seat.PLAYING)
    for seat in range(position.seats):
        row = rows[seat]
        if position.status[seat] != Seat.PLAYING:
            for i in range(FEATURES):
                row[i] = 0.0
            continue
        if rules.cards_values != SetValues.STARS:
            worth = float(next_set_value(position, rules, seat))
        leader = 1.0
        for other in range(position.seats):
            if other != seat and position.status[other] == Seat.PLAYING:
                leader = max(leader, rows[other, 27])
        row[1] = min(2.0, row[27] / leader) / 2.0
        own, land = max(1.0, row[0]), max(1.0, row[2])
        hand = min(10, position.hand[seat])
        row[4] = min(2.0, row[3] / average)
        row[3] /= all_income
        row[8] = hand / 5.0
        row[9] = min(3.0, hand * worth / 3.0 / average)
        row[10] = SOON[hand]
        row[11] = min(3.0, SOON[hand] * worth / average)
        row[13] = row[12] / all_armies
        row[12] /= own
        row[14] /= own
        row[15] /= land
        row[16] /= land
        row[17] /= board.territories
        row[19] /= land
        row[20] = turns_until(position, seat) / playing
        row[21] = float(int(position.turn == seat))
        row[22] /= all_armies
        add_goals(position, seat, row)
        row[26] /= all_cities
        row[28] = playing / 6.0
        row[29] = math.log(all_armies) / 6.0
        row[30] = min(3.0, worth / average)
        row[31] = math.log(1.0 + max(0, position.round_number)) / 4.0
        row[32] = float(int(rules.cards_values == SetValues.ESCALATING))
        row[33] = float(int(rules.cards_values == SetValues.PLUS_ONE))
        row[34] = float(int(rules.cards_values == SetValues.STARS))
    for seat in range(position.seats):
        if position.status[seat] == Seat.PLAYING:
            rows[seat, 27] /= max(1.0, strengths)
            rows[seat, 0] /= all_armies
            rows[seat, 2] /= board.territories


@compiled
def add_goals(position: Position, seat: int, row: Rows) -> None:
    """Capitals and objectives."""
    for other in range(position.seats):
        place = position.capital[other]
        if place >= 0 and position.owner[place] == seat:
            if other == seat:
                row[23] = 1.0
            else:
                row[24] += 1.0 / 3.0
    for objective in range(OBJECTIVES):
        row[25] += int(position.objective[objective] == seat) / 3.0


@compiled
def turns_until(position: Position, seat: int) -> int:
    """How many seats that play move before this one, from the one whose turn it is."""
    count = 0
    other = position.turn
    while other != seat:
        count += int(position.status[other] == Seat.PLAYING)
        other = other + 1 if other + 1 < position.seats else 0
    return count
