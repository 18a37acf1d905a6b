"""What a seat hands in, and what it gets for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rubicon.table.lines import NO_DUTY

LONGEST_TEXT = 65_536


@dataclass(frozen=True, slots=True)
class Submission:
    """A text of orders, or one decision in the words of docs/notation.md, for a duty."""

    game: str
    seat: str
    duty: int
    text: str
    orders: bool = False  # a text of orders; else one decision


@dataclass(frozen=True, slots=True)
class Answered:
    """Which seat's act led to the entries from `first` on."""

    seat: str
    duty: int = NO_DUTY
    first: int = 0
    orders: bool = False


class Status(StrEnum):
    """How far a submission came."""

    DONE = "done"  # all of it was carried out, or could not be and that is said
    PAUSED = "paused"  # a decision is owed that the orders leave open
    WAITING = "waiting"  # somebody else decides first
    DICE = "dice"  # the dice have not answered yet


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an act: the entries `first` to `last`, and what is asked now.

    The same submission for the same duty gets the same entries for ever; `status` and `duty` say
    how it stands when it is asked.
    """

    game: str
    seat: str
    answered: int  # the duty that was answered; -1 for none
    first: int
    last: int
    status: Status
    duty: int | None  # what is asked of the seat now
    reason: str = ""  # why orders stopped
    notes: tuple[str, ...] = ()  # what of the orders could not be done
    passed_over: tuple[str, ...] = ()  # what of their text was taken for no order
