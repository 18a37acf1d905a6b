"""The greedy player: values continents, attacks where it outnumbers, eliminates weak seats."""

import numpy as np

from rubicon.engine.legal_actions import RangeBuffer
from rubicon.engine.phases.attack import most_attack_dice, most_defence_dice, target_refusal
from rubicon.engine.phases.fortify import fortify_reaches
from rubicon.engine.records.action_codes import ActionKind, encode
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NEUTRAL, NONE, TERRITORIES, Phase, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import Generator
from rubicon.players.evaluation import Values, best_target, pressure, required_odds, target_value
from rubicon.players.greedy_cards import NO_ACTION, objective_choice, trade_choice
from rubicon.players.greedy_setup import claim, headquarters, starting_armies

FAR = 1000


@compiled
def greedy_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    buffer: RangeBuffer,
    rng: Generator,
) -> int:
    """The greedy player's action; a function of the view, but for a random part in its claims."""
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
        return encode(
            ActionKind.DEFEND, 0, 0, 0, most_defence_dice(view, rules, view.attack_target)
        )
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
        if trade != NO_ACTION:
            return trade
    if view.unplaced[seat] > 0:
        return placement(view, rules, board, seat)
    if view.phase == Phase.TRADE:
        return encode(ActionKind.DECLINE, 0, 0, 0, 0)
    return attack_choice(view, rules, board, seat)


@compiled
def placement(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Guard a capital in danger; place all other armies where the best attack is."""
    armies = view.unplaced[seat]
    place = view.capital[seat]
    if place != NONE and armies > 3 and view.owner[place] == seat:
        lacking = pressure(view, board, seat, place) - view.armies[place]
        if lacking > 0:
            return encode(ActionKind.PLACE, place, 0, 0, min(lacking, armies // 2))
    target_values = target_value(view, rules, board, seat)
    best, where = -1.0, NONE
    for t in range(board.territories):
        if view.owner[t] == seat:
            score, _ = best_target(
                view, board, seat, target_values, t, view.armies[t] + armies, 0.0
            )
            score += 0.001 * pressure(view, board, seat, t)
            if score > best:
                best, where = score, t
    return encode(ActionKind.PLACE, where, 0, 0, armies)


@compiled
def attack_choice(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """The attack of highest value among those that are likely enough to succeed."""
    target_values = target_value(view, rules, board, seat)
    for t in range(board.territories):
        if target_refusal(view, rules, t) != 0:
            target_values[t] = 0.0
    needed = required_odds(view, board, seat)
    best, source, target = 0.0, NONE, NONE
    for t in range(board.territories):
        if view.owner[t] != seat or view.armies[t] < 2:
            continue
        spare = view.armies[t] - garrison(view, board, seat, t)
        score, where = best_target(view, board, seat, target_values, t, spare, needed)
        if score > best:
            best, source, target = score, t, where
    if source == NONE:
        return encode(ActionKind.END_ATTACK, 0, 0, 0, 0)
    return encode(ActionKind.ATTACK, source, target, 0, most_attack_dice(view, rules, source))


@compiled
def garrison(view: Position, board: BoardTables, seat: int, t: int) -> int:
    """Armies that stay on a capital or headquarters, above the one that must.

    Fewer as rounds go by: between seats that only guard, a game would never end.
    """
    if view.capital[seat] != t:
        return 0
    return min(view.armies[t] // (2 + view.round_number // 10), pressure(view, board, seat, t))


@compiled
def occupy_choice(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Move in, or stay behind, by the better next target; a capital keeps its garrison."""
    source, target = view.attack_source, view.attack_target
    most = view.armies[source] - 1
    target_values = target_value(view, rules, board, seat)
    ahead, _ = best_target(view, board, seat, target_values, target, most, 0.0)
    behind, _ = best_target(view, board, seat, target_values, source, most, 0.0)
    moving = most - garrison(view, board, seat, source)
    if behind > ahead:
        moving = view.occupy_minimum
    return encode(ActionKind.OCCUPY, 0, 0, 0, max(view.occupy_minimum, moving))


@compiled
def at_front(view: Position, board: BoardTables, seat: int, t: int, foes: bool) -> bool:
    """Whether a territory borders on another player, or, without `foes`, on any other owner."""
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
    # Neutral armies are a front only for a seat that borders on no other player.
    for foes in (True, False):
        if found:
            break
        for t in range(board.territories):
            if view.owner[t] == seat and at_front(view, board, seat, t, foes):
                distance[t] = 0
                found = True
    # Pass by pass one step farther from the front: compiled code has no queue to search with.
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
    """Move the largest army that is not at the front nearer to it."""
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
        return encode(ActionKind.END_TURN, 0, 0, 0, 0)
    target = destination(view, rules, board, source, distance)
    return encode(ActionKind.FORTIFY, source, target, 0, view.armies[source] - 1)


@compiled
def destination(
    view: Position, rules: Rules, board: BoardTables, source: int, distance: Values
) -> int:
    """Where an army should move: nearest to the front, among equals to the largest army."""
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
