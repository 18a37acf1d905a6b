"""What an expectation reads: a game, what has just happened, and the words for both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rubicon.rules.case_names import NOBODY, Setting, whole_number
from rubicon.rules.case_text import trouble
from rubicon.rules.choices import CardVisibility
from rubicon.rules.events import Event, seen_by
from rubicon.rules.game import Game
from rubicon.rules.position import HIDDEN, NONE

HIDDEN_WORD = "hidden"
NONE_WORD = "none"


@dataclass(slots=True)
class Scene:
    """A game and the position that is read: the game's own, or what a seat sees."""

    game: Game
    setting: Setting
    position: Any
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Probe:
    """One thing to read and the text that it should be."""

    wanted: str
    read: Callable[[Scene], str]


Reader = Callable[[Setting, Sequence[str]], Probe]  # of the words behind an expectation's first


def seen(scene: Scene, seer: str) -> Scene:
    """What a seat may see of a scene."""
    public = scene.game.rules.cards_visibility == CardVisibility.PUBLIC
    told = (seen_by(event, seer, public_hands=public) for event in scene.events)
    events = tuple(event for event in told if event is not None)
    return Scene(scene.game, scene.setting, scene.game.view(seer), events)


def number_word(number: int) -> str:
    return HIDDEN_WORD if number == HIDDEN else str(int(number))


def names_word(names: Iterable[str]) -> str:
    return " ".join(sorted(names)) or NONE_WORD


def place_word(setting: Setting, t: int) -> str:
    return NONE_WORD if t == NONE else setting.territories[t]


def arguments(words: Sequence[str], count: int, form: str) -> Sequence[str]:
    if len(words) != count:
        raise trouble("expectation", f"Expected `expect {form}`.")
    return words


def wanted_number(word: str) -> str:
    return HIDDEN_WORD if word.lower() == HIDDEN_WORD else str(whole_number(word))


def nothing(words: Sequence[str]) -> bool:
    """Whether words say that there is nothing."""
    return len(words) == 1 and words[0].lower() in NOBODY


def seat_number(word: str, name: str) -> Reader:
    """`WORD COLOUR NUMBER` for a field that has one number a seat."""

    def probe(setting: Setting, words: Sequence[str]) -> Probe:
        colour, number = arguments(words, 2, f"{word} COLOUR NUMBER")
        seat = setting.seat(colour)
        return Probe(
            wanted_number(number), lambda scene: number_word(getattr(scene.position, name)[seat])
        )

    return probe
