"""The greedy player: wants continents, attacks where it outnumbers, finishes what it began."""

import numpy as np

from rubicon.players.greedy_cards import NOTHING, objective_choice, trade_choice
from rubicon.players.greedy_setup import claim, headquarters, starting_armies
from rubicon.players.prospects import Values, best_target, nerve, pressure, target_worth
from rubicon.rules.layout import compiled
from rubicon.rules.position import NEUTRAL, NONE, TERRITORIES, Phase, Position
from rubicon.rules.procedures.attack import most_attack_dice, most_defence_dice
from rubicon.rules.procedures.codes import Kind, encode
from rubicon.rules.procedures.families import Families
from rubicon.rules.procedures.fortify import fortify_reaches
from rubicon.rules.procedures.sampling import Generator
from rubicon.rules.tables import BoardTables, Rules

FAR = 1000


@compiled
def greedy_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Families,
    rng: Generator,
) -> int:
    """What the greedy player decides; it needs no memory, and chance only for its claims."""
    phase = view.phase
    if phase in (Phase.REINFORCE, Phase.TRADE, Phase.CONTINENTS):
        return first_step(view, rules, board, seat)
    if phase == Phase.ATTACK:
        return attack_choice(view, rules, board, seat)
    if phase == Phase.OCCUPY:
        return occupy_choice(view, rules, board, seat)
    if phase == Phase.FORTIFY:
        return fortify_choice(view, rules, board, seat)
    if phase == Phase.DEFEND:
        return encode(Kind.DEFEND, 0, 0, 0, most_defence_dice(view, rules, view.attack_target))
    if phase == Phase.OBJECTIVE:
        return objective_choice(view, rules, board, seat)
    if phase == Phase.CLAIM:
        return claim(view, rules, board, seat, rng)
    if phase == Phase.HEADQUARTERS:
        return headquarters(view, board, seat)
    return starting_armies(view, rules, board, seat)


@compiled
def first_step(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Trade, place, attack, in this order."""
    if view.phase != Phase.CONTINENTS:
        trade = trade_choice(view, rules, board, seat)
        if trade != NOTHING:
            return trade
    if view.unplaced[seat] > 0:
        return placement(view, rules, board, seat)
    if view.phase == Phase.TRADE:
        return encode(Kind.DECLINE, 0, 0, 0, 0)
    return attack_choice(view, rules, board, seat)


@compiled
def placement(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """A guard for a capital in danger; everything else where it promises most."""
    armies = view.unplaced[seat]
    place = view.capital[seat]
    if place != NONE and armies > 3 and view.owner[place] == seat:
        lacking = pressure(view, board, seat, place) - view.armies[place]
        if lacking > 0:
            return encode(Kind.PLACE, place, 0, 0, min(lacking, armies // 2))
    worth = target_worth(view, rules, board, seat)
    best, where = -1.0, NONE
    for t in range(board.territories):
        if view.owner[t] == seat:
            promise, _ = best_target(view, board, seat, worth, t, view.armies[t] + armies, 0.0)
            promise += 0.001 * pressure(view, board, seat, t)
            if promise > best:
                best, where = promise, t
    return encode(Kind.PLACE, where, 0, 0, armies)


@compiled
def attack_choice(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """The attack that promises most among those that are likely enough to succeed."""
    worth = target_worth(view, rules, board, seat)
    needed = nerve(view, board, seat)
    best, source, target = 0.0, NONE, NONE
    for t in range(board.territories):
        if view.owner[t] != seat or view.armies[t] < 2:
            continue
        spare = view.armies[t] - garrison(view, board, seat, t)
        promise, where = best_target(view, board, seat, worth, t, spare, needed)
        if promise > best:
            best, source, target = promise, t, where
    if source == NONE:
        return encode(Kind.END_ATTACK, 0, 0, 0, 0)
    return encode(Kind.ATTACK, source, target, 0, most_attack_dice(view, rules, source))


@compiled
def garrison(view: Position, board: BoardTables, seat: int, t: int) -> int:
    """Armies that stay on a capital or headquarters, above the one that must.

    Fewer as rounds go by: seats that only guard would stand still for ever.
    """
    if view.capital[seat] != t:
        return 0
    return min(view.armies[t] // (2 + view.round_number // 10), pressure(view, board, seat, t))


@compiled
def occupy_choice(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Go on from wherever more is to be had; a capital keeps its garrison."""
    source, target = view.attack_source, view.attack_target
    most = view.armies[source] - 1
    worth = target_worth(view, rules, board, seat)
    ahead, _ = best_target(view, board, seat, worth, target, most, 0.0)
    behind, _ = best_target(view, board, seat, worth, source, most, 0.0)
    moving = most - garrison(view, board, seat, source)
    if behind > ahead:
        moving = view.occupy_minimum
    return encode(Kind.OCCUPY, 0, 0, 0, max(view.occupy_minimum, moving))


@compiled
def at_front(view: Position, board: BoardTables, seat: int, t: int, foes: bool) -> bool:
    """Whether a territory borders on another player, or else on anybody."""
    for i in range(board.degree[t]):
        owner = view.owner[board.neighbour[t, i]]
        if owner != seat and (owner != NEUTRAL or not foes):
            return True
    return False


@compiled
def front_distance(view: Position, board: BoardTables, seat: int) -> Values:
    """Steps through own territories to the front; FAR where no way leads there."""
    distance = np.full(TERRITORIES, FAR)
    found = False
    for foes in (True, False):
        if found:
            break
        for t in range(board.territories):
            if view.owner[t] == seat and at_front(view, board, seat, t, foes):
                distance[t] = 0
                found = True
    for step in range(board.territories):
        found = False
        for t in range(board.territories):
            if distance[t] != step:
                continue
            for i in range(board.degree[t]):
                other = board.neighbour[t, i]
                if view.owner[other] == seat and distance[other] == FAR:
                    distance[other] = step + 1
                    found = True
        if not found:
            break
    return distance


@compiled
def fortify_choice(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Bring the largest stack that is out of the fight nearer to the front."""
    distance = front_distance(view, board, seat)
    source = NONE
    for t in range(board.territories):
        if view.owner[t] != seat or distance[t] == 0 or view.armies[t] < 2:
            continue
        if source != NONE and view.armies[t] <= view.armies[source]:
            continue
        if destination(view, rules, board, t, distance) != NONE:
            source = t
    if source == NONE:
        return encode(Kind.END_TURN, 0, 0, 0, 0)
    target = destination(view, rules, board, source, distance)
    return encode(Kind.FORTIFY, source, target, 0, view.armies[source] - 1)


@compiled
def destination(
    view: Position, rules: Rules, board: BoardTables, source: int, distance: Values
) -> int:
    """Where a stack should go: nearest to the front, there where most armies stand together."""
    reached = np.zeros(TERRITORIES, np.int8)
    fortify_reaches(view, rules, board, source, reached)
    where = NONE
    for t in range(board.territories):
        if reached[t] == 0 or distance[t] >= distance[source]:
            continue
        nearer = where == NONE or distance[t] < distance[where]
        if nearer or (distance[t] == distance[where] and view.armies[t] > view.armies[where]):
            where = t
    return where
