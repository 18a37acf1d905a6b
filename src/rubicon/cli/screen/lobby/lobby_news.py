"""What a server says of its tables, asked for again and again in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from rubicon.cli.hosted.listing import Listing, listing_of
from rubicon.cli.hosted.news import RETRY
from rubicon.cli.hosted.session import PASSING
from rubicon.cli.hosted.waiting_room import INTERVAL, invite_lines
from rubicon.client import ApiError, Client
from rubicon.client.answer_types import ChatAnswer, RoomAnswer
from rubicon.client.answers import of_type
from rubicon.wording import printable

LOOK = 5.0  # seconds between two looks at the lists
MOST_CHAT = 100  # lines that are kept


@dataclass(frozen=True, slots=True)
class Room:
    """A table that has not started: its seats, how others come, its last chat lines."""

    table: RoomAnswer
    invites: tuple[str, ...] = ()
    chat: tuple[ChatAnswer, ...] = ()


class LobbyNews:
    """The lists, or the table `game`, as the server told them last.

    `trouble` says why they are older than that, `seen` when they were told. What was seen stays.
    """

    def __init__(self, client: Client, changed: Callable[[], None]) -> None:
        self.client, self.changed = client, changed
        self.client.attempts = 1  # so that it is known at once
        self.game = ""
        self.listing = Listing()
        self.room: Room | None = None
        self.trouble = ""
        self.away = False
        self.seen = 0.0  # seconds since 1970; 0 before the first answer
        self.looks = 0
        self.room_changed: Callable[[], None] = lambda: None
        self._wanted = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lobby news", daemon=True)

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more; an answer that is waited for is not."""
        self._stopped.set()
        self._wanted.set()

    def look(self) -> None:
        """Ask at once."""
        self._wanted.set()

    def at(self, game: str) -> None:
        """Look at a table; at the lists with ""."""
        if game != self.game:
            self.game, self.room = game, None
        self.look()

    def _run(self) -> None:
        while not self._stopped.is_set():
            game = self.game
            self._wanted.clear()
            try:
                self._ask(game)
            except ApiError as error:
                self.away = error.status in PASSING
                message = printable(str(error.body.get("message") or error.code))
                self.trouble = message
                if not self.away and game:
                    self.room_changed()  # the prompt finds out why the table cannot be seen
            else:
                self.trouble, self.away, self.seen = "", False, time.time()
            self.looks += 1
            self.changed()
            self._wanted.wait(RETRY if self.trouble else INTERVAL if game else LOOK)
        self.client.close()

    def _ask(self, game: str) -> None:
        if not game:
            self.listing = listing_of(self.client)
            return
        before = self.room
        room = self._room(game, before)
        if game != self.game:
            return
        self.room = room
        if before is None or before.table != room.table:
            self.room_changed()

    def _room(self, game: str, before: Room | None) -> Room:
        table = of_type(self.client.table(game), RoomAnswer)
        chat = before.chat if before is not None else ()
        if table["your_seat"] is not None:
            after = chat[-1]["id"] if chat else 0
            lines = of_type(self.client.chat(game, after=after), list[ChatAnswer])
            new = [line for line in lines if line["id"] > after]
            chat = (*chat, *new)[-MOST_CHAT:]
        if before is not None and before.table == table:
            return Room(table, before.invites, chat)
        invites = invite_lines(self.client, game) if table["you_host"] else []
        return Room(table, tuple(invites), chat)
