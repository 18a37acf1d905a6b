"""Hears that something happened in a game, in a thread of its own; the game is then looked at."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from rubicon.client import ApiError, Client

RETRY = 1.0  # seconds until the next attempt while the server is away
AWAY = (0, 502, 503, 504)  # answers of a server, or of what stands before it, that is not there
SILENCE = 45.0  # seconds; a stream sends something every 20
LOOK = 10.0  # seconds after which a game is looked at without any news


class News:
    """News of one game; `wait` returns when there are any.

    That the server does not answer is news, too, and so is that it answers again.
    """

    def __init__(self, client: Client, game: str) -> None:
        self.client, self.game = client, game
        self.client.attempts = 1  # so that it is known at once
        self.client.timeout = SILENCE
        self._away = False
        self.on_news: Callable[[], None] = lambda: None
        self._news = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"news {game}", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no longer."""
        self._stopped.set()
        self._news.set()
        with suppress(Exception):
            self.client.hang_up()

    def wait(self, longest: float = LOOK) -> None:
        """Wait for news, or for so long that it is time to look."""
        self._news.wait(longest)
        self._news.clear()

    def tell(self) -> None:
        """There is news."""
        self._news.set()
        self.on_news()

    def _note(self, *, away: bool) -> None:
        if away != self._away:
            self._away = away
            self.tell()

    def _run(self) -> None:
        after = ""
        while not self._stopped.is_set():
            opened = False
            try:
                for event in self.client.events(self.game, after=after, opened=True):
                    if event["kind"] == "opened":
                        opened = True
                        self._note(away=False)
                    else:
                        after = event["cursor"]
                        self.tell()
                    if self._stopped.is_set():
                        return
                if not opened:  # something took the connection, and let it fall
                    self._note(away=True)
            except ApiError as error:
                if self._stopped.is_set():
                    return
                self._note(away=error.status in AWAY)
            self._stopped.wait(RETRY)
