"""Expectations about the events of the last step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import get_args

from rubicon.casebook.names import (
    CaseContext,
    place_among,
    whole_number,
)
from rubicon.casebook.parser import case_error
from rubicon.casebook.view import (
    NONE_WORD,
    CaseView,
    Check,
    CheckReader,
)
from rubicon.rules.events import Event


def _event(context: CaseContext, words: Sequence[str]) -> Check:
    """`event KIND`, `event KIND NUMBER`."""
    if len(words) not in (1, 2):
        raise case_error("expectation", "Expected `expect event KIND [NUMBER]`.")
    kind = EVENT_KINDS[place_among(words[0], EVENT_KINDS, "kind of event")]
    if len(words) == 1:
        return Check(kind, lambda view: kind if _events(view, kind) else _kinds(view))
    return Check(str(whole_number(words[1])), lambda view: str(_events(view, kind)))


def _events(view: CaseView, kind: str) -> int:
    return sum(event_kind(type(event)) == kind for event in view.events)


def _kinds(view: CaseView) -> str:
    return " ".join(event_kind(type(event)) for event in view.events) or NONE_WORD


def event_kind(kind: type) -> str:
    """The kind of an event in words: `SpoilsTaken` is `spoils-taken`."""
    return re.sub("(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


EVENT_KINDS = tuple(event_kind(kind) for kind in get_args(Event))


def _told(context: CaseContext, words: Sequence[str]) -> Check:
    """`told TEXT`: one of the events has this text."""
    text = " ".join(words)
    if not text:
        raise case_error("expectation", "Expected `expect told TEXT`.")
    return Check(text, lambda view: _telling(view, text))


def _telling(view: CaseView, text: str) -> str:
    lines = [str(event) for event in view.events]
    return text if text in lines else "; ".join(lines) or NONE_WORD


CHECKS: dict[str, CheckReader] = {
    "event": _event,
    "told": _told,
}
