"""Events and decisions in plain English, with the names of territories instead of their ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from rubicon.rules import events
from rubicon.rules.notation.actions import WILD_IDS
from rubicon.wording import numbered

WORD = re.compile(r"[\w-]+")


def sentence_of(event: events.Event, names: Mapping[str, str]) -> str:
    """An event in words; `names` has the names of territories by id.

    Names have no plain spaces: the words of a decision are told apart by them.
    """
    named = named_event(event, names)
    if isinstance(named, events.Decided):
        return decision_sentence(named.seat, named.action)
    return text_of(named)


def named_event(event: events.Event, names: Mapping[str, str]) -> events.Event:
    """The same event with names for ids; `str` of a trade or of spoils is left to `text_of`."""
    match event:
        case events.Rolled(source=source, target=target):
            return replace(
                event, source=names.get(source, source), target=names.get(target, target)
            )
        case events.Captured(territory=territory) | events.Discarded(territory=territory):
            return replace(event, territory=names.get(territory, territory))
        case events.Drew(card=str(card)):
            return replace(event, card=card_name(card, names))
        case events.Dealt(thing=str(thing)):
            return replace(event, thing=names.get(thing, thing))
        case events.Traded(cards=cards, bonus=bonus):
            return replace(event, cards=_cards(cards, names), bonus=_named(bonus, names))
        case events.SpoilsTaken(cards=cards):
            return replace(event, cards=_cards(cards, names))
        case events.Decided(action=action):
            return replace(event, action=named_action(action, names))
    return event


def named_action(text: str, names: Mapping[str, str]) -> str:
    """The text of an action with names for ids; its first word is the verb."""
    verb, space, rest = text.partition(" ")
    return verb + space + WORD.sub(lambda word: names.get(word[0], word[0]), rest)


def text_of(event: events.Event) -> str:
    """An event in words; commas stand between names, which may have several words."""
    match event:
        case events.Traded(seat, cards, armies, bonus):
            more = f" and 2 on {' and '.join(bonus)}" if bonus else ""
            return f"{seat} trades {', '.join(cards)} for {armies} armies{more}"
        case events.SpoilsTaken(seat, victim, cards, objectives):
            taken = ", ".join((*cards, *objectives))
            return f"{seat} takes cards of {victim}: {taken}" if cards else str(event)
    return str(event)


def _named(keys: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names.get(key, key) for key in keys)


def _cards(keys: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(card_name(key, names) for key in keys)


def card_name(key: str, names: Mapping[str, str]) -> str:
    """The territory of a card, or that it is a wild card; `names` as in `sentence_of`."""
    return names.get(key, "a wild card" if key in WILD_IDS else key)


def decision_sentence(seat: str, action: str) -> str:
    """A decision as a sentence; `action` is its text (docs/notation.md), with no spaces in names.

    Decisions that an event describes, such as the roll of an attack, are no business of this
    function: their text is returned behind the seat.
    """
    match action.split(" "):
        case "claim", territory:
            return f"{seat} claims {territory}"
        case "capital", territory:
            return f"{seat} makes {territory} its capital"
        case "place", territory, armies:
            return f"{seat} places {_armies(armies)} on {territory}"
        case "fortify", source, "->", target, armies:
            return f"{seat} moves {_armies(armies)} from {source} to {target}"
        case "objective", objective, *airfield:
            where = f" and puts the airfield on {airfield[1]}" if airfield else ""
            return f"{seat} claims the objective {objective}{where}"
        case "resign", _:
            return f"{seat} resigns"
        case "reveal", _:
            return f"{seat} shows its mission"
    return f"{seat}: {action}"


def _armies(number: str) -> str:
    return numbered(int(number), "army", "armies")
