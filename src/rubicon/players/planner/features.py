"""What the value model sees of a seat: a row of numbers, most of them between 0 and 1.

Everything is read off what all seats may see, so the same row describes a seat to anybody: armies,
territories, continents, borders, numbers of cards, never the cards themselves or a mission.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.ownership import playing_seats
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
from rubicon.players.planner import columns
from rubicon.players.planner.continents import add_continent_chances
from rubicon.players.planner.kills import SOON, add_kills, set_worth, turns_until
from rubicon.players.planner.neutral import add_neutral
from rubicon.players.scripted.battle_odds import chance_of, defence_rolls

Rows = npt.NDArray[Any]
FEATURES = columns.COUNT


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
    add_kills(position, rules, board, rows)
    add_continent_chances(position, rules, board, rows)
    add_neutral(position, rules, board, rows)


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
        row[columns.ARMIES] += armies
        row[columns.TERRITORIES] += 1.0
        row[columns.STACK] = max(row[columns.STACK], armies)
        row[columns.CITIES] += position.city[t]
        strongest, by = 0, -1
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            foe = position.owner[other]
            if foe == owner or foe < 0:
                continue
            if foe != NEUTRAL and position.armies[other] > strongest:
                strongest, by = position.armies[other], foe
        if strongest > 0:
            row[columns.AT_BORDERS] += armies
            row[columns.BORDERS] += 1.0
            chance = chance_of(defence_rolls(rules, owner), strongest - 1, armies)
            row[columns.ENDANGERED] += chance
            rows[by, columns.OPENINGS] += chance
            reach[by, owner] = max(reach[by, owner], float(strongest))
    for seat in range(position.seats):
        for other in range(position.seats):
            if other != seat and rows[seat, columns.ARMIES] > 0.0:
                row = rows[seat]
                grip = reach[other, seat] / (row[columns.ARMIES] + row[columns.TERRITORIES])
                row[columns.ELIMINATION] = max(row[columns.ELIMINATION], min(2.0, grip) / 2.0)


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
            is_foe = foe >= 0 and foe != NEUTRAL and foe != owner  # noqa: PLR1714  compiled code
            if is_foe:
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
                rows[seat, columns.INCOME] += board.continent_bonus[c]
                rows[seat, columns.BONUS] += bonus
                rows[seat, columns.SAFE_BONUS] += bonus * weakest[c]
            else:
                rows[seat, columns.PROGRESS] += bonus * share * share


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
        rows[owner, columns.CONNECTED] = max(rows[owner, columns.CONNECTED], float(size))


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
        row[columns.TO_PLACE] = max(0, position.unplaced[seat])
        row[columns.ARMIES] += row[columns.TO_PLACE]
        row[columns.INCOME] += max(3.0, math.floor(row[columns.TERRITORIES] / 3.0))
        all_armies += row[columns.ARMIES]
        all_income += row[columns.INCOME]
        all_cities += row[columns.CITIES]
        row[columns.STRENGTH] = row[columns.ARMIES] + 2.0 * row[columns.INCOME]
        row[columns.STRENGTH] += position.hand[seat] * set_worth(position, rules, seat) / 4.0
        strengths += row[columns.STRENGTH]
    compare_with_leader(position, rows)
    for seat in range(position.seats):
        if position.status[seat] == Seat.PLAYING:
            row = rows[seat]
            add_cards(position, rules, seat, row, all_armies / playing)
            add_turn(position, rules, seat, row, playing)
            add_goals(position, seat, row)
            own, land = max(1.0, row[columns.ARMIES]), max(1.0, row[columns.TERRITORIES])
            row[columns.INCOME_IN_ARMIES] = min(2.0, row[columns.INCOME] * playing / all_armies)
            row[columns.INCOME] /= all_income
            row[columns.STACK_OF_ALL] = row[columns.STACK] / all_armies
            row[columns.STACK] /= own
            row[columns.AT_BORDERS] /= own
            row[columns.BORDERS] /= land
            row[columns.ENDANGERED] /= land
            row[columns.OPENINGS] /= board.territories
            row[columns.CONNECTED] /= land
            row[columns.TO_PLACE] /= all_armies
            row[columns.CITIES] /= all_cities
            row[columns.ALL_ARMIES] = math.log(all_armies) / 6.0
            row[columns.STRENGTH] /= max(1.0, strengths)
            row[columns.ARMIES] /= all_armies
            row[columns.TERRITORIES] /= board.territories


@compiled
def compare_with_leader(position: Position, rows: Rows) -> None:
    """Each seat's strength against that of the strongest other one."""
    for seat in range(position.seats):
        leader = 1.0
        for other in range(position.seats):
            if other != seat:
                leader = max(leader, rows[other, columns.STRENGTH])
        ratio = rows[seat, columns.STRENGTH] / leader
        rows[seat, columns.ARMIES_OF_LEADER] = min(2.0, ratio) / 2.0


@compiled
def add_cards(position: Position, rules: Rules, seat: int, row: Rows, average: float) -> None:
    """The hand by its size, and what sets are worth; `average` is an average seat's armies."""
    worth = set_worth(position, rules, seat)
    hand = min(10, position.hand[seat])
    row[columns.CARDS] = hand / 5.0
    row[columns.CARDS_WORTH] = min(3.0, hand * worth / 3.0 / average)
    row[columns.SET_SOON] = SOON[hand]
    row[columns.SET_SOON_WORTH] = min(3.0, SOON[hand] * worth / average)
    row[columns.SET_WORTH] = min(3.0, worth / average)
    row[columns.RISING] = float(int(rules.cards_values == SetValues.ESCALATING))
    row[columns.PLUS_ONE] = float(int(rules.cards_values == SetValues.PLUS_ONE))
    row[columns.STARS] = float(int(rules.cards_values == SetValues.STARS))


@compiled
def add_turn(position: Position, rules: Rules, seat: int, row: Rows, playing: int) -> None:
    """When the seat moves, and how far the game has come."""
    row[columns.WAITS] = turns_until(position, seat) / playing
    row[columns.MOVES] = float(int(position.turn == seat))
    row[columns.PLAYING] = playing / 6.0
    row[columns.ROUND] = math.log(1.0 + max(0, position.round_number)) / 4.0


@compiled
def add_goals(position: Position, seat: int, row: Rows) -> None:
    """Capitals and objectives."""
    for other in range(position.seats):
        place = position.capital[other]
        if place >= 0 and position.owner[place] == seat:
            if other == seat:
                row[columns.CAPITAL] = 1.0
            else:
                row[columns.CAPITALS] += 1.0 / 3.0
    for objective in range(OBJECTIVES):
        row[columns.OBJECTIVES] += int(position.objective[objective] == seat) / 3.0
