"""What the value model sees of a seat: a row of numbers, most of them between 0 and 1."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine import records
from rubicon.engine.cards import next_set_value
from rubicon.engine.codes import SetValues
from rubicon.engine.ownership import playing_seats
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.players.scripted.battle_odds import (
    chance_of,
    chance_to_last,
    defence_rolls,
    loss_of,
    variance_of,
)

# The columns of a row of features, by number: compiled code takes no enumeration as an index.

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
AT_BORDERS = 14  # the share of the seat's armies that are next to an enemy
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
KILL = 35  # the chance to eliminate someone in its next turn, roughly
KILL_CARDS = 36  # by the cards it would take, in average seats' armies
DANGER = 37  # the chance that someone eliminates it before it moves, roughly
DANGER_CARDS = 38  # by its hand, in average seats' armies
DANGER_LATER = 39  # the chance that someone who moves after it eliminates it
COMPLETES = 40  # each continent's bonus by the chance to complete it in the next turn, roughly
BREAKS = 41  # bonuses of others by the chance to break them, roughly
LOSES = 42  # the largest of its bonuses by the chance that a seat breaks it, roughly
NEUTRAL_ARMIES = 43  # of the neutral owner, as a share of all on the board
NEUTRAL_OPENINGS = 44  # neutral territories that it could capture, as a share of the board
BEHIND_NEUTRAL = 45  # territories whose only foreign neighbours are neutral, as its own share

COUNT = 46


# Who might eliminate whom in the next turn: roughly, for the value model.

Rows = npt.NDArray[Any]
STARS_WORTH = 10.0
# By the number of cards, about the chance that the next turn brings a set.
SOON = np.array([0.0, 0.0, 0.1, 0.5, 0.85, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])


@compiled
def add_kills(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """The chances to eliminate and to be eliminated, and the cards that they bring and cost.

    The rows must be filled otherwise. A seat that does not move before another turn of its victim
    may find it stronger: that is left to the model.
    """
    beside = np.zeros(
        (records.SEATS + 1, records.SEATS + 1)
    )  # armies of a seat next to those of another one
    need = np.zeros(records.SEATS + 1)
    spread = np.zeros(records.SEATS + 1)
    armies = np.zeros(records.SEATS + 1)
    met = np.zeros(records.SEATS + 1, np.int64)
    for t in range(board.territories):
        owner = position.owner[t]
        if owner < 0 or owner == records.NEUTRAL:
            continue
        rolls = defence_rolls(rules, owner)
        armies[owner] += position.armies[t]
        need[owner] += 1.0 + loss_of(rolls, position.armies[t])
        spread[owner] += variance_of(rolls, position.armies[t])
        for i in range(board.degree[t]):
            foe = position.owner[board.neighbour[t, i]]
            if foe >= 0 and foe != owner and met[foe] != t + 1:
                met[foe] = t + 1
                beside[owner, foe] += position.armies[t] - 1
    average = 1.0
    for seat in range(position.seats):
        average += armies[seat] / max(1.0, 6.0 * rows[seat, PLAYING])
    for seat in range(position.seats):
        if position.status[seat] != records.Seat.PLAYING:
            continue
        worth = set_worth(position, rules, seat)
        comes = armies_to_come(position, seat)
        soon = SOON[min(10, position.hand[seat])]
        for victim in range(position.seats):
            if victim == seat or position.status[victim] != records.Seat.PLAYING:
                continue
            spare = beside[seat, victim] + comes - need[victim]
            chance = (1.0 - soon) * chance_to_last(spare, spread[victim])
            chance += soon * chance_to_last(spare + worth, spread[victim])
            row = rows[seat]
            row[KILL] = max(row[KILL], chance)
            spoils = chance * min(3.0, position.hand[victim] * worth / 3.0 / average)
            row[KILL_CARDS] = max(row[KILL_CARDS], spoils)
            row = rows[victim]
            place = DANGER_LATER
            if turns_until(position, seat) < turns_until(position, victim):
                place = DANGER
                risk = chance * row[CARDS_WORTH]
                row[DANGER_CARDS] = max(row[DANGER_CARDS], risk)
            row[place] = max(row[place], chance)


@compiled
def armies_to_come(position: Position, seat: int) -> float:
    """The armies of a seat's next turn, or those it has to place now; continents left out."""
    comes = float(max(0, position.unplaced[seat]))
    if position.turn != seat:
        comes += max(3.0, math.floor(position.territories[seat] / 3.0))
    return comes


