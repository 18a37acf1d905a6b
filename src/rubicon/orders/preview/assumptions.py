"""Completes a seat's view so that the engine can play on in it."""

from __future__ import annotations

from rubicon.engine.phases.attack import most_attack_dice
from rubicon.engine.records.position import (
    HIDDEN,
    NEUTRAL,
    CardPlace,
    Position,
    Standing,
    copy_position,
)
from rubicon.orders.execute.seat_view import SeatView


def imagined(seat_view: SeatView, view: Position) -> Position:
    """A position that agrees with a view.

    Unknown cards are dealt in board order; no preview depends on them. Unknown standing orders
    become ASK, so that the explorer chooses the defence that is worst for the attack.
    """
    position = copy_position(view)
    _deal_cards(seat_view, position)
    for seat in range(int(position.seats)):
        if position.standing_all[seat] == HIDDEN:
            position.standing_all[seat] = Standing.NONE
    for t in range(len(seat_view.game.territories)):
        if position.standing[t] == HIDDEN and position.owner[t] != NEUTRAL:
            position.standing[t] = Standing.NONE
    if position.order_standing == HIDDEN:
        position.order_standing = Standing.NONE
    if position.attack_dice == HIDDEN:  # sealed dice: assume the most, as attackers mostly roll
        source = int(position.attack_source)
        position.attack_dice = most_attack_dice(position, seat_view.rules, source)
    return position


def _deal_cards(seat_view: SeatView, position: Position) -> None:
    """Deal the hidden cards to the hands by their sizes, and the rest to the pile."""
    cards = range(len(seat_view.game.cards))
    unknown = [card for card in cards if position.card[card] == HIDDEN]
    for seat in range(int(position.seats)):
        known = sum(int(position.card[card] == seat) for card in cards)
        for _ in range(int(position.hand[seat]) - known):
            if unknown:
                position.card[unknown.pop(0)] = seat
    for card in unknown:
        position.card[card] = CardPlace.PILE
