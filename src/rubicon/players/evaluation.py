"""The greedy player's evaluation of a view: pressure, continents, odds, the value of targets.

Only what a seat may see is read: no foreign cards, missions, standing orders, and no foreign
armies while a placement is sealed.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine import records
from rubicon.engine.codes import Goal
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.engine.victory import armies_of, seat_of_colour

Values = npt.NDArray[Any]
MIXED = -2  # a continent that no single owner holds


@compiled
def armies_seen(view: Position, t: int, seat: int) -> int:
    """The armies on a territory; one where a foreign placement is still sealed."""
    if view.phase == records.Phase.SEALED and view.owner[t] != seat:
        return 1
    return view.armies[t]


@compiled
def pressure(view: Position, board: BoardTables, seat: int, t: int) -> int:
    """The foreign armies around a territory."""
    total = 0
    for i in range(board.degree[t]):
        other = board.neighbour[t, i]
        if view.owner[other] != seat:
            total += armies_seen(view, other, seat)
    return total


@compiled
def own_neighbours(view: Position, board: BoardTables, seat: int, t: int) -> int:
    """How many neighbours of a territory are the seat's own."""
    count = 0
    for i in range(board.degree[t]):
        count += int(view.owner[board.neighbour[t, i]] == seat)
    return count


@compiled
def borders_other_continent(board: BoardTables, t: int) -> bool:
    """Whether a territory borders on another continent."""
    for i in range(board.degree[t]):
        if board.continent[board.neighbour[t, i]] != board.continent[t]:
            return True
    return False


@compiled
def continent_value(
    view: Position, rules: Rules, board: BoardTables, seat: int, value: Values
) -> None:
    """By continent, the value of taking it: its bonus per border territory, and the share held."""
    own = np.zeros(records.CONTINENTS)
    # From one, not from zero: a continent without a border would divide by zero below.
    gates = np.ones(records.CONTINENTS)
    for t in range(board.territories):
        own[board.continent[t]] += int(view.owner[t] == seat)
        gates[board.continent[t]] += int(borders_other_continent(board, t))
    for c in range(board.continents):
        share = own[c] / board.continent_size[c]
        value[c] = board.continent_bonus[c] / gates[c] * (0.5 + 4 * share * share)
        value[c] *= goal_factor(view, rules, board, seat, c)


@compiled
def is_objective(view: Position, board: BoardTables, continent: int) -> bool:
    """Whether an unclaimed objective names the continent."""
    for objective in range(records.OBJECTIVES):
        if view.objective[objective] != records.ObjectivePlace.FACE_UP:
            continue
        named = board.objective_continent[objective] == continent
        if named and board.objective_kind[objective] == records.ObjectiveKind.CONTINENT:
            return True
    return False


@compiled
def goal_factor(
    view: Position, rules: Rules, board: BoardTables, seat: int, continent: int
) -> float:
    """The factor of a continent's value: above 1 where a mission or an objective names it."""
    if rules.objectives_in_play != 0 and is_objective(view, board, continent):
        return 2.0
    if rules.missions_in_play == 0 or view.mission[seat] == records.NONE:
        return 1.0
    mission = view.mission[seat]
    named = continent in (board.mission_first[mission], board.mission_second[mission])
    if named and board.mission_kind[mission] == records.MissionKind.CONTINENTS:
        return 3.0
    return 1.0


@compiled
def success_odds(attackers: int, defenders: int) -> float:
    """Roughly the probability that an attack to the end succeeds; `attackers` may all be lost.

    A line over the lead in units of the battle's spread (the root of all armies); one defender
    weighs 0.87 attackers. It costs nanoseconds, where the exact odds cost microseconds.
    """
    if attackers < 1:
        return 0.0
    lead = attackers - 0.87 * defenders - 0.5
    return max(0.0, min(0.99, 0.5 + 0.45 * lead / math.sqrt(attackers + defenders)))


@compiled
def largest_attack(view: Position, board: BoardTables, seat: int) -> int:
    """The most armies that one attack could have: the largest territory and the unplaced armies."""
    most = 0
    for t in range(board.territories):
        if view.owner[t] == seat:
            most = max(most, view.armies[t])
    return most + view.unplaced[seat]


