"""Carrying out TRADE: a named set, the best one, or stars."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from rubicon.orders.move import Here, Move
from rubicon.orders.order import SetChoice, TradeOrder
from rubicon.rules.actions import Action, Offer, Trade
from rubicon.rules.choices import SetValues
from rubicon.rules.position import CardPlace, Phase, copy_position
from rubicon.rules.procedures.cards import FEWEST_STARS, MOST_STARS, trade_forced
from rubicon.rules.procedures.play import apply

TRADING = (Phase.REINFORCE, Phase.TRADE)


def trade(here: Here, order: TradeOrder) -> Move:
    """The next card laid down, or the set."""
    if order.cards is SetChoice.NO:
        return here.done()
    position: Any = here.position
    if position.phase not in TRADING:
        return here.done(here.note("not-now", "Cards cannot be traded at this time."))
    if here.sight.rules.cards_values == SetValues.STARS:
        return _trade_stars(here, order)
    if isinstance(order.cards, SetChoice):
        return _trade_best(here)
    return here.last(Trade(tuple(order.cards), order.bonus))


def _trade_best(here: Here) -> Move:
    """The set that brings most; another one as long as the rules force it."""
    best = best_set(here)
    if best is None:
        none = here.progress.rolls == 0
        return here.done(*([here.note("no-set", "There is no set to trade.")] if none else []))
    position: Any = here.position
    traded = here.progress._replace(rolls=here.progress.rolls + 1)
    if here.progress.rolls and not trade_forced(position, here.sight.rules, here.sight.tables):
        return here.done()
    return Move(best, traded)


def best_set(here: Here) -> Trade | None:
    """The set worth most armies now; of equals the one with the fewest wild cards."""
    sets = [action for action in here.sight.legal(here.position) if isinstance(action, Trade)]
    if not sets:
        return None
    return max(sets, key=lambda trade: (_worth(here, trade), -_wilds(trade)))


def _worth(here: Here, action: Action) -> int:
    """How many armies an action brings, in hand and on the board."""
    after = copy_position(here.position)
    apply(after, here.sight.rules, here.sight.tables, here.sight.code(action))
    return here.sight.own_armies(after) + here.sight.unplaced(after)


def _wilds(action: Trade) -> int:
    return sum(card.startswith("wild") for card in action.cards)


def _trade_stars(here: Here, order: TradeOrder) -> Move:
    """Lay the cards down one after another, then trade them."""
    cards = _best_stars(here) if isinstance(order.cards, SetChoice) else order.cards
    if not cards:
        return here.done(here.note("no-set", "There are no stars to trade."))
    part = here.progress.part
    if part < len(cards):
        return here.attempt(Offer(cards[part]), here.progress._replace(part=part + 1))
    return here.last(Trade())


def _best_stars(here: Here) -> tuple[str, ...]:
    """The cards with most stars that a trade may have; the same while they are laid down."""
    position: Any = here.position
    mine = (here.sight.seat, CardPlace.OFFERED)
    hand = [card for card in range(len(here.sight.game.cards)) if position.card[card] in mine]
    stars = here.sight.tables.stars
    best: tuple[int, ...] = ()
    reached = FEWEST_STARS - 1
    for size in range(1, len(hand) + 1):
        for cards in combinations(hand[:MOST_STARS], size):
            sum_ = int(sum(stars[card] for card in cards))
            if reached < sum_ <= MOST_STARS:
                best, reached = cards, sum_
    return tuple(here.sight.game.cards[card] for card in best)
