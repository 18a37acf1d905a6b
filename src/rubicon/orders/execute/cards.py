"""Executes TRADE: a named set, the best set, or stars."""

from __future__ import annotations

from itertools import combinations

from rubicon.engine.phases.cards import FEWEST_STARS, MOST_STARS, trade_forced
from rubicon.engine.records.choices import SetValues
from rubicon.engine.records.position import CardPlace, Phase, Position
from rubicon.engine.refusal import Refusal
from rubicon.orders.execute.step import StepContext, StepResult
from rubicon.orders.syntax import SetChoice, TradeOrder
from rubicon.rules.actions import Action, Decline, Offer, Trade, Withdraw

TRADING = (Phase.REINFORCE, Phase.TRADE)


def trade(context: StepContext, order: TradeOrder) -> StepResult:
    """The next card offered, or the trade."""
    position = context.position
    if order.cards is SetChoice.NO:
        return _trade_nothing(context)
    if position.phase not in TRADING:
        return context.done(
            context.note("not-now", "You cannot trade cards at this point of the turn.")
        )
    if context.seat_view.rules.cards_values == SetValues.STARS:
        return _trade_stars(context, order)
    if isinstance(order.cards, SetChoice):
        return _trade_best(context, order.bonus)
    return context.last(Trade(tuple(order.cards), order.bonus))


def _trade_nothing(context: StepContext) -> StepResult:
    """Take offered cards back; decline a further set where the rules offer one."""
    if _offered(context):
        return context.last(Withdraw())
    if context.position.phase == Phase.TRADE and context.refused(Decline()) is None:
        return context.last(Decline())
    return context.done()


def _trade_best(context: StepContext, bonus: str | None) -> StepResult:
    """The set that is worth most; further sets only while the rules force a trade."""
    best = best_set(context, bonus)
    if best is None:
        none = context.progress.traded == 0
        return context.done(
            *([context.note("no-set", "You have no set of cards to trade.")] if none else [])
        )
    position: Position = context.position
    # One TRADE BEST is one set, but the rules may force more: those are traded too.
    traded = context.progress._replace(traded=context.progress.traded + 1)
    if context.progress.traded and not trade_forced(
        position, context.seat_view.rules, context.seat_view.tables
    ):
        return context.done()
    return StepResult(best, traded)


def best_set(context: StepContext, bonus: str | None) -> Trade | None:
    """The set worth most armies now; among equals, with that bonus, then with fewest wild cards."""
    sets = [
        action for action in context.seat_view.legal(context.position) if isinstance(action, Trade)
    ]
    if not sets:
        return None
    return max(sets, key=lambda set_: (_worth(context, set_), set_.bonus == bonus, -_wilds(set_)))


def _worth(context: StepContext, action: Action) -> int:
    """The seat's armies, placed and unplaced, after an action."""
    after = context.seat_view.applied(context.position, action)
    return context.seat_view.own_armies(after) + context.seat_view.unplaced(after)


def _wilds(action: Trade) -> int:
    return sum(card.startswith("wild") for card in action.cards)


def _trade_stars(context: StepContext, order: TradeOrder) -> StepResult:
    """Offer the cards one by one, then trade them; offer none where not all can be traded."""
    cards = _best_stars(context) if isinstance(order.cards, SetChoice) else order.cards
    if not cards:
        return context.done(context.note("no-set", "You have no stars to trade."))
    # Star trades are made card by card; an offer begun for other cards is taken back first.
    offered = _offered(context)
    fault = _star_fault(context, cards)
    if offered and (fault or not set(offered) <= set(cards)):
        return context.attempt(Withdraw(), context.progress)
    if fault:
        return context.done(context.note("refused", fault))
    waiting = [card for card in cards if card not in offered]
    return (
        context.attempt(Offer(waiting[0]), context.progress) if waiting else context.last(Trade())
    )


def _star_fault(context: StepContext, cards: tuple[str, ...]) -> str:
    """Why these cards cannot be traded for their stars; "" where they can."""
    position: Position = context.position
    names = list(context.seat_view.game.cards)
    if not set(cards) <= set(names):  # wild cards, where none are in play
        return context.seat_view.sentence(Refusal.CARD_NOT_HELD)
    places = [int(position.card[names.index(card)]) for card in cards]
    if any(place not in (context.seat_view.seat, CardPlace.OFFERED) for place in places):
        return context.seat_view.sentence(Refusal.CARD_NOT_HELD)
    stars = sum(int(context.seat_view.tables.stars[names.index(card)]) for card in cards)
    if stars < FEWEST_STARS:
        return context.seat_view.sentence(Refusal.TOO_FEW_STARS)
    return context.seat_view.sentence(Refusal.TOO_MANY_STARS) if stars > MOST_STARS else ""


def _offered(context: StepContext) -> tuple[str, ...]:
    position: Position = context.position
    names = context.seat_view.game.cards
    return tuple(n for card, n in enumerate(names) if position.card[card] == CardPlace.OFFERED)


def _best_stars(context: StepContext) -> tuple[str, ...]:
    """The cards with most stars that one trade may have.

    Offered cards count as held, so that the choice stays the same while they are offered.
    """
    position: Position = context.position
    mine = (context.seat_view.seat, CardPlace.OFFERED)
    hand = [
        card for card in range(len(context.seat_view.game.cards)) if position.card[card] in mine
    ]
    stars = context.seat_view.tables.stars
    # At most MOST_STARS cards can be in a trade, since each has at least one star.
    best: tuple[int, ...] = ()
    most_stars = FEWEST_STARS - 1
    for size in range(1, len(hand) + 1):
        for cards in combinations(hand[:MOST_STARS], size):
            sum_ = int(sum(stars[card] for card in cards))
            if most_stars < sum_ <= MOST_STARS:
                best, most_stars = cards, sum_
    return tuple(context.seat_view.game.cards[card] for card in best)