@compiled
def mission_target(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """The seat that one's own mission is to destroy, or NONE."""
    mission = view.mission[seat]
    if rules.missions_in_play == 0 or mission == records.NONE or view.mission_fallback[seat] != 0:
        return records.NONE
    if board.mission_kind[mission] != records.MissionKind.DESTROY:
        return records.NONE
    return seat_of_colour(view, board.mission_colour[mission])


@compiled
def elimination_value(
    view: Position, rules: Rules, board: BoardTables, seat: int, by_owner: Values
) -> None:
    """By seat, the value of one of its territories towards eliminating it: cards and mission."""
    reach = largest_attack(view, board, seat)
    target = mission_target(view, rules, board, seat)
    for other in range(view.seats):
        left = view.territories[other]
        if other == seat or left == 0:
            continue
        if other == target:
            by_owner[other] += 3.0
        # One army stays behind on each captured territory, so the territories count like armies.
        if armies_of(view, board, other) + left <= reach + 1:
            by_owner[other] += (6.0 + 3.0 * view.hand[other]) / left


@compiled
def add_landmarks(
    view: Position, rules: Rules, board: BoardTables, seat: int, target_values: Values
) -> None:
    """Add the values of cities, capitals and headquarters."""
    if rules.setup_cities > 0:
        for t in range(board.territories):
            target_values[t] += 0.7 * view.city[t]
    headquarters = rules.victory_goal == Goal.HEADQUARTERS
    for other in range(view.seats):
        place = view.capital[other]
        if place != records.NONE:
            target_values[place] += 8.0 if headquarters else 2.5
            if other == seat:
                target_values[place] += 8.0


@compiled
def list_holders(
    view: Position, board: BoardTables, seat: int, holder: Values, missing: Values
) -> None:
    """By continent, its only owner (or MIXED), and how many territories the seat lacks there."""
    for t in range(board.territories):
        c = board.continent[t]
        missing[c] += int(view.owner[t] != seat)
        if holder[c] == records.NONE:
            holder[c] = view.owner[t]
        elif holder[c] != view.owner[t]:
            holder[c] = MIXED


@compiled
def target_value(view: Position, rules: Rules, board: BoardTables, seat: int) -> Values:
    """By territory, the value of capturing it; 0 for the seat's own."""
    continents, holder = np.zeros(records.CONTINENTS), np.full(records.CONTINENTS, records.NONE)
    missing, by_owner = np.zeros(records.CONTINENTS), np.zeros(records.SEATS + 1)
    target_values = np.zeros(records.TERRITORIES)
    continent_value(view, rules, board, seat, continents)
    list_holders(view, board, seat, holder, missing)
    elimination_value(view, rules, board, seat, by_owner)
    add_landmarks(view, rules, board, seat, target_values)
    for t in range(board.territories):
        owner, c = view.owner[t], board.continent[t]
        if owner == seat:
            target_values[t] = 0.0
            continue
        target_values[t] += 1.0 + continents[c] + by_owner[owner]
        if missing[c] <= 2:
            target_values[t] += 2.0 * board.continent_bonus[c] / missing[c]
        # Neutral armies never attack, so taking them weakens no rival; but a rival who holds a
        # whole continent would get its armies every turn.
        if owner == records.NEUTRAL:
            target_values[t] *= 0.6
        elif holder[c] == owner:
            target_values[t] += 1.5 * board.continent_bonus[c]
    return target_values


@compiled
def required_odds(view: Position, board: BoardTables, seat: int) -> float:
    """The probability of success that an attack needs.

    It is lower for the seat with most armies, and falls round by round, so that every game ends.
    """
    mine, all_armies = 0, 0
    for t in range(board.territories):
        all_armies += view.armies[t]
        if view.owner[t] == seat:
            mine += view.armies[t]
    needed = 0.5 if view.conquered == 0 else 0.65
    if 2 * mine > all_armies:
        needed = 0.4
    return max(0.25, needed - 0.01 * max(0, view.round_number - 25))


@compiled
def best_target(
    view: Position,
    board: BoardTables,
    seat: int,
    target_values: Values,
    source: int,
    armies: int,
    needed: float,
) -> tuple[float, int]:
    """The highest value of an attack by `armies` from a territory, and its target."""
    best, where = 0.0, records.NONE
    for i in range(board.degree[source]):
        target = board.neighbour[source, i]
        if view.owner[target] == seat:
            continue
        odds = success_odds(armies - 1, armies_seen(view, target, seat))
        # Squared: a likely success counts more than a great prize. A great prize still excuses
        # odds a little below what is needed.
        score = target_values[target] * odds * odds
        if score > best and odds + 0.02 * min(target_values[target], 8.0) >= needed:
            best, where = score, target
    return best, where
