"""A view filled in so that the engine can play on in it: what is unknown, assumed harmlessly."""

from __future__ import annotations

from typing import Any

from rubicon.orders.sight import Sight
from rubicon.rules.position import HIDDEN, NEUTRAL, CardPlace, Standing, copy_position
from rubicon.rules.procedures.attack import most_attack_dice


def imagined(sight: Sight, view: Any) -> Any:
    """A position that agrees with a view: unknown cards are dealt out in the order of the board,
    unknown standing orders ask the defender, so that the best answer can be looked for.
    """
    position = copy_position(view)
    _deal_cards(sight, position)
    for seat in range(int(position.seats)):
        if position.standing_all[seat] == HIDDEN:
            position.standing_all[seat] = Standing.NONE
    for t in range(len(sight.game.territories)):
        if position.standing[t] == HIDDEN and position.owner[t] != NEUTRAL:
            position.standing[t] = Standing.NONE
    if position.order_standing == HIDDEN:
        position.order_standing = Standing.NONE
    if position.attack_dice == HIDDEN:
        source = int(position.attack_source)
        position.attack_dice = most_attack_dice(position, sight.rules, source)
    return position


def _deal_cards(sight: Sight, position: Any) -> None:
    """Give the hidden cards to the hands that must hold them, the rest to the pile."""
    cards = range(len(sight.game.cards))
    unknown = [card for card in cards if position.card[card] == HIDDEN]
    for seat in range(int(position.seats)):
        known = sum(int(position.card[card] == seat) for card in cards)
        for _ in range(int(position.hand[seat]) - known):
            if unknown:
                position.card[unknown.pop(0)] = seat
    for card in unknown:
        position.card[card] = CardPlace.PILE
