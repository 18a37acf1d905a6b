"""The state that an expectation reads: a game, the events of the last step, and their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rubicon.casebook.names import NOTHING, CaseContext, whole_number
from rubicon.casebook.parser import case_error
from rubicon.engine.records.position import HIDDEN, NONE, Position
from rubicon.rules.events import Event, seen_by
from rubicon.rules.game.game import Game

HIDDEN_WORD = "hidden"
NONE_WORD = "none"


@dataclass(slots=True)
class CaseView:
    """A game and the position to read: the game's own, or what a seat sees."""

    game: Game
    context: CaseContext
    position: Position
    events: Sequence[Event] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """How one value is read as text, and the text that is wanted."""

    wanted: str
    read: Callable[[CaseView], str]


CheckReader = Callable[
    [CaseContext, Sequence[str]], Check
]  # of the words after an expectation's first


def seen(view: CaseView, seer: str) -> CaseView:
    """What a seat may see of a view."""
    told = (seen_by(event, seer, view.game.ruleset) for event in view.events)
    events = tuple(event for event in told if event is not None)
    return CaseView(view.game, view.context, view.game.view(seer), events)


def number_word(number: int) -> str:
    return HIDDEN_WORD if number == HIDDEN else str(int(number))


def names_word(names: Iterable[str]) -> str:
    return " ".join(sorted(names)) or NONE_WORD


def place_word(context: CaseContext, t: int) -> str:
    return NONE_WORD if t == NONE else context.territories[t]


def arguments(words: Sequence[str], count: int, form: str) -> Sequence[str]:
    if len(words) != count:
        raise case_error("expectation", f"Expected `expect {form}`.")
    return words


def wanted_number(word: str) -> str:
    return HIDDEN_WORD if word.lower() == HIDDEN_WORD else str(whole_number(word))


def nothing(words: Sequence[str]) -> bool:
    """Whether the words are one of `none`, `nothing`, `nobody` and `-`."""
    return len(words) == 1 and words[0].lower() in NOTHING


def seat_number(word: str, name: str) -> CheckReader:
    """`WORD COLOUR NUMBER` for a field that has one number a seat."""

    def check(context: CaseContext, words: Sequence[str]) -> Check:
        colour, number = arguments(words, 2, f"{word} COLOUR NUMBER")
        seat = context.seat(colour)
        return Check(
            wanted_number(number), lambda view: number_word(getattr(view.position, name)[seat])
        )

    return check
