"""What a case may expect to have happened."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import get_args

from rubicon.rules.case_names import (
    Setting,
    place_among,
    whole_number,
)
from rubicon.rules.case_scene import (
    NONE_WORD,
    Probe,
    Reader,
    Scene,
)
from rubicon.rules.case_text import trouble
from rubicon.rules.events import Event


def _event(setting: Setting, words: Sequence[str]) -> Probe:
    """`event KIND`, `event KIND NUMBER`."""
    if len(words) not in (1, 2):
        raise trouble("expectation", "Expected `expect event KIND [NUMBER]`.")
    kind = EVENT_KINDS[place_among(words[0], EVENT_KINDS, "kind of event")]
    if len(words) == 1:
        return Probe(kind, lambda scene: kind if _events(scene, kind) else _kinds(scene))
    return Probe(str(whole_number(words[1])), lambda scene: str(_events(scene, kind)))


def _events(scene: Scene, kind: str) -> int:
    return sum(event_kind(type(event)) == kind for event in scene.events)


def _kinds(scene: Scene) -> str:
    return " ".join(event_kind(type(event)) for event in scene.events) or NONE_WORD


def event_kind(kind: type) -> str:
    """The kind of an event in words: `SpoilsTaken` is `spoils-taken`."""
    return re.sub("(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


EVENT_KINDS = tuple(event_kind(kind) for kind in get_args(Event))


def _told(setting: Setting, words: Sequence[str]) -> Probe:
    """`told TEXT`: one of the events reads so."""
    text = " ".join(words)
    if not text:
        raise trouble("expectation", "Expected `expect told TEXT`.")
    return Probe(text, lambda scene: _telling(scene, text))


def _telling(scene: Scene, text: str) -> str:
    lines = [str(event) for event in scene.events]
    return text if text in lines else "; ".join(lines) or NONE_WORD


PROBES: dict[str, Reader] = {
    "event": _event,
    "told": _told,
}
