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


class TableAnswer(TypedDict):
    """A table, as lists show it."""

    id: str
    title: str
    board: str
    state: str
    seats: list[TableSeatAnswer]
    your_seat: str | None
    you_host: bool


class InviteAnswer(TypedDict):
    """The invite links of a table."""

    url: str | None
    email: str | None
    seats: dict[str, str] | None
