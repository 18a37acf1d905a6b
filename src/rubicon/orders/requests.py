"""Requests to the table or its game master beside the orders: frozen values with exact texts.

Requests answer no decision and never change the board; each interface carries them out.
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
    LEGAL = "LEGAL"  # list the possible decisions
    HAND = "HAND"  # the seat's cards, mission and rewards
    RULES = "RULES"
    PREVIEW = "PREVIEW"  # compute the odds of this text, and do nothing
    CLEAR = "CLEAR"  # delete orders that wait
    WAIT = "WAIT"  # keep the turn open although the orders are in
    UNDO = "UNDO"


ABOUT_TERRITORIES = (Ask.MAP, Ask.LEGAL)  # these may name a territory


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A request of one word; MAP and LEGAL may name a territory."""

    ask: Ask
    territory: str | None = None

    def __str__(self) -> str:
        return f"{self.ask} {self.territory}" if self.territory else str(self.ask)


@dataclass(frozen=True, slots=True)
class HistoryRequest:
    """The last `entries` events; None: those since the seat's last turn."""

    entries: int | None = None

    def __str__(self) -> str:
        return "HISTORY" if self.entries is None else f"HISTORY {self.entries}"


@dataclass(frozen=True, slots=True)
class HelpRequest:
    """Help about orders, or about one word."""

    word: str | None = None

    def __str__(self) -> str:
        return f"HELP {self.word}" if self.word else "HELP"


@dataclass(frozen=True, slots=True)
class AbsenceRequest:
    """The player is away from the first to the last day (`2026-12-24`); a bot may play."""

    first: str
    last: str
    bot: str | None = None

    def __str__(self) -> str:
        return f"ABSENCE {self.first} {self.last}" + (f" BOT {self.bot}" if self.bot else "")


class Motion(StrEnum):
    """What players can vote for."""

    DRAW = "DRAW"
    PAUSE = "PAUSE"
    EXTEND = "EXTEND"


@dataclass(frozen=True, slots=True)
class VoteRequest:
    """A vote for a motion; a vote for a draw counts only with CONFIRM."""

    motion: Motion
    confirmed: bool = False

    def __str__(self) -> str:
        return f"VOTE {self.motion}" + (CONFIRM if self.confirmed else "")


@dataclass(frozen=True, slots=True)
class ResignRequest:
    """Leave the game; counts only with CONFIRM."""

    confirmed: bool = False

    def __str__(self) -> str:
        return "RESIGN" + (CONFIRM if self.confirmed else "")


@dataclass(frozen=True, slots=True)
class ConfirmRequest:
    """The one-time code that confirms an earlier request."""

    code: str

    def __str__(self) -> str:
        return f"CONFIRM {self.code}"


@dataclass(frozen=True, slots=True)
class PressRequest:
    """A message to a seat's colour, to ALL or to GM; `text` keeps its lines."""

    to: str
    text: str

    def __str__(self) -> str:
        head = f"PRESS TO {self.to}"
        return "\n".join([head, self.text, "ENDPRESS"] if self.text else [head, "ENDPRESS"])


class MasterAct(StrEnum):
    """Requests of the game master only."""

    PROCESS = "PROCESS"  # apply the timeout policy to missing players now
    FORK = "FORK"  # start a new game from a log index of this one
    EXTEND = "EXTEND"  # add hours to the deadline
    REPLACE = "REPLACE"  # free a seat for another player
    BOT = "BOT"  # let a bot play a seat
    ANNOUNCE = "ANNOUNCE"  # send a message to all players


@dataclass(frozen=True, slots=True)
class MasterRequest:
    """A request of the game master; the act decides which of the fields are set.

    FORK has `number` (a log index), EXTEND `number` (hours), REPLACE `seat`, BOT `seat` and
    `words` (the bot), ANNOUNCE `words`. REPLACE and FORK count only with CONFIRM.
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
