"""Requests of the game master: a line of the log each, which every player can read.

`MasterOrder` is a request as the table carries it out; `order_of` makes one of what the language of
orders has (docs/orders.md), whose word `UNDO` everybody shares.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rubicon.orders.requests import Ask, AskRequest, MasterAct, MasterRequest
from rubicon.table.errors import TableError
from rubicon.table.storage.event_log import LineKind, LogLine

MOST_HOURS = 14 * 24  # of one request
MOST_WORDS = 500  # characters of an announcement
MOST_BANNER = 140


class MasterWord(StrEnum):
    """What the game master can ask for; the comment says what stands behind the word."""

    EXTEND = "EXTEND"  # hours: more time for every pending decision
    PROCESS = "PROCESS"  # a bot plays for all whose time is over
    BOT = "BOT"  # a seat and a bot, which plays until the player takes the seat back
    REPLACE = "REPLACE"  # a seat: it is free for another player, and a bot plays it until then
    UNDO = "UNDO"  # the last decision is taken back, never past dice or a secret
    ANNOUNCE = "ANNOUNCE"  # words to all players
    BANNER = "BANNER"  # words above the pages of the game; without words there are none
    FORK = "FORK"  # a log index: proposes to all players to begin a new game from there


@dataclass(frozen=True, slots=True)
class MasterOrder:
    """One request; its text is that of its line in the log."""

    word: MasterWord
    seat: str = ""
    number: int = 0
    words: str = ""

    def __str__(self) -> str:
        match self.word:
            case MasterWord.EXTEND:
                return f"EXTEND {self.number} HOURS"
            case MasterWord.FORK:
                return f"FORK {self.number}"
            case _:
                return " ".join(part for part in (self.word.value, self.seat, self.words) if part)


@dataclass(slots=True)
class MasterState:
    """What requests of the game master have changed in a game, beside its clocks."""

    order: MasterOrder | None = None  # the request that the next lines of the log carry out
    banner: str = ""  # the line above the pages of the game
    # Seats that wait for another player: a bot plays them until somebody takes them back.
    freed: set[str] = field(default_factory=set)

    @property
    def takes_back(self) -> bool:
        """Whether the game master has just asked to take the last decision back."""
        return self.order is not None and self.order.word is MasterWord.UNDO


def read_order(text: str) -> MasterOrder:
    """The request of a line of the log; TableError `master/unreadable` for any other text."""
    head, _, rest = text.partition(" ")
    try:
        word = MasterWord(head)
        match word:
            case MasterWord.EXTEND:
                order = MasterOrder(word, number=int(rest.removesuffix(" HOURS")))
            case MasterWord.FORK:
                order = MasterOrder(word, number=int(rest))
            case MasterWord.BOT | MasterWord.REPLACE:
                seat, _, words = rest.partition(" ")
                order = MasterOrder(word, seat, words=words)
            case _:
                order = MasterOrder(word, words=rest)
    except ValueError as error:
        raise _unreadable(text) from error
    if str(order) != text:
        raise _unreadable(text)
    return order


def announced(line: LogLine) -> str:
    """The words that a line of the log announces to all players; "" for any other line."""
    if line.kind is not LineKind.MASTER:
        return ""
    order = read_order(line.text)
    return order.words if order.word is MasterWord.ANNOUNCE else ""


def order_of(request: MasterRequest | AskRequest) -> MasterOrder:
    """What a request of the language asks for.

    TableError `master/unconfirmed` for one that counts only with CONFIRM, and `master/unknown` for
    a request that is not the game master's.
    """
    if isinstance(request, AskRequest):
        if request.ask is not Ask.UNDO:
            message = f"{request} is no request of the game master."
            raise TableError("master/unknown", message, f"There are: {', '.join(MasterWord)}.")
        return MasterOrder(MasterWord.UNDO)
    if request.act in (MasterAct.REPLACE, MasterAct.FORK) and not request.confirmed:
        message = f"{request} counts only with CONFIRM: nothing was done."
        raise TableError("master/unconfirmed", message, f"Write: {request} CONFIRM")
    word = MasterWord(request.act.value)
    return MasterOrder(word, request.seat or "", request.number or 0, request.words or "")


def _unreadable(text: str) -> TableError:
    message = f"{text[:40]!r} is no request of the game master."
    return TableError("master/unreadable", message, "The log is damaged: restore a backup.")
