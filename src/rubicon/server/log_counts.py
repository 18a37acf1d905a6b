"""How often each warning and error was logged since the start, for the administrator."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from dataclasses import dataclass

MAX_EVENTS = 100  # different ones; the one that was logged longest ago is forgotten first
LOGGER = "rubicon"


@dataclass(slots=True)
class LoggedEvent:
    """An event of the log; `last` in milliseconds since 1970."""

    event: str
    level: str
    count: int
    last: int


class LogCounts(logging.Handler):
    """Counts what Rubicon logs as a warning or worse, by its event: a text without variables."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._events: OrderedDict[tuple[str, str], LoggedEvent] = OrderedDict()
        self._guard = threading.Lock()

    def attach(self) -> None:
        """Count from now on."""
        logging.getLogger(LOGGER).addHandler(self)

    def detach(self) -> None:
        """Count no more."""
        logging.getLogger(LOGGER).removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Count one line."""
        level, event = record.levelname.lower(), str(record.msg)
        with self._guard:
            found = self._events.setdefault((level, event), LoggedEvent(event, level, 0, 0))
            found.count += 1
            found.last = int(record.created * 1000)
            self._events.move_to_end((level, event))
            while len(self._events) > MAX_EVENTS:
                self._events.popitem(last=False)

    def events(self) -> list[LoggedEvent]:
        """All events, the last one first."""
        with self._guard:
            return [
                LoggedEvent(each.event, each.level, each.count, each.last)
                for each in reversed(self._events.values())
            ]
