"""Territories by their names: what people read, instead of the ids of records and programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from rubicon.rules.events import (
    Captured,
    Dealt,
    Decided,
    Discarded,
    Drew,
    Event,
    Rolled,
    SpoilsTaken,
    Traded,
)

if TYPE_CHECKING:
    from rubicon.rules.game.game import Game

TOGETHER = "\N{NO-BREAK SPACE}"  # a line is never broken here; printed as a space
WORD = re.compile(r"[\w-]+")


def names_of(game: Game) -> dict[str, str]:
    """The name of each territory of a game, by its id; no line is broken inside a name."""
    names = (territory.name for territory in game.ruleset.board.territories)
    return {
        key: name.replace(" ", TOGETHER) for key, name in zip(game.territories, names, strict=True)
    }


def named_event(event: Event, names: Mapping[str, str]) -> Event:
    """The same event with names for ids; `str` of a trade or of spoils is left to `text_of`."""
    match event:
        case Rolled(source=source, target=target):
            return replace(
                event, source=names.get(source, source), target=names.get(target, target)
            )
        case Captured(territory=territory) | Discarded(territory=territory):
            return replace(event, territory=names.get(territory, territory))
        case Drew(card=str(card)):
            return replace(event, card=names.get(card, card))
        case Dealt(thing=str(thing)):
            return replace(event, thing=names.get(thing, thing))
        case Traded(cards=cards, bonus=bonus):
            return replace(event, cards=_named(cards, names), bonus=_named(bonus, names))
        case SpoilsTaken(cards=cards):
            return replace(event, cards=_named(cards, names))
        case Decided(action=action):
            return replace(event, action=named_action(action, names))
    return event


def named_action(text: str, names: Mapping[str, str]) -> str:
    """The text of an action with names for ids; its first word is the verb."""
    verb, space, rest = text.partition(" ")
    return verb + space + WORD.sub(lambda word: names.get(word[0], word[0]), rest)


def text_of(event: Event) -> str:
    """An event in words; commas stand between names, which may have several words."""
    match event:
        case Traded(seat, cards, armies, bonus):
            more = f" and 2 on {' and '.join(bonus)}" if bonus else ""
            return f"{seat} trades {', '.join(cards)} for {armies} armies{more}"
        case SpoilsTaken(seat, victim, cards, objectives):
            taken = ", ".join((*cards, *objectives))
            return f"{seat} takes cards of {victim}: {taken}" if cards else str(event)
    return str(event)


def _named(keys: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names.get(key, key) for key in keys)
