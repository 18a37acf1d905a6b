"""Follows one game and gives links, in a thread of its own: an order waits for its own dice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import cast

from rubicon.client.answers import Json
from rubicon.client.dice_part import DicePart
from rubicon.client.errors import ApiError
from rubicon.client.session import ApiSession

RETRY = 2.0  # seconds until the next attempt while the server is away
LOOK = 10.0  # seconds after which the transcript is read again when something happens
AWAY = (0, 408, 409, 429, 500, 502, 503, 504)  # statuses that do not last
JOIN_TIMEOUT = 5.0


class DiceThread:
    """Keeps a part in the dice alive until the game is over, or until `stop`."""

    def __init__(self, session: ApiSession, part: DicePart) -> None:
        self.session, self.part = session, part  # a session of its own: one stream is always open
        self.game = part.game
        self.failure: Exception | None = None
        self.on_failure: Callable[[], None] = lambda: None
        self._stopped = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"dice {self.game}", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, and let go of the connection and the journal."""
        self._stopped.set()
        self.session.hang_up()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(JOIN_TIMEOUT)
        self.part.close()
        self.session.close()

    def wait(self) -> None:
        """Wait until it has ended, or do its work here; what ended it before its time is raised."""
        if self._thread.ident is None:
            self._run()
        self._done.wait()
        self.part.raise_alarm()
        if self.failure is not None:
            raise self.failure

    def _run(self) -> None:
        try:
            while not self._stopped.is_set():
                try:
                    if not self._follow():
                        return
                except ApiError as error:
                    if error.status not in AWAY:
                        raise
                    self._stopped.wait(RETRY)
                self.part.live(False)
        except Exception as error:
            if not self._stopped.is_set():
                self.failure = error
                self.on_failure()
        finally:
            self._done.set()

    def _follow(self) -> bool:
        """Follow the game until the stream ends; False where no more dice follow."""
        try:
            state = cast(Json, self.session.get(f"/games/{self.game}/"))
        except ApiError as error:
            if error.code != "game/not-begun":
                raise
            return self._lobby()
        if state["you"] not in (None, self.part.seat):
            self.part.sit(state["you"])  # exchanged just before the start
        if state["result"] is not None:
            self.part.read()
            return False
        self._look()
        if self.part.client.alarms:
            return False
        stream = self.session.stream(
            "/events", {"games": self.game, "after": f"{self.game}:{state['index']}"}
        )
        return self._listen(stream)

    def _look(self) -> None:
        """Catch up: give a link that waits, join again."""
        self.part.give()
        self.part.open_placement()
        self.part.stay()
        self.part.live(self.part.client.takes_part)

    def _listen(self, stream: Generator[Json, None, None]) -> bool:
        with closing(stream):
            for event in stream:
                if self._stopped.is_set() or self.part.client.alarms:
                    return False
                kind = event["kind"]
                if kind == "link":
                    self.part.give(event["body"]["witness"])
                elif kind in ("over", "fork"):
                    self.part.read()
                    return False
                elif self._concerns(event):
                    self._look()
        return True

    def _concerns(self, event: Json) -> bool:
        """Whether an event may have changed our part, or the last look was long ago."""
        if self.part.unsettled or time.monotonic() - self.part.read_at > LOOK:
            return True
        told = event["body"] if event["kind"] == "events" else ()
        return any(
            (one.get("event") in ("presence", "silent") and one.get("seat") == self.part.seat)
            or one.get("event") == "sealed"  # of any seat: it may have been the last one
            for one in told
        )

    def _lobby(self) -> bool:
        """Wait for the start; our deposit follows us to another seat. False for a closed table."""
        # From the first index on: so a start between two calls is heard too.
        parameters = {"games": self.game, "after": f"{self.game}:0"}
        # The table is read behind the opening: so an exchange of seats between them is heard too.
        stream = self.session.stream("/events", parameters, opened=True)
        with closing(stream):
            while not self._stopped.is_set() and next(stream, None) is not None:
                table = cast(Json, self.session.get(f"/tables/{self.game}"))
                if table["state"] != "lobby":
                    return bool(table["state"] == "running")
                seat = table["your_seat"]
                if seat is not None and seat != self.part.seat:
                    self.part.sit(seat)
                    self.part.deposit()
        return True
