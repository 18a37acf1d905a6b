"""Messages of a queue whose rows cannot be read: each fails on its own, as the others are sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

MessageT = TypeVar("MessageT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A message whose rows cannot be read; it waits and is given up like one that fails."""

    rows: tuple[int, ...]  # the ids
    at: int  # when what it says happened, in milliseconds since 1970
    fields: Mapping[str, object]  # for the log
    error: Exception


def read_message(
    rows: tuple[int, ...], at: int, fields: Mapping[str, object], read: Callable[[], MessageT]
) -> MessageT | Unreadable:
    """A message as `read` makes it of its rows, which were loaded before: it asks no database.

    Each on its own: one that cannot be read must not keep back the other messages of its queue.
    """
    try:
        return read()
    except Exception as error:
        return Unreadable(rows=rows, at=at, fields=fields, error=error)
