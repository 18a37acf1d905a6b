"""Events from JSON, as a server sends them: so that a client tells them in its own words."""

from __future__ import annotations

import dataclasses
from typing import Any

from rubicon.rules.events import Event
from rubicon.rules.notation.json_format import JsonError, name_of_class
from rubicon.rules.outcomes import Dice, Roll
from rubicon.shapes import has_type

EVENTS = {name_of_class(one): one for one in Event.__args__}
NESTED = {"roll": Roll, "dice": Dice}


def event_from_json(value: dict[str, Any]) -> Event:
    """The event of an object that `event_to_json` made; JsonError where it describes none."""
    made = EVENTS.get(str(value.get("event")))
    if value.get("kind") != "event" or made is None:
        raise JsonError("unknown", f"This is no event: {str(value)[:60]}")
    names = {part.name for part in dataclasses.fields(made)}
    try:
        found = {name: _value(name, given) for name, given in value.items() if name in names}
        event: Event = made(**found)
    except TypeError as error:
        raise JsonError("missing-field", f"This event is not whole: {error}") from error
    if not has_type(event, made):
        raise JsonError("wrong-type", f"A field of this event has another type: {str(value)[:60]}")
    return event


def _value(name: str, given: Any) -> Any:
    if isinstance(given, dict) and name in NESTED:
        return NESTED[name](**{key: tuple(faces) for key, faces in given.items()})
    return tuple(given) if isinstance(given, list) else given
