"""The greedy player's cards: which set, which bonus, how many stars; and its objectives."""

from rubicon.engine.phases.cards import (
    FEWEST_STARS,
    MOST_STARS,
    bonus_choices,
    bonus_due,
    holds_set,
    offered_stars,
    pictured,
    pictured_count,
    set_refusal,
    stars_refusal,
    trading_refusal,
)
from rubicon.engine.phases.objectives import brings_airfield, objective_met
from rubicon.engine.records.action_codes import NOWHERE, ActionKind, encode
from rubicon.engine.records.choices import SetValues
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import OBJECTIVES, ObjectivePlace, Position
from rubicon.engine.records.tables import BoardTables, Design, Rules
from rubicon.players.evaluation import pressure

NO_ACTION = -1
FEWEST_TRADED_STARS = 6  # fewer stay in the hand: ten bring more than twice the troops of five


@compiled
def trade_choice(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """The trade to make now, or NOTHING."""
    if rules.cards_values == SetValues.STARS:
        return star_choice(view, rules, board, seat)
    if view.hand[seat] < 3 or trading_refusal(view, rules, board) != 0:
        return NO_ACTION
    return best_set(view, rules, board, seat) if holds_set(view, rules, board, seat) else NO_ACTION


@compiled
def set_score(
    view: Position, rules: Rules, board: BoardTables, seat: int, a: int, b: int, c: int
) -> int:
    """A set that earns the bonus for a territory is better, one that needs wild cards worse."""
    score = 10
    for card in (a, b, c):
        score -= 2 * int(board.design[card] == Design.WILD)
    if bonus_due(view, rules) and pictured_count(view, board, a, b, c, seat) > 0:
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
                if view.card[c] != seat or set_refusal(rules, board, a, b, c) != 0:
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
    if bonus_choices(view, rules, board, a, b, c) > 1:
        most = -1
        for card in (a, b, c):
            if pictured(view, board, card, seat) != 0:
                around = pressure(view, board, seat, card)
                if around > most:
                    most, named = around, card + 1
    return encode(ActionKind.TRADE, a, b, c, named)


@compiled
def star_choice(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Offer card after card up to ten stars, then trade; NOTHING while there are too few."""
    if stars_refusal(view, rules) != 0:
        return NO_ACTION
    offered = offered_stars(view, board)
    held, fitting = 0, NO_ACTION
    for card in range(board.cards):
        if view.card[card] != seat:
            continue
        held += board.stars[card]
        larger = fitting == NO_ACTION or board.stars[card] > board.stars[fitting]
        if larger and offered + board.stars[card] <= MOST_STARS:
            fitting = card
    if offered == 0 and held < FEWEST_TRADED_STARS:
        return NO_ACTION
    if fitting != NO_ACTION:
        return encode(ActionKind.OFFER, fitting, 0, 0, 0)
    kind = ActionKind.TRADE_OFFER if offered >= FEWEST_STARS else ActionKind.WITHDRAW
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
    for objective in range(OBJECTIVES):
        if view.objective[objective] != ObjectivePlace.FACE_UP:
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
