"""Why an order at the prompt did nothing, in a player's words."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from rubicon.engine.refusal import Refusal
from rubicon.errors import RubiconError
from rubicon.orders.syntax import (
    AdvanceOrder,
    AllBut,
    AttackOrder,
    CapitalOrder,
    ClaimOrder,
    DeployOrder,
    EndKind,
    EndOrder,
    FortifyOrder,
    Order,
    RevealOrder,
    TradeOrder,
)
from rubicon.rules.actions import (
    Action,
    Attack,
    Claim,
    EndAttack,
    Fortify,
    Occupy,
    Place,
    PlaceCapital,
    RevealMission,
    Trade,
)

if TYPE_CHECKING:
    from rubicon.rules.game.game import Game

NOTHING_LEFT = "Nothing was left to do for this order."


def reason(order: Order, game: Game, colour: str, found: RubiconError) -> RubiconError:
    """The best explanation of why an order takes no action: the rules' own refusal if they refuse
    what the order says, else `found`.
    """
    action = stated_action(order, game, colour)
    try:
        refused = None if action is None else game.refusal(action, seat=colour)
    except RubiconError:
        return found
    if refused is not None:
        if isinstance(action, Claim) and refused.refusal is Refusal.CAPITAL_FIRST:
            refused.suggestion = f"Write: capital {action.territory}"
        return refused
    if isinstance(order, AttackOrder):
        return RubiconError(found.code, why_no_attack(order, game, colour))
    return found


def refused_leg(order: AttackOrder, game: Game, colour: str) -> RubiconError | None:
    """The rules' refusal of the leg of an attack that is next; None where they allow it."""
    view, seat = game.view(colour), game.seat(colour)
    for source, target in pairwise(order.path):
        if int(view.owner[game.territories.index(target)]) != seat:
            return game.refusal(Attack(source, target, order.dice or 1), seat=colour)
    return None


def stated_action(order: Order, game: Game, colour: str) -> Action | None:
    """The action that an order states, whether it is possible or not; None if it states none."""
    match order:
        case DeployOrder(((armies, territory), *_)):
            return Place(territory, armies or max(1, unplaced(game, colour)))
        case ClaimOrder((territory,)):
            return Claim(territory)
        case CapitalOrder((territory,)):
            return PlaceCapital(territory)
        case AttackOrder((source, target), dice):
            return Attack(source, target, dice or 1)
        case AdvanceOrder(int(armies)):
            return Occupy(armies)
        case AdvanceOrder():
            return Occupy(1)
        case FortifyOrder(source, target, armies):
            return Fortify(source, target, armies_moved(armies, game, source))
        case TradeOrder(tuple(cards), bonus):
            return Trade(cards, bonus)
        case EndOrder(EndKind.ATTACK):
            return EndAttack()
        case RevealOrder():
            return RevealMission(colour)
    return None


def armies_moved(armies: int | AllBut, game: Game, source: str) -> int:
    """The number that a FORTIFY means; at least 1."""
    if isinstance(armies, int):
        return armies
    there = int(game.position.armies[game.territories.index(source)])
    return max(1, there - max(armies.stay, 1))


def unplaced(game: Game, colour: str) -> int:
    """The armies that a seat has still to place."""
    return int(game.view(colour).unplaced[game.seat(colour)])


def why_nothing(order: Order | None, game: Game, colour: str) -> str:
    """Why an order that was understood and is not refused did nothing."""
    if isinstance(order, AttackOrder):
        return why_no_attack(order, game, colour)
    return NOTHING_LEFT


def why_no_attack(order: AttackOrder, game: Game, colour: str) -> str:
    """Why an attack made no roll."""
    view, seat = game.view(colour), game.seat(colour)
    numbers = [game.territories.index(name) for name in order.path]
    names = [game.ruleset.board.territories[t].name for t in numbers]
    if int(view.owner[numbers[0]]) != seat:
        return f"{names[0]} is not yours."
    if all(int(view.owner[t]) == seat for t in numbers[1:]):
        return f"{names[-1]} is yours already."
    if int(view.armies[numbers[0]]) < 2:
        return f"{names[0]} has only one army, and one must stay: it cannot attack."
    stops = " or ".join(map(str, order.stops))
    return f"No roll was made: {stops} holds already." if stops else NOTHING_LEFT