@compiled
def set_worth(position: Position, rules: Rules, seat: int) -> float:
    """The armies of the seat's next set, or about those of a trade in stars."""
    if rules.cards_values == SetValues.STARS:
        return STARS_WORTH
    return float(next_set_value(position, rules, seat))


@compiled
def turns_until(position: Position, seat: int) -> int:
    """How many seats that play move before this one, from the one whose turn it is."""
    count = 0
    other = position.turn
    while other != seat:
        count += int(position.status[other] == records.Seat.PLAYING)
        other = other + 1 if other + 1 < position.seats else 0
    return count


# Which continents change hands in the next turn: roughly, for the value model.

NOBODY, MIXED = -1, -2


@compiled
def add_continent_chances(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """Add the chances to complete, to break and to lose continents to rows that are zero there.

    The armies of a seat's next turn count as if all were placed where they are needed.
    """
    need = np.zeros(
        (records.CONTINENTS, records.SEATS + 1)
    )  # by owner: what their territories cost
    spread = np.zeros((records.CONTINENTS, records.SEATS + 1))
    force = np.zeros((records.CONTINENTS, records.SEATS + 1))  # armies that may attack there
    breaks = np.zeros((records.CONTINENTS, records.SEATS + 1))
    holder = np.full(records.CONTINENTS, NOBODY)
    comes = np.zeros(records.SEATS + 1)
    total = 0.0
    for seat in range(position.seats):
        comes[seat] = armies_to_come(position, seat)
    for c in range(board.continents):
        total += board.continent_bonus[c]
    if total == 0.0:
        return
    for t in range(board.territories):
        owner, c = position.owner[t], board.continent[t]
        if owner < 0:
            holder[c] = MIXED
            continue
        if holder[c] == NOBODY:
            holder[c] = owner
        elif holder[c] != owner:
            holder[c] = MIXED
        rolls = defence_rolls(rules, owner)
        need[c, owner] += 1.0 + loss_of(rolls, position.armies[t])
        spread[c, owner] += variance_of(rolls, position.armies[t])
        add_force(position, board, t, force)
    for t in range(board.territories):
        c = board.continent[t]
        if 0 <= holder[c] < records.NEUTRAL:
            add_breaks(position, rules, board, t, comes, breaks)
    for c in range(board.continents):
        bonus = board.continent_bonus[c] / total
        if 0 <= holder[c] < records.NEUTRAL:
            for seat in range(position.seats):
                risk = bonus * breaks[c, seat]
                rows[seat, BREAKS] += risk
                row = rows[holder[c]]
                row[LOSES] = max(row[LOSES], risk)
        whole = need[c].sum()
        doubt = spread[c].sum()
        for seat in range(position.seats):
            if (
                holder[c] == seat
                or position.status[seat] != records.Seat.PLAYING
                or force[c, seat] == 0.0
            ):
                continue
            spare = force[c, seat] + comes[seat] - (whole - need[c, seat])
            chance = chance_to_last(spare, doubt - spread[c, seat])
            rows[seat, COMPLETES] += bonus * chance


@compiled
def add_force(position: Position, board: BoardTables, t: int, force: Rows) -> None:
    """Add a territory's armies to the continents that they may attack."""
    owner, own = position.owner[t], int(board.continent[t])
    armies = position.armies[t] - 1
    force[own, owner] += armies
    counted = 1 << own
    for i in range(board.degree[t]):
        other = board.neighbour[t, i]
        c = int(board.continent[other])
        if counted >> c & 1 == 0 and position.owner[other] != owner:
            counted |= 1 << c
            force[c, owner] += armies


@compiled
def add_breaks(
    position: Position, rules: Rules, board: BoardTables, t: int, comes: Rows, breaks: Rows
) -> None:
    """Note for each seat next to a territory of a whole continent the chance to capture it."""
    owner, c = position.owner[t], board.continent[t]
    rolls = defence_rolls(rules, owner)
    for i in range(board.degree[t]):
        other = board.neighbour[t, i]
        foe = position.owner[other]
        is_foe = foe >= 0 and foe != records.NEUTRAL and foe != owner  # noqa: PLR1714  compiled code
        if not is_foe:
            continue
        armies = position.armies[other] - 1 + int(comes[foe])
        chance = chance_of(rolls, armies, position.armies[t])
        breaks[c, foe] = max(breaks[c, foe], chance)


# The neutral owner's territories, for the value model: what they hold back, and what they open.


@compiled
def add_neutral(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """Add what there is of the neutral owner to rows that are zero there."""
    neutral, everywhere = 0, 0
    for t in range(board.territories):
        armies = max(0, position.armies[t])
        everywhere += armies
        if position.owner[t] == records.NEUTRAL:
            neutral += armies
    if neutral == 0:
        return
    for seat in range(position.seats):
        if position.status[seat] == records.Seat.PLAYING:
            rows[seat, NEUTRAL_ARMIES] = neutral / everywhere
    rolls = defence_rolls(rules, records.NEUTRAL)
    strongest = np.zeros(records.SEATS + 1, np.int64)
    for t in range(board.territories):
        owner = position.owner[t]
        if owner == records.NEUTRAL:
            strongest[:] = 0
            for i in range(board.degree[t]):
                other = board.neighbour[t, i]
                foe = position.owner[other]
                if foe >= 0:
                    strongest[foe] = max(strongest[foe], position.armies[other])
            for seat in range(position.seats):
                chance = chance_of(rolls, strongest[seat] - 1, position.armies[t])
                rows[seat, NEUTRAL_OPENINGS] += chance / board.territories
        elif owner >= 0 and is_behind_neutral(position, board, t):
            land = max(1, position.territories[owner])
            rows[owner, BEHIND_NEUTRAL] += 1.0 / land


@compiled
def is_behind_neutral(position: Position, board: BoardTables, t: int) -> bool:
    """Whether a territory has foreign neighbours, all of them neutral."""
    found = False
    for i in range(board.degree[t]):
        foe = position.owner[board.neighbour[t, i]]
        if foe == records.NEUTRAL:
            found = True
        elif foe != position.owner[t]:
            return False
    return found


# What the value model sees of a seat: a row of numbers, most of them between 0 and 1.
#
# Everything is read off what all seats may see, so the same row describes a seat to anyone:
# armies, territories, continents, borders, numbers of cards, never the cards themselves or a
# mission.

FEATURES = COUNT


@compiled
def features(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """Fill a row for each seat, zeros for those that are out; `rows`: shape (6, FEATURES)."""
    for seat in range(records.SEATS):
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
    reach = np.zeros((records.SEATS + 1, records.SEATS + 1))
    for t in range(board.territories):
        owner = position.owner[t]
        if owner < 0 or owner == records.NEUTRAL:
            continue
        row = rows[owner]
        armies = position.armies[t]
        row[ARMIES] += armies
        row[TERRITORIES] += 1.0
        row[STACK] = max(row[STACK], armies)
        row[CITIES] += position.city[t]
        strongest, by = 0, -1
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            foe = position.owner[other]
            if foe == owner or foe < 0:
                continue
            if foe != records.NEUTRAL and position.armies[other] > strongest:
                strongest, by = position.armies[other], foe
        if strongest > 0:
            row[AT_BORDERS] += armies
            row[BORDERS] += 1.0
            chance = chance_of(defence_rolls(rules, owner), strongest - 1, armies)
            row[ENDANGERED] += chance
            rows[by, OPENINGS] += chance
            reach[by, owner] = max(reach[by, owner], float(strongest))
    for seat in range(position.seats):
        for other in range(position.seats):
            if other != seat and rows[seat, ARMIES] > 0.0:
                row = rows[seat]
                grip = reach[other, seat] / (row[ARMIES] + row[TERRITORIES])
                row[ELIMINATION] = max(row[ELIMINATION], min(2.0, grip) / 2.0)


@compiled
def add_continents(position: Position, board: BoardTables, rows: Rows) -> None:
    """Bonuses held, how safe they are, and how near others are."""
    own = np.zeros((records.SEATS + 1, records.CONTINENTS))
    weakest = np.ones(records.CONTINENTS)
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
            is_foe = foe >= 0 and foe != records.NEUTRAL and foe != owner  # noqa: PLR1714  compiled code
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
                rows[seat, INCOME] += board.continent_bonus[c]
                rows[seat, BONUS] += bonus
                rows[seat, SAFE_BONUS] += bonus * weakest[c]
            else:
                rows[seat, PROGRESS] += bonus * share * share


@compiled
def add_connection(position: Position, board: BoardTables, rows: Rows) -> None:
    """The size of each seat's largest connected part."""
    part = np.zeros(records.TERRITORIES, np.int64)
    waiting = np.zeros(records.TERRITORIES, np.int64)
    for t in range(board.territories):
        owner = position.owner[t]
        if part[t] != 0 or owner < 0 or owner == records.NEUTRAL:
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
        rows[owner, CONNECTED] = max(rows[owner, CONNECTED], float(size))


@compiled
def add_seats(position: Position, rules: Rules, board: BoardTables, rows: Rows) -> None:
    """What a seat is and has, and shares of all that was counted."""
    playing = max(1, playing_seats(position))
    all_armies, all_income, all_cities, strengths = 1.0, 0.0, 1.0, 0.0
    for seat in range(position.seats):
        row = rows[seat]
        if position.status[seat] != records.Seat.PLAYING:
            for i in range(FEATURES):
                row[i] = 0.0
            continue
        row[TO_PLACE] = max(0, position.unplaced[seat])
        row[ARMIES] += row[TO_PLACE]
        row[INCOME] += max(3.0, math.floor(row[TERRITORIES] / 3.0))
        all_armies += row[ARMIES]
        all_income += row[INCOME]
        all_cities += row[CITIES]
        row[STRENGTH] = row[ARMIES] + 2.0 * row[INCOME]
        row[STRENGTH] += position.hand[seat] * set_worth(position, rules, seat) / 4.0
        strengths += row[STRENGTH]
    compare_with_leader(position, rows)
    for seat in range(position.seats):
        if position.status[seat] == records.Seat.PLAYING:
            row = rows[seat]
            add_cards(position, rules, seat, row, all_armies / playing)
            add_turn(position, rules, seat, row, playing)
            add_goals(position, seat, row)
            own, land = max(1.0, row[ARMIES]), max(1.0, row[TERRITORIES])
            row[INCOME_IN_ARMIES] = min(2.0, row[INCOME] * playing / all_armies)
            row[INCOME] /= all_income
            row[STACK_OF_ALL] = row[STACK] / all_armies
            row[STACK] /= own
            row[AT_BORDERS] /= own
            row[BORDERS] /= land
            row[ENDANGERED] /= land
            row[OPENINGS] /= board.territories
            row[CONNECTED] /= land
            row[TO_PLACE] /= all_armies
            row[CITIES] /= all_cities
            row[ALL_ARMIES] = math.log(all_armies) / 6.0
            row[STRENGTH] /= max(1.0, strengths)
            row[ARMIES] /= all_armies
            row[TERRITORIES] /= board.territories


@compiled
def compare_with_leader(position: Position, rows: Rows) -> None:
    """Each seat's strength against that of the strongest other one."""
    for seat in range(position.seats):
        leader = 1.0
        for other in range(position.seats):
            if other != seat:
                leader = max(leader, rows[other, STRENGTH])
        ratio = rows[seat, STRENGTH] / leader
        rows[seat, ARMIES_OF_LEADER] = min(2.0, ratio) / 2.0


@compiled
def add_cards(position: Position, rules: Rules, seat: int, row: Rows, average: float) -> None:
    """The hand by its size, and what sets are worth; `average` is an average seat's armies."""
    worth = set_worth(position, rules, seat)
    hand = min(10, position.hand[seat])
    row[CARDS] = hand / 5.0
    row[CARDS_WORTH] = min(3.0, hand * worth / 3.0 / average)
    row[SET_SOON] = SOON[hand]
    row[SET_SOON_WORTH] = min(3.0, SOON[hand] * worth / average)
    row[SET_WORTH] = min(3.0, worth / average)
    row[RISING] = float(int(rules.cards_values == SetValues.ESCALATING))
    row[PLUS_ONE] = float(int(rules.cards_values == SetValues.PLUS_ONE))
    row[STARS] = float(int(rules.cards_values == SetValues.STARS))


@compiled
def add_turn(position: Position, rules: Rules, seat: int, row: Rows, playing: int) -> None:
    """When the seat moves, and how far the game has come."""
    row[WAITS] = turns_until(position, seat) / playing
    row[MOVES] = float(int(position.turn == seat))
    row[PLAYING] = playing / 6.0
    row[ROUND] = math.log(1.0 + max(0, position.round_number)) / 4.0


@compiled
def add_goals(position: Position, seat: int, row: Rows) -> None:
    """Capitals and objectives."""
    for other in range(position.seats):
        place = position.capital[other]
        if place >= 0 and position.owner[place] == seat:
            if other == seat:
                row[CAPITAL] = 1.0
            else:
                row[CAPITALS] += 1.0 / 3.0
    for objective in range(records.OBJECTIVES):
        row[OBJECTIVES] += int(position.objective[objective] == seat) / 3.0
