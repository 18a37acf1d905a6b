"""A player's choices: the legal actions in a few lines, and the order that Enter gives."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rubicon.cli.terminal.display.naming import TOGETHER, names_of
from rubicon.cli.terminal.display.output import WIDTH, Symbols
from rubicon.engine.records.position import Position
from rubicon.rules.actions import (
    Action,
    Attack,
    Claim,
    ClaimObjective,
    Decline,
    DefendWith,
    EndAttack,
    EndTurn,
    Fortify,
    Occupy,
    Offer,
    Place,
    PlaceCapital,
    Resign,
    RevealMission,
    Seal,
    Trade,
    Withdraw,
)

if TYPE_CHECKING:
    from rubicon.rules.game.game import Game
    from rubicon.rules.game.legal import ActionRange

HINTS: dict[type, str] = {
    Claim: "claim TERRITORY",
    PlaceCapital: "capital TERRITORY",
    Seal: "seal",
    Trade: "trade best",
    Offer: "trade CARD, CARD",
    Withdraw: "withdraw",
    Attack: "attack FROM > TO",
    EndAttack: "end attack",
    ClaimObjective: "objective OB01",
    Decline: "decline",
    Fortify: "fortify FROM > TO 3",
    EndTurn: "end turn",
}


def ranges_of(game: Game, colour: str) -> tuple[ActionRange, ...]:
    """The legal actions of a seat, as ranges."""
    return game.legal_for(colour).ranges


def obvious(game: Game, colour: str) -> Action | None:
    """The action that Enter stands for; None where the player has to choose.

    Most armies advance into a captured territory, most dice defend.
    """
    ranges = ranges_of(game, colour)
    if len(ranges) != 1:
        return None
    only = ranges[0]
    if only.size == 1 or isinstance(only.highest, Occupy | DefendWith):
        return only.highest
    return None


def order_for(action: Action) -> str:
    """The order of docs/orders.md that takes one action at the prompt."""
    match action:
        case Place(territory, armies):
            return f"deploy {armies} {territory}"
        case Occupy(armies):
            return f"advance {armies}"
        case Seal():
            return "seal"
        case Trade(cards, bonus) if cards:
            return f"trade {', '.join(cards)}" + (f" on {bonus}" if bonus else "")
        case Attack(source, target, dice):
            return f"attack {source} -> {target}" + (f" dice {dice}" if dice else "")
        case Offer():  # the cards of a trade in stars are named together
            return "trade best"
        case Resign():
            return "resign confirm"
        case RevealMission():
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
    if isinstance(action_range.highest, Place):
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


def involved(action: Action) -> tuple[str, ...]:
    """The territories of an action."""
    match action:
        case Claim(territory) | PlaceCapital(territory) | Place(territory, _):
            return (territory,)
        case Attack(source, target) | Fortify(source, target, _):
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
        case Claim(territory), _:
            return "claim:", names[territory]
        case PlaceCapital(territory), _:
            return "capital:", names[territory]
        case Place(territory, _), Place(_, most):
            return f"deploy {span(1, most)} on:", names[territory]
        case Attack(_, _, _, True), _:
            return "again: the same attack goes on", ""
        case Attack(source, target), Attack(_, _, dice):
            heading = f"attack {names[source]} ({span(1, dice or 1)} dice) {symbols.arrow}"
            return heading, foe(game, view, target)
        case Fortify(source, target, _), Fortify(_, _, most):
            return f"fortify {names[source]} ({span(1, most)}) {symbols.arrow}", names[target]
        case Offer(card), _:
            return "trade for stars:", names.get(card, card)
        case Occupy(low), Occupy(high):
            return f"advance {span(low, high)}", ""
        case DefendWith(low), DefendWith(high):
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
