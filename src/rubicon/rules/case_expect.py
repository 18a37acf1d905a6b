"""An expectation of a case: it reads one thing of a game and compares texts."""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.rules import (
    case_expect_board,
    case_expect_events,
    case_expect_seats,
    case_expect_turn,
)
from rubicon.rules.case_expect_board import territory
from rubicon.rules.case_names import (
    Setting,
)
from rubicon.rules.case_scene import (
    Probe,
    Scene,
    seen,
)
from rubicon.rules.case_text import trouble
from rubicon.rules.errors import RubiconError
from rubicon.rules.suggestions import nearest

PROBES = {
    **case_expect_board.PROBES,
    **case_expect_seats.PROBES,
    **case_expect_turn.PROBES,
    **case_expect_events.PROBES,
}


@dataclass(frozen=True, slots=True)
class Expectation:
    """A probe, perhaps negated, perhaps through the eyes of a seat."""

    text: str
    probe: Probe
    negated: bool = False
    seer: str | None = None

    def found(self, scene: Scene) -> str | None:
        """What is there instead; None where the expectation holds."""
        found = self.probe.read(scene if self.seer is None else seen(scene, self.seer))
        if (found == self.probe.wanted) != self.negated:
            return None
        return found


def read_expectation(setting: Setting, text: str) -> Expectation:
    """The expectation that a line states, without its first word."""
    words = text.split()
    seer: str | None = None
    if words[:2] == ["seen", "by"] and len(words) > 2:
        seer = setting.seats[setting.seat(words[2])]
        words = words[3:]
    negated = words[:1] == ["not"]
    words = words[negated:]
    if not words:
        raise trouble("expectation", "Expected something after `expect`.")
    try:
        return Expectation(text, _probe(setting, words), negated, seer)
    except RubiconError as error:
        if "and" not in words:
            raise
        problem = "One `expect` line holds one expectation, and a list is written without `and`."
        raise trouble("expectation", f"{problem} {error.message}", error.suggestion) from None


def _probe(setting: Setting, words: list[str]) -> Probe:
    if words[0].lower() in PROBES:
        return PROBES[words[0].lower()](setting, words[1:])
    try:
        return territory(setting, words)
    except RubiconError as error:
        hint = nearest(words[0], PROBES)
        if error.suggestion or not hint:
            raise
        raise trouble("unknown-word", error.message, hint) from None
