"""What the greedy player reads from the board: pressure, continents, odds, what targets are worth.

Only what a seat may see is read: no foreign cards, missions, standing orders, and no foreign
armies while a placement is sealed.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.rules.choices import Goal
from rubicon.rules.layout import compiled
from rubicon.rules.position import (
    NEUTRAL,
    NONE,
    OBJECTIVES,
    SEATS,
    TERRITORIES,
    ObjectivePlace,
    Phase,
    Position,
)
from rubicon.rules.procedures.missions import seat_of_colour
from rubicon.rules.procedures.victory import armies_of
from rubicon.rules.tables import (
    CONTINENTS,
    BoardTables,
    MissionKind,
    ObjectiveKind,
    Rules,
)

Values = npt.NDArray[Any]
MIXED = -2  # a continent that no single owner holds


@compiled
def armies_seen(view: Position, t: int, seat: int) -> int:
    """The armies on a territory; one where a foreign placement is still sealed."""
    if view.phase == Phase.SEALED and view.owner[t] != seat:
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
def friends(view: Position, board: BoardTables, seat: int, t: int) -> int:
    """How many neighbours of a territory are the seat's own."""
    count = 0
    for i in range(board.degree[t]):
        count += int(view.owner[board.neighbour[t, i]] == seat)
    return count


@compiled
def is_gate(board: BoardTables, t: int) -> bool:
    """Whether a territory borders on another continent."""
    for i in range(board.degree[t]):
        if board.continent[board.neighbour[t, i]] != board.continent[t]:
            return True
    return False


@compiled
def continent_pull(
    view: Position, rules: Rules, board: BoardTables, seat: int, pull: Values
) -> None:
    """How much each continent is worth a try: its bonus by its gates, and the share held."""
    own = np.zeros(CONTINENTS)
    gates = np.ones(CONTINENTS)
    for t in range(board.territories):
        own[board.continent[t]] += int(view.owner[t] == seat)
        gates[board.continent[t]] += int(is_gate(board, t))
    for c in range(board.continents):
        share = own[c] / board.continent_size[c]
        pull[c] = board.continent_bonus[c] / gates[c] * (0.5 + 4 * share * share)
        pull[c] *= wanted(view, rules, board, seat, c)


@compiled
def is_objective(view: Position, board: BoardTables, continent: int) -> bool:
    """Whether an objective that nobody has claimed asks for a continent."""
    for objective in range(OBJECTIVES):
        if view.objective[objective] != ObjectivePlace.FACE_UP:
            continue
        named = board.objective_continent[objective] == continent
        if named and board.objective_kind[objective] == ObjectiveKind.CONTINENT:
            return True
    return False


@compiled
def wanted(view: Position, rules: Rules, board: BoardTables, seat: int, continent: int) -> float:
    """How much more a continent counts because a mission or an objective names it."""
    if rules.objectives_in_play != 0 and is_objective(view, board, continent):
        return 2.0
    if rules.missions_in_play == 0 or view.mission[seat] == NONE:
        return 1.0
    mission = view.mission[seat]
    named = continent in (board.mission_first[mission], board.mission_second[mission])
    if named and board.mission_kind[mission] == MissionKind.CONTINENTS:
        return 3.0
    return 1.0


@compiled
def chance(attackers: int, defenders: int) -> float:
    """Roughly how likely an attack to the end succeeds; `attackers` without the one that stays."""
    if attackers < 1:
        return 0.0
    lead = attackers - 0.87 * defenders - 0.5
    return max(0.0, min(0.99, 0.5 + 0.45 * lead / math.sqrt(attackers + defenders)))


@compiled
def best_stack(view: Position, board: BoardTables, seat: int) -> int:
    """The most armies that could march together: the largest stack and what is unplaced."""
    most = 0
    for t in range(board.territories):
        if view.owner[t] == seat:
            most = max(most, view.armies[t])
    return most + view.unplaced[seat]


@compiled
def mission_target(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """The seat that one's own mission is to destroy, or NONE."""
    mission = view.mission[seat]
    if rules.missions_in_play == 0 or mission == NONE or view.mission_fallback[seat] != 0:
        return NONE
    if board.mission_kind[mission] != MissionKind.DESTROY:
        return NONE
    return seat_of_colour(view, board.mission_colour[mission])


@compiled
def quarry(view: Position, rules: Rules, board: BoardTables, seat: int, hunt: Values) -> None:
    """What one territory of each seat is worth for being rid of it, cards and mission counted."""
    reach = best_stack(view, board, seat)
    target = mission_target(view, rules, board, seat)
    for other in range(view.seats):
        left = view.territories[other]
        if other == seat or left == 0:
            continue
        if other == target:
            hunt[other] += 3.0
        if armies_of(view, board, other) + left <= reach + 1:
            hunt[other] += (6.0 + 3.0 * view.hand[other]) / left


@compiled
def landmarks(view: Position, rules: Rules, board: BoardTables, seat: int, worth: Values) -> None:
    """Cities, capitals and headquarters."""
    if rules.setup_cities > 0:
        for t in range(board.territories):
            worth[t] += 0.7 * view.city[t]
    headquarters = rules.victory_goal == Goal.HEADQUARTERS
    for other in range(view.seats):
        place = view.capital[other]
        if place != NONE:
            worth[place] += 8.0 if headquarters else 2.5
            if other == seat:
                worth[place] += 8.0


@compiled
def holders(view: Position, board: BoardTables, seat: int, holder: Values, missing: Values) -> None:
    """Who holds each continent alone (or MIXED), and how many of its territories the seat lacks."""
    for t in range(board.territories):
        c = board.continent[t]
        missing[c] += int(view.owner[t] != seat)
        if holder[c] == NONE:
            holder[c] = view.owner[t]
        elif holder[c] != view.owner[t]:
            holder[c] = MIXED


@compiled
def target_worth(view: Position, rules: Rules, board: BoardTables, seat: int) -> Values:
    """What taking each foreign territory is worth to the seat; 0 for its own."""
    pull, holder = np.zeros(CONTINENTS), np.full(CONTINENTS, NONE)
    missing, hunt = np.zeros(CONTINENTS), np.zeros(SEATS + 1)
    worth = np.zeros(TERRITORIES)
    continent_pull(view, rules, board, seat, pull)
    holders(view, board, seat, holder, missing)
    quarry(view, rules, board, seat, hunt)
    landmarks(view, rules, board, seat, worth)
    for t in range(board.territories):
        owner, c = view.owner[t], board.continent[t]
        if owner == seat:
            worth[t] = 0.0
            continue
        worth[t] += 1.0 + pull[c] + hunt[owner]
        if missing[c] <= 2:
            worth[t] += 2.0 * board.continent_bonus[c] / missing[c]
        if owner == NEUTRAL:
            worth[t] *= 0.6
        elif holder[c] == owner:
            worth[t] += 1.5 * board.continent_bonus[c]
    return worth


@compiled
def nerve(view: Position, board: BoardTables, seat: int) -> float:
    """The chance of success that an attack must promise.

    It falls for who holds most armies, and round by round, so that no game stands still.
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
    worth: Values,
    source: int,
    armies: int,
    needed: float,
) -> tuple[float, int]:
    """What so many armies on a territory promise at best, and against which neighbour."""
    best, where = 0.0, NONE
    for i in range(board.degree[source]):
        target = board.neighbour[source, i]
        if view.owner[target] == seat:
            continue
        odds = chance(armies - 1, armies_seen(view, target, seat))
        promise = worth[target] * odds * odds
        if promise > best and odds + 0.02 * min(worth[target], 8.0) >= needed:
            best, where = promise, target
    return best, where
