"""What a program reads of the server's answers; every answer has more, and may have more yet."""

from __future__ import annotations

from typing import Any, TypedDict


class SeatAnswer(TypedDict):
    """A seat of a running game."""

    colour: str
    name: str
    bot: str | None


class GameAnswer(TypedDict):
    """The state of a game for one seat; `text` is its position in one line."""

    you: str | None
    seats: list[SeatAnswer]
    index: int
    decision: int | None
    deadlines: dict[str, int | None]
    now: int
    result: str | None
    text: str


class EventAnswer(TypedDict):
    """A line of the event log."""

    index: int
    kind: str
    body: Any


class ChatAnswer(TypedDict):
    """A line of the chat; `to` is "" for all, `seat` "" where its author has left."""

    id: int
    seat: str
    to: str
    text: str


class TableSeatAnswer(TypedDict):
    """A seat of a table."""

    name: str
    free: bool


class PlaceAnswer(TableSeatAnswer):
    """A seat of a table with its colour, and who sits there."""

    colour: str
    bot: str | None
    host: bool


class ListedAnswer(TypedDict):
    """A table in any list."""

    id: str
    title: str
    state: str
    your_seat: str | None
    you_host: bool


class TableAnswer(ListedAnswer):
    """A table, as it is told line by line."""

    board: str
    seats: list[TableSeatAnswer]


class RoomAnswer(ListedAnswer):
    """A table before its game starts."""

    ruleset: str
    board: str
    seats: list[PlaceAnswer]


class RulesAnswer(TypedDict):
    """The rules of a table in a search."""

    name: str
    title: str
    board: str


class ClockAnswer(TypedDict):
    """The clock of a table: `none`, `live` or `days`; seconds for a decision."""

    kind: str
    decision_time: int


class MoveAnswer(TypedDict):
    """A seat that must decide, and until when, in milliseconds since 1970."""

    colour: str
    until: int | None


class ProgressAnswer(TypedDict):
    """How far a running game is, and for whom it waits."""

    round: int
    phase: str
    moving: list[MoveAnswer]
    paused: bool


class FoundAnswer(ListedAnswer):
    """A table that a search finds."""

    ruleset: RulesAnswer
    clock: ClockAnswer
    seats: list[PlaceAnswer]
    needs_you: bool
    game: ProgressAnswer | None


class InviteAnswer(TypedDict):
    """The invite links of a table."""

    url: str | None
    email: str | None
    seats: dict[str, str] | None
