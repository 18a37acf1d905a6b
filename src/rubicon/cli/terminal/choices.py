"""What a seat may do, the odds of a defender's choices, and why an order did nothing."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from rubicon.cli.terminal.console import WIDTH, Symbols
from rubicon.cli.terminal.status import TOGETHER, names_of
from rubicon.engine.codes import Refusal
from rubicon.engine.records import Position
from rubicon.errors import RubiconError
from rubicon.odds.outlook import chance_to_hold, roll_outcomes
from rubicon.orders import syntax
from rubicon.rules import actions
from rubicon.wording import numbered

if TYPE_CHECKING:
    from rubicon.rules.game import Game
    from rubicon.rules.legal import ActionRange


# A player's choices: the legal actions in a few lines, and the order that Enter gives.

HINTS: dict[type, str] = {
    actions.Claim: "claim TERRITORY",
    actions.PlaceCapital: "capital TERRITORY",
    actions.Seal: "seal",
    actions.Trade: "trade best",
    actions.Offer: "trade CARD, CARD",
    actions.Withdraw: "withdraw",
    actions.Attack: "attack FROM > TO",
    actions.EndAttack: "end attack",
    actions.ClaimObjective: "objective OB01",
    actions.Decline: "decline",
    actions.Fortify: "fortify FROM > TO 3",
    actions.EndTurn: "end turn",
}


def ranges_of(game: Game, colour: str) -> tuple[ActionRange, ...]:
    """The legal actions of a seat, as ranges."""
    return game.legal_for(colour).ranges


def obvious(game: Game, colour: str) -> actions.Action | None:
    """The action that Enter stands for; None where the player has to choose.

    Most armies advance into a captured territory, most dice defend.
    """
    ranges = ranges_of(game, colour)
    if len(ranges) != 1:
        return None
    only = ranges[0]
    if only.size == 1 or isinstance(only.highest, actions.Occupy | actions.DefendWith):
        return only.highest
    return None


def order_for(action: actions.Action) -> str:
    """The order of docs/orders.md that takes one action at the prompt."""
    match action:
        case actions.Place(territory, armies):
            return f"deploy {armies} {territory}"
        case actions.Occupy(armies):
            return f"advance {armies}"
        case actions.Seal():
            return "seal"
        case actions.Trade(cards, bonus) if cards:
            return f"trade {', '.join(cards)}" + (f" on {bonus}" if bonus else "")
        case actions.Attack(source, target, dice):
            return f"attack {source} -> {target}" + (f" dice {dice}" if dice else "")
        case actions.Offer():  # the cards of a trade in stars are named together
            return "trade best"
        case actions.Resign():
            return "resign confirm"
        case actions.RevealMission():
            return "reveal"
    return str(action)


def hint(game: Game, colour: str, symbols: Symbols) -> str:
    """The orders that are possible now, in one line."""
    action = obvious(game, colour)
    if action is not None:
        return f"Enter: {order_for(action)}{span_text(game, colour)}"
    return f" {symbols.dot} ".join([*order_forms(game, colour), "help"])


def order_forms(game: Game, colour: str) -> list[str]:
    """How each kind of order that is possible now is written."""
    return list(dict.fromkeys(form(action_range) for action_range in ranges_of(game, colour)))


def form(action_range: ActionRange) -> str:
    """How an order of this kind is written; for placements, with the armies that are left."""
    if isinstance(action_range.highest, actions.Place):
        return f"deploy {action_range.highest.armies} TERRITORY"
    kind = type(action_range.lowest)
    return HINTS.get(kind) or kind.__name__.lower()


def span_text(game: Game, colour: str) -> str:
    """The numbers that are possible where only a number is asked for: ` (3-9)`."""
    only = ranges_of(game, colour)[0]
    if only.size == 1:
        return ""
    low, high = (str(action).rsplit(" ", 1)[-1] for action in (only.lowest, only.highest))
    return f" ({low}-{high})"


def choice_lines(
    game: Game, colour: str, symbols: Symbols, territory: str | None = None
) -> list[str]:
    """All legal actions, or those that involve one territory."""
    ranges = [
        action_range
        for action_range in ranges_of(game, colour)
        if territory is None or territory in involved(action_range.lowest)
    ]
    lines: list[str] = []
    for heading, items in grouped(game, ranges, game.view(colour), symbols):
        text = f"{heading} {', '.join(items)}" if items else heading
        wrapped = textwrap.wrap(text, WIDTH, subsequent_indent="    ")
        lines += [line.replace(TOGETHER, " ") for line in wrapped]
    return lines or ["Nothing is possible there now." if territory else "Nothing is possible now."]


def involved(action: actions.Action) -> tuple[str, ...]:
    """The territories of an action."""
    match action:
        case (
            actions.Claim(territory) | actions.PlaceCapital(territory) | actions.Place(territory, _)
        ):
            return (territory,)
        case actions.Attack(source, target) | actions.Fortify(source, target, _):
            return (source, target)
    return ()


def grouped(
    game: Game, ranges: list[ActionRange], view: Position, symbols: Symbols
) -> Iterator[tuple[str, list[str]]]:
    """Similar ranges together, each group under one heading."""
    groups: dict[str, list[str]] = {}
    for action_range in ranges:
        heading, item = heading_and_item(game, action_range, view, symbols)
        groups.setdefault(heading, [])
        if item:
            groups[heading].append(item)
    yield from groups.items()


def heading_and_item(
    game: Game, action_range: ActionRange, view: Position, symbols: Symbols
) -> tuple[str, str]:
    """A range as a heading, and an item below it."""
    names = names_of(game)
    match action_range.lowest, action_range.highest:
        case actions.Claim(territory), _:
            return "claim:", names[territory]
        case actions.PlaceCapital(territory), _:
            return "capital:", names[territory]
        case actions.Place(territory, _), actions.Place(_, most):
            return f"deploy {span(1, most)} on:", names[territory]
        case actions.Attack(_, _, _, True), _:
            return "again: the same attack goes on", ""
        case actions.Attack(source, target), actions.Attack(_, _, dice):
            heading = f"attack {names[source]} ({span(1, dice or 1)} dice) {symbols.arrow}"
            return heading, foe(game, view, target)
        case actions.Fortify(source, target, _), actions.Fortify(_, _, most):
            return f"fortify {names[source]} ({span(1, most)}) {symbols.arrow}", names[target]
        case actions.Offer(card), _:
            return "trade for stars:", names.get(card, card)
        case actions.Occupy(low), actions.Occupy(high):
            return f"advance {span(low, high)}", ""
        case actions.DefendWith(low), actions.DefendWith(high):
            return f"defend {span(low, high)}", ""
    return order_for(action_range.lowest), ""


def foe(game: Game, view: Position, territory: str) -> str:
    """A territory with its owner and armies."""
    t = game.territories.index(territory)
    name = names_of(game)[territory]
    return f"{name} ({game.owner_name(int(view.owner[t]))} {int(view.armies[t])})"


def span(low: int, high: int) -> str:
    """`1` or `1-7`."""
    return str(low) if low == high else f"{low}-{high}"


# What a defender must know before choosing dice: who attacks, with what, and the odds.


def attack_lines(game: Game, colour: str) -> list[str]:
    """The attack that waits for `colour`'s dice, and the odds of each number of dice.

    Armies and owners come from the seat's own view.
    """
    view = game.view(colour)
    source, target = int(view.attack_source), int(view.attack_target)
    names = [territory.name for territory in game.ruleset.board.territories]
    attacker = game.owner_name(int(view.owner[source]))
    dice = int(view.attack_dice)
    lines = [
        f"{attacker.capitalize()} attacks your {names[target]} ({armies(view, target)}) from "
        f"{names[source]} ({armies(view, source)}) and rolls {numbered(dice, 'die', 'dice')}."
    ]
    for number in dice_choices(game, colour):
        lines.append(f"  {numbered(number, 'die ', 'dice')}: {roll_odds(game, view, number)}")
    chance = chance_to_hold(game.ruleset, view)
    if chance is not None:
        lines.append(
            f"If {attacker} goes on to the end, you hold {names[target]} in "
            f"{percent(chance)} of games."
        )
    return lines


def armies(view: Position, t: int) -> str:
    """The armies of a territory; a question mark where they are hidden."""
    count = int(view.armies[t])
    return "? armies" if count < 0 else numbered(count, "army", "armies")


def dice_choices(game: Game, colour: str) -> list[int]:
    """The numbers of dice that the defender may choose, the most first."""
    found: list[int] = []
    for action_range in game.legal_for(colour).ranges:
        low, high = action_range.lowest, action_range.highest
        if isinstance(low, actions.DefendWith) and isinstance(high, actions.DefendWith):
            found += range(high.dice, low.dice - 1, -1)
    return found


def roll_odds(game: Game, view: Position, dice: int) -> str:
    """What one roll costs both sides, the best for the defender first."""
    return ", ".join(
        f"{percent(one.chance)} {loss_text(one.attacker_loses, one.defender_loses)}"
        for one in roll_outcomes(game.ruleset, view, dice)
    )


def loss_text(lost: int, won: int) -> str:
    """The losses of one roll, as the defender reads them."""
    if lost == won:
        return f"each loses {lost}"
    parts = [f"they lose {lost}"] * (lost > 0) + [f"you lose {won}"] * (won > 0)
    return " and ".join(parts)


def percent(chance: float) -> str:
    """A chance in whole percent; `<1%` and `>99%` where that would say never or always."""
    if 0 < chance < 0.005:
        return "<1%"
    return ">99%" if 0.995 < chance < 1 else f"{chance:.0%}"


# Why an order at the prompt did nothing, in a player's words.

NOTHING_LEFT = "Nothing was left to do for this order."


def reason(order: syntax.Order, game: Game, colour: str, found: RubiconError) -> RubiconError:
    """The best explanation of why an order takes no action: the rules' own refusal if they refuse
    what the order says, else `found`.
    """
    action = stated_action(order, game, colour)
    try:
        refused = None if action is None else game.refusal(action, seat=colour)
    except RubiconError:
        return found
    if refused is not None:
        if isinstance(action, actions.Claim) and refused.refusal is Refusal.CAPITAL_FIRST:
            refused.suggestion = f"Write: capital {action.territory}"
        return refused
    if isinstance(order, syntax.AttackOrder):
        return RubiconError(found.code, why_no_attack(order, game, colour))
    return found


def refused_leg(order: syntax.AttackOrder, game: Game, colour: str) -> RubiconError | None:
    """The rules' refusal of the leg of an attack that is next; None where they allow it."""
    view, seat = game.view(colour), game.seat(colour)
    for source, target in pairwise(order.path):
        if int(view.owner[game.territories.index(target)]) != seat:
            return game.refusal(actions.Attack(source, target, order.dice or 1), seat=colour)
    return None


