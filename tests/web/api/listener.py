"""A live stream that a test reads in its own thread."""

from __future__ import annotations

import json
import time
from typing import Any

from tests.web.conftest import RunningServer

SOON = 30.0  # seconds


class Listener:
    """One stream; `received` is every byte that came, `cursor` the latest one."""

    def __init__(
        self, server: RunningServer, token: str, games: str = "", after: str = "", **more: str
    ) -> None:
        self._http = server.http()
        asked = {"games": games, "after": after} | more
        headers = {"authorization": f"Bearer {token}"} if token else {}
        request = self._http.build_request("GET", "/api/v1/events", params=asked, headers=headers)
        self._response = self._http.send(request, stream=True)
        assert self._response.status_code == 200
        self._lines = self._response.iter_lines()
        self.cursor = after
        self.received = ""

    def until(self, kind: str) -> list[dict[str, Any]]:
        """The events up to one of a kind (`end`: up to the end of the stream) with its cursor."""
        events: list[dict[str, Any]] = []
        latest = time.monotonic() + SOON
        for line in self._lines:
            assert time.monotonic() < latest, events
            self.received += f"{line}\n"
            if line.startswith("id: "):
                self.cursor = line[4:]
                if any(event["kind"] == kind for event in events):
                    return events
            elif line.startswith("data: "):
                events.append(json.loads(line[6:]))
        assert kind == "end", events
        return events

    def up_to(self, index: int) -> list[dict[str, Any]]:
        """The events up to an index of the log."""
        events = self.until("events")
        while events[-1]["index"] < index:
            events += self.until("events")
        return events

    def close(self) -> None:
        """Leave."""
        self._response.close()
        self._http.close()
