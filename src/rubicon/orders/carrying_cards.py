"""Carrying out TRADE: a named set, the best one, or stars."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from rubicon.orders.move import Here, Move
from rubicon.orders.order import SetChoice, TradeOrder
from rubicon.rules.actions import Action, Offer, Trade, Withdraw
from rubicon.rules.choices import SetValues
from rubicon.rules.position import CardPlace, Phase, copy_position
from rubicon.rules.procedures.cards import FEWEST_STARS, MOST_STARS, trade_forced
from rubicon.rules.procedures.play import apply
from rubicon.rules.refusals import Refusal

TRADING = (Phase.REINFORCE, Phase.TRADE)


def trade(here: Here, order: TradeOrder) -> Move:
    """The next card laid down, or the set."""
    position: Any = here.position
    if order.cards is SetChoice.NO:
        return here.last(Withdraw()) if _offered(here) else here.done()
    if position.phase not in TRADING:
        return here.done(here.note("not-now", "Cards cannot be traded at this time."))
    if here.sight.rules.cards_values == SetValues.STARS:
        return _trade_stars(here, order)
    if isinstance(order.cards, SetChoice):
        return _trade_best(here, order.bonus)
    return here.last(Trade(tuple(order.cards), order.bonus))


def _trade_best(here: Here, bonus: str | None) -> Move:
    """The set that brings most; another one as long as the rules force it."""
    best = best_set(here, bonus)
    if best is None:
        none = here.progress.traded == 0
        return here.done(*([here.note("no-set", "There is no set to trade.")] if none else []))
    position: Any = here.position
    traded = here.progress._replace(traded=here.progress.traded + 1)
    if here.progress.traded and not trade_forced(position, here.sight.rules, here.sight.tables):
        return here.done()
    return Move(best, traded)


def best_set(here: Here, bonus: str | None = None) -> Trade | None:
    """The set worth most armies now; of equals one with that bonus, with the fewest wild cards."""
    sets = [action for action in here.sight.legal(here.position) if isinstance(action, Trade)]
    if not sets:
        return None
    return max(sets, key=lambda set_: (_worth(here, set_), set_.bonus == bonus, -_wilds(set_)))


def _worth(here: Here, action: Action) -> int:
    """How many armies an action brings, in hand and on the board."""
    after = copy_position(here.position)
    apply(after, here.sight.rules, here.sight.tables, here.sight.code(action))
    return here.sight.own_armies(after) + here.sight.unplaced(after)


def _wilds(action: Trade) -> int:
    return sum(card.startswith("wild") for card in action.cards)


def _trade_stars(here: Here, order: TradeOrder) -> Move:
    """Lay the cards down one after another, then trade them; nothing where not all can be."""
    cards = _best_stars(here) if isinstance(order.cards, SetChoice) else order.cards
    if not cards:
        return here.done(here.note("no-set", "There are no stars to trade."))
    offered = _offered(here)
    fault = _star_fault(here, cards)
    if offered and (fault or not set(offered) <= set(cards)):
        return here.attempt(Withdraw(), here.progress)
    if fault:
        return here.done(here.note("refused", fault))
    waiting = [card for card in cards if card not in offered]
    return here.attempt(Offer(waiting[0]), here.progress) if waiting else here.last(Trade())


def _star_fault(here: Here, cards: tuple[str, ...]) -> str:
    """Why these cards cannot be traded for their stars; "" where they can."""
    position: Any = here.position
    names = list(here.sight.game.cards)
    if not set(cards) <= set(names):  # wild cards, where none are in play
        return here.sight.sentence(Refusal.CARD_NOT_HELD)
    places = [int(position.card[names.index(card)]) for card in cards]
    if any(place not in (here.sight.seat, CardPlace.OFFERED) for place in places):
        return here.sight.sentence(Refusal.CARD_NOT_HELD)
    stars = sum(int(here.sight.tables.stars[names.index(card)]) for card in cards)
    if stars < FEWEST_STARS:
        return here.sight.sentence(Refusal.TOO_FEW_STARS)
    return here.sight.sentence(Refusal.TOO_MANY_STARS) if stars > MOST_STARS else ""


def _offered(here: Here) -> tuple[str, ...]:
    position: Any = here.position
    names = here.sight.game.cards
    return tuple(n for card, n in enumerate(names) if position.card[card] == CardPlace.OFFERED)


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