def stated_action(order: syntax.Order, game: Game, colour: str) -> actions.Action | None:
    """The action that an order states, whether it is possible or not; None if it states none."""
    match order:
        case syntax.DeployOrder(((armies, territory), *_)):
            return actions.Place(territory, armies or max(1, unplaced(game, colour)))
        case syntax.ClaimOrder((territory,)):
            return actions.Claim(territory)
        case syntax.CapitalOrder((territory,)):
            return actions.PlaceCapital(territory)
        case syntax.AttackOrder((source, target), dice):
            return actions.Attack(source, target, dice or 1)
        case syntax.AdvanceOrder(int(armies)):
            return actions.Occupy(armies)
        case syntax.AdvanceOrder():
            return actions.Occupy(1)
        case syntax.FortifyOrder(source, target, armies):
            return actions.Fortify(source, target, armies_moved(armies, game, source))
        case syntax.TradeOrder(tuple(cards), bonus):
            return actions.Trade(cards, bonus)
        case syntax.EndOrder(syntax.EndKind.ATTACK):
            return actions.EndAttack()
        case syntax.RevealOrder():
            return actions.RevealMission(colour)
    return None


def armies_moved(armies: int | syntax.AllBut, game: Game, source: str) -> int:
    """The number that a FORTIFY means; at least 1."""
    if isinstance(armies, int):
        return armies
    there = int(game.position.armies[game.territories.index(source)])
    return max(1, there - max(armies.stay, 1))


def unplaced(game: Game, colour: str) -> int:
    """The armies that a seat has still to place."""
    return int(game.view(colour).unplaced[game.seat(colour)])


def why_nothing(order: syntax.Order | None, game: Game, colour: str) -> str:
    """Why an order that was understood and is not refused did nothing."""
    if isinstance(order, syntax.AttackOrder):
        return why_no_attack(order, game, colour)
    return NOTHING_LEFT


def why_no_attack(order: syntax.AttackOrder, game: Game, colour: str) -> str:
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
