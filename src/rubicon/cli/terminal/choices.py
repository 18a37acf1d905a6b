"""What may be done now, in few lines; and the one thing that Enter alone stands for."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rubicon.cli.terminal.paint import WIDTH, Marks
from rubicon.rules.actions import (
    Action,
    Attack,
    Claim,
    DefendWith,
    EndAttack,
    EndTurn,
    Fortify,
    Occupy,
    Offer,
    Place,
    PlaceCapital,
    Trade,
)

if TYPE_CHECKING:
    from rubicon.rules.game import Game
    from rubicon.rules.legal import Family

HINTS: dict[type, str] = {
    Claim: "claim TERRITORY",
    PlaceCapital: "capital TERRITORY",
    Place: "place TERRITORY [N]",
    Trade: "trade CARD CARD CARD",
    Offer: "offer CARD",
    Attack: "attack FROM > TO [dice N]",
    EndAttack: "end attack",
    Fortify: "fortify FROM > TO [N]",
    EndTurn: "end turn",
}


def families_of(game: Game, colour: str) -> tuple[Family, ...]:
    """What a seat may decide now, as families."""
    return game.legal_for(colour).families


def obvious(game: Game, colour: str) -> Action | None:
    """The one thing there is to do; most armies in an occupation, most dice in a defence."""
    families = families_of(game, colour)
    if len(families) != 1:
        return None
    only = families[0]
    if only.size == 1 or isinstance(only.highest, Occupy | DefendWith):
        return only.highest
    return None


def hint(game: Game, colour: str, marks: Marks) -> str:
    """The forms of what may be done now, in one line."""
    action = obvious(game, colour)
    if action is not None:
        return f"Enter: {action}"
    kinds = dict.fromkeys(type(family.lowest) for family in families_of(game, colour))
    forms = [HINTS.get(kind) or f"{kind.__name__.lower()}" for kind in kinds]
    return f" {marks.dot} ".join([*forms, "help"])


def choice_lines(game: Game, colour: str, marks: Marks, territory: str | None = None) -> list[str]:
    """All that may be done now, or all that has to do with one territory."""
    families = [
        family
        for family in families_of(game, colour)
        if territory is None or territory in touched(family.lowest)
    ]
    lines: list[str] = []
    for heading, items in grouped(game, families, game.view(colour), marks):
        text = f"{heading} {', '.join(items)}" if items else heading
        lines += textwrap.wrap(text, WIDTH, subsequent_indent="    ")
    return lines or ["nothing"]


def touched(action: Action) -> tuple[str, ...]:
    """The territories of an action."""
    match action:
        case Claim(territory) | PlaceCapital(territory) | Place(territory, _):
            return (territory,)
        case Attack(source, target) | Fortify(source, target, _):
            return (source, target)
    return ()


def grouped(
    game: Game, families: list[Family], view: Any, marks: Marks
) -> Iterator[tuple[str, list[str]]]:
    """Families that read alike, side by side under one heading."""
    groups: dict[str, list[str]] = {}
    for family in families:
        heading, item = told(game, family, view, marks)
        groups.setdefault(heading, [])
        if item:
            groups[heading].append(item)
    yield from groups.items()


def told(game: Game, family: Family, view: Any, marks: Marks) -> tuple[str, str]:
    """A family as a heading and an item beneath it."""
    match family.lowest, family.highest:
        case Claim(territory), _:
            return "claim:", territory
        case PlaceCapital(territory), _:
            return "capital:", territory
        case Place(territory, _), Place(_, most):
            return f"place {span(1, most)} on:", territory
        case Attack(_, _, _, True), _:
            return "again: the same attack goes on", ""
        case Attack(source, target), Attack(_, _, dice):
            heading = f"attack {source} ({span(1, dice or 1)} dice) {marks.arrow}"
            return heading, foe(game, view, target)
        case Fortify(source, target, _), Fortify(_, _, most):
            return f"fortify {source} ({span(1, most)}) {marks.arrow}", target
        case Offer(card), _:
            return "offer:", card
    return str(family), ""


def foe(game: Game, view: Any, territory: str) -> str:
    """A territory with its owner and armies."""
    t = game.territories.index(territory)
    return f"{territory} ({game.owner_name(int(view.owner[t]))} {int(view.armies[t])})"


def span(low: int, high: int) -> str:
    """`1` or `1-7`."""
    return str(low) if low == high else f"{low}-{high}"
