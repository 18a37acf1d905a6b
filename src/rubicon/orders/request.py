"""What is asked of the table or its master beside the orders of a turn: frozen values with texts.

Requests answer no duty and never change the board by themselves; the doors carry them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

CONFIRM = " CONFIRM"


class Ask(StrEnum):
    """Requests of one word."""

    STATUS = "STATUS"
    MAP = "MAP"
    PREVIEW = "PREVIEW"  # say the odds of this text, and do nothing
    CLEAR = "CLEAR"  # forget orders that wait
    WAIT = "WAIT"  # hold the turn open though the orders are in
    UNDO = "UNDO"


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A request of one word."""

    ask: Ask

    def __str__(self) -> str:
        return str(self.ask)


@dataclass(frozen=True, slots=True)
class HistoryRequest:
    """What happened; `entries` None: since one's own last turn."""

    entries: int | None = None

    def __str__(self) -> str:
        return "HISTORY" if self.entries is None else f"HISTORY {self.entries}"


@dataclass(frozen=True, slots=True)
class HelpRequest:
    """How to write orders, or one of them."""

    word: str | None = None

    def __str__(self) -> str:
        return f"HELP {self.word}" if self.word else "HELP"


@dataclass(frozen=True, slots=True)
class AbsenceRequest:
    """Away from the first to the last of these days (`2026-12-24`), played by a bot meanwhile."""

    first: str
    last: str
    bot: str | None = None

    def __str__(self) -> str:
        return f"ABSENCE {self.first} {self.last}" + (f" BOT {self.bot}" if self.bot else "")


class Motion(StrEnum):
    """What may be voted for."""

    DRAW = "DRAW"
    PAUSE = "PAUSE"
    EXTEND = "EXTEND"


@dataclass(frozen=True, slots=True)
class VoteRequest:
    """A vote for a motion; for a draw it counts only when confirmed."""

    motion: Motion
    confirmed: bool = False

    def __str__(self) -> str:
        return f"VOTE {self.motion}" + (CONFIRM if self.confirmed else "")


@dataclass(frozen=True, slots=True)
class ResignRequest:
    """Leave the game; counts only when confirmed."""

    confirmed: bool = False

    def __str__(self) -> str:
        return "RESIGN" + (CONFIRM if self.confirmed else "")


@dataclass(frozen=True, slots=True)
class ConfirmRequest:
    """The one-time code that confirms what was asked before."""

    code: str

    def __str__(self) -> str:
        return f"CONFIRM {self.code}"


@dataclass(frozen=True, slots=True)
class PressRequest:
    """A message to a seat's colour, to ALL or to GM; `text` is kept line by line."""

    to: str
    text: str

    def __str__(self) -> str:
        return (
            f"PRESS TO {self.to}\n{self.text}\nENDPRESS"
            if self.text
            else (f"PRESS TO {self.to}\nENDPRESS")
        )


class MasterAct(StrEnum):
    """What only the game master may ask."""

    PROCESS = "PROCESS"  # go on without those who are silent
    FORK = "FORK"  # a new game from an entry of this one
    EXTEND = "EXTEND"  # more hours for the deadline
    REPLACE = "REPLACE"  # free a seat for somebody else
    BOT = "BOT"  # let a bot play a seat
    ANNOUNCE = "ANNOUNCE"  # say something to all


@dataclass(frozen=True, slots=True)
class MasterRequest:
    """A command of the game master; which of the fields is set depends on the act.

    FORK has `number` (an entry), EXTEND `number` (hours), REPLACE `seat`, BOT `seat` and `words`
    (the bot), ANNOUNCE `words`. REPLACE and FORK count only when confirmed.
    """

    act: MasterAct
    seat: str | None = None
    number: int | None = None
    words: str | None = None
    confirmed: bool = False

    def __str__(self) -> str:
        number = None if self.number is None else str(self.number)
        if self.act is MasterAct.EXTEND:
            number = f"{number} HOURS"
        parts = (str(self.act), self.seat, number, self.words)
        text = " ".join(part for part in parts if part is not None)
        return text + (CONFIRM if self.confirmed else "")


Request: TypeAlias = (
    AskRequest
    | HistoryRequest
    | HelpRequest
    | AbsenceRequest
    | VoteRequest
    | ResignRequest
    | ConfirmRequest
    | PressRequest
    | MasterRequest
)
