"""The greedy player: values continents, attacks where it outnumbers, eliminates weak seats."""

import numpy as np

from rubicon.engine import cards, records
from rubicon.engine.attack import most_attack_dice, most_defence_dice, target_refusal
from rubicon.engine.chance import Generator, below
from rubicon.engine.codes import NOWHERE, ActionKind, Placing, SetValues, encode
from rubicon.engine.legal_actions import RangeBuffer
from rubicon.engine.placement import refuse_claim
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.engine.turn import brings_airfield, fortify_reaches, objective_met
from rubicon.players.evaluation import (
    Values,
    best_target,
    continent_value,
    own_neighbours,
    pressure,
    required_odds,
    target_value,
)

# The greedy player's cards: which set, which bonus, how many stars; and its objectives.

NO_ACTION = -1
FEWEST_TRADED_STARS = 6  # fewer stay in the hand: ten bring more than twice the troops of five


@compiled
def trade_choice(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """The trade to make now, or NOTHING."""
    if rules.cards_values == SetValues.STARS:
        return star_choice(view, rules, board, seat)
    if view.hand[seat] < 3 or cards.trading_refusal(view, rules, board) != 0:
        return NO_ACTION
    return (
        best_set(view, rules, board, seat)
        if cards.holds_set(view, rules, board, seat)
        else NO_ACTION
    )


@compiled
def set_score(
    view: Position, rules: Rules, board: BoardTables, seat: int, a: int, b: int, c: int
) -> int:
    """A set that earns the bonus for a territory is better, one that needs wild cards worse."""
    score = 10
    for card in (a, b, c):
        score -= 2 * int(board.design[card] == records.Design.WILD)
    if cards.bonus_due(view, rules) and cards.pictured_count(view, board, a, b, c, seat) > 0:
        score += 3
    return score


@compiled
def best_set(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """The best set of the hand as a trade."""
    best, trade = 0, NO_ACTION
    for a in range(board.cards):
        if view.card[a] != seat:
            continue
        for b in range(a + 1, board.cards):
            if view.card[b] != seat:
                continue
            for c in range(b + 1, board.cards):
                if view.card[c] != seat or cards.set_refusal(rules, board, a, b, c) != 0:
                    continue
                score = set_score(view, rules, board, seat, a, b, c)
                if score > best:
                    best, trade = score, with_bonus(view, rules, board, seat, a, b, c)
    return trade


@compiled
def with_bonus(
    view: Position, rules: Rules, board: BoardTables, seat: int, a: int, b: int, c: int
) -> int:
    """The trade of a set; the bonus goes where the pressure is highest."""
    named = 0
    if cards.bonus_choices(view, rules, board, a, b, c) > 1:
        most = -1
        for card in (a, b, c):
            if cards.pictured(view, board, card, seat) != 0:
                around = pressure(view, board, seat, card)
                if around > most:
                    most, named = around, card + 1
    return encode(ActionKind.TRADE, a, b, c, named)


@compiled
def star_choice(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Offer card after card up to ten stars, then trade; NOTHING while there are too few."""
    if cards.stars_refusal(view, rules) != 0:
        return NO_ACTION
    offered = cards.offered_stars(view, board)
    held, fitting = 0, NO_ACTION
    for card in range(board.cards):
        if view.card[card] != seat:
            continue
        held += board.stars[card]
        larger = fitting == NO_ACTION or board.stars[card] > board.stars[fitting]
        if larger and offered + board.stars[card] <= cards.MOST_STARS:
            fitting = card
    if offered == 0 and held < FEWEST_TRADED_STARS:
        return NO_ACTION
    if fitting != NO_ACTION:
        return encode(ActionKind.OFFER, fitting, 0, 0, 0)
    kind = ActionKind.TRADE_OFFER if offered >= cards.FEWEST_STARS else ActionKind.WITHDRAW
    return encode(kind, 0, 0, 0, 0)


@compiled
def airfield_site(view: Position, board: BoardTables, seat: int) -> int:
    """The own territory with most armies at the border."""
    best, where = -1, NOWHERE
    for t in range(board.territories):
        if view.owner[t] == seat:
            value = view.armies[t] * int(pressure(view, board, seat, t) > 0)
            if value > best:
                best, where = value, t
    return where


@compiled
def objective_choice(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Claim an objective that is met, a major one if there is one."""
    best = NO_ACTION
    for objective in range(records.OBJECTIVES):
        if view.objective[objective] != records.ObjectivePlace.FACE_UP:
            continue
        better = best == NO_ACTION or board.objective_major[objective] != 0
        if better and objective_met(view, rules, board, objective):
            best = objective
    if best == NO_ACTION:
        return encode(ActionKind.DECLINE, 0, 0, 0, 0)
    where = NOWHERE
    if brings_airfield(view, rules, best):
        where = airfield_site(view, board, seat)
    return encode(ActionKind.OBJECTIVE, best, where, 0, 0)


# The greedy player before the first turn: claims, starting armies, capital and headquarters.

CLAIM_NOISE = 100  # the range of the random part of a claim's value, in units of 0.002


@compiled
def claim(view: Position, rules: Rules, board: BoardTables, seat: int, rng: Generator) -> int:
    """Claim where a continent is easy to hold and own territories are near, with a random part."""
    continents = np.zeros(records.CONTINENTS)
    continent_value(view, rules, board, seat, continents)
    capital = rules.setup_capitals != 0 and view.capital[seat] == records.NONE
    best, where = -1.0, 0
    for t in range(board.territories):
        if refuse_claim(view, rules, board, t, capital) == 0:
            value = continents[board.continent[t]] + 0.3 * own_neighbours(view, board, seat, t)
            value += 0.002 * below(rng, CLAIM_NOISE)
            if value > best:
                best, where = value, t
    return encode(ActionKind.CAPITAL if capital else ActionKind.CLAIM, where, 0, 0, 0)


@compiled
def starting_site(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """The own territory that most needs an army: a border of a promising continent."""
    continents = np.zeros(records.CONTINENTS)
    continent_value(view, rules, board, seat, continents)
    best, where = -1.0, records.NONE
    for t in range(board.territories):
        if view.owner[t] != seat:
            continue
        around = pressure(view, board, seat, t)
        promise = continents[board.continent[t]]
        value = promise * promise * (around + 2.0 * int(around > 0)) / (view.armies[t] + 2)
        if value > best:
            best, where = value, t
    return where


@compiled
def neutral_site(view: Position, board: BoardTables, seat: int) -> int:
    """The neutral territory that is most in the opponent's way."""
    best, where = -1000, records.NONE
    for t in range(board.territories):
        if view.owner[t] != records.NEUTRAL:
            continue
        value = -3 * own_neighbours(view, board, seat, t)
        for i in range(board.degree[t]):
            if view.owner[board.neighbour[t, i]] not in (seat, records.NEUTRAL):
                value += 2
        if value > best:
            best, where = value, t
    return where


@compiled
def starting_armies(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Place the armies of the set-up, by halves where any number may be placed at once."""
    if view.phase == records.Phase.SEALED:
        if view.unplaced[seat] == 0:
            return encode(ActionKind.SEAL, seat, 0, 0, 0)
        where = starting_site(view, rules, board, seat)
        return encode(ActionKind.PLACE, where, 0, 0, (view.unplaced[seat] + 2) // 3)
    if rules.setup_place == Placing.TWO_OWN_ONE_NEUTRAL and view.own_left == 0:
        return encode(ActionKind.PLACE, neutral_site(view, board, seat), 0, 0, 1)
    return encode(ActionKind.PLACE, starting_site(view, rules, board, seat), 0, 0, 1)


@compiled
def headquarters(view: Position, board: BoardTables, seat: int) -> int:
    """The best defended territory, friends around it counted and foes against it."""
    best, where = -10000, records.NONE
    for t in range(board.territories):
        if view.owner[t] != seat:
            continue
        value = 3 * view.armies[t] - pressure(view, board, seat, t)
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            if view.owner[other] == seat:
                value += view.armies[other]
        if value > best:
            best, where = value, t
    return encode(ActionKind.CAPITAL, where, 0, 0, 0)


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
    if phase in (records.Phase.REINFORCE, records.Phase.TRADE, records.Phase.CONTINENTS):
        return first_step(view, rules, board, seat)
    if phase == records.Phase.ATTACK:
        return attack_choice(view, rules, board, seat)
    if phase == records.Phase.OCCUPY:
        return occupy_choice(view, rules, board, seat)
    if phase == records.Phase.FORTIFY:
        return fortify_choice(view, rules, board, seat)
    if phase == records.Phase.DEFEND:
        return encode(
            ActionKind.DEFEND, 0, 0, 0, most_defence_dice(view, rules, view.attack_target)
        )
    if phase == records.Phase.OBJECTIVE:
        return objective_choice(view, rules, board, seat)
    if phase == records.Phase.CLAIM:
        return claim(view, rules, board, seat, rng)
    if phase == records.Phase.HEADQUARTERS:
        return headquarters(view, board, seat)
    return starting_armies(view, rules, board, seat)


@compiled
def first_step(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Trade, place, attack, in this order."""
    if view.phase != records.Phase.CONTINENTS:
        trade = trade_choice(view, rules, board, seat)
        if trade != NO_ACTION:
            return trade
    if view.unplaced[seat] > 0:
        return placement(view, rules, board, seat)
    if view.phase == records.Phase.TRADE:
        return encode(ActionKind.DECLINE, 0, 0, 0, 0)
    return attack_choice(view, rules, board, seat)


@compiled
def placement(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Guard a capital in danger; place all other armies where the best attack is."""
    armies = view.unplaced[seat]
    place = view.capital[seat]
    if place != records.NONE and armies > 3 and view.owner[place] == seat:
        lacking = pressure(view, board, seat, place) - view.armies[place]
        if lacking > 0:
            return encode(ActionKind.PLACE, place, 0, 0, min(lacking, armies // 2))
    target_values = target_value(view, rules, board, seat)
    best, where = -1.0, records.NONE
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
    best, source, target = 0.0, records.NONE, records.NONE
    for t in range(board.territories):
        if view.owner[t] != seat or view.armies[t] < 2:
            continue
        spare = view.armies[t] - garrison(view, board, seat, t)
        score, where = best_target(view, board, seat, target_values, t, spare, needed)
        if score > best:
            best, source, target = score, t, where
    if source == records.NONE:
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
        if owner != seat and (owner != records.NEUTRAL or not foes):
            return True
    return False


@compiled
def front_distance(view: Position, board: BoardTables, seat: int) -> Values:
    """Steps through own territories to the front; FAR where no way leads there."""
    distance = np.full(records.TERRITORIES, FAR)
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
    source = records.NONE
    for t in range(board.territories):
        if view.owner[t] != seat or distance[t] == 0 or view.armies[t] < 2:
            continue
        if source != records.NONE and view.armies[t] <= view.armies[source]:
            continue
        if destination(view, rules, board, t, distance) != records.NONE:
            source = t
    if source == records.NONE:
        return encode(ActionKind.END_TURN, 0, 0, 0, 0)
    target = destination(view, rules, board, source, distance)
    return encode(ActionKind.FORTIFY, source, target, 0, view.armies[source] - 1)


@compiled
def destination(
    view: Position, rules: Rules, board: BoardTables, source: int, distance: Values
) -> int:
    """Where an army should move: nearest to the front, among equals to the largest army."""
    reached = np.zeros(records.TERRITORIES, np.int8)
    fortify_reaches(view, rules, board, source, reached)
    where = records.NONE
    for t in range(board.territories):
        if reached[t] == 0 or distance[t] >= distance[source]:
            continue
        nearer = where == records.NONE or distance[t] < distance[where]
        if nearer or (distance[t] == distance[where] and view.armies[t] > view.armies[where]):
            where = t
    return where
