"""The lobby's prompts and news, each in its own thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rubicon.cli.hosted import lobby
from rubicon.cli.hosted.session import PASSING, RETRY, refused
from rubicon.cli.screen.prompts import ScreenPrompts
from rubicon.cli.terminal.commands import Quit
from rubicon.cli.terminal.console import AskAgain
from rubicon.client import ApiError, Client
from rubicon.client.answers import ChatAnswer, RoomAnswer, of_type
from rubicon.errors import RubiconError
from rubicon.wording import printable

if TYPE_CHECKING:
    from rubicon.client.answers import ListedAnswer, TableAnswer


# What a server says of its tables, asked for again and again in its own thread.

LOOK = 5.0  # seconds between two looks at the lists
MOST_CHAT = 100  # lines that are kept


@dataclass(frozen=True, slots=True)
class Room:
    """A table that has not started: its seats, how others come, its last chat lines."""

    table: RoomAnswer
    invites: tuple[str, ...] = ()
    chat: tuple[ChatAnswer, ...] = ()


class LobbyNews:
    """The lists, or the table `game`, as the server last sent them.

    `trouble` says why they are older than that, `seen` when they came. What was seen stays.
    """

    def __init__(self, client: Client, changed: Callable[[], None]) -> None:
        self.client, self.changed = client, changed
        # One attempt: the server is asked again soon anyway, and a failure is shown at once.
        self.client.attempts = 1
        self.game = ""
        self.listing = lobby.Listing()
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
        """Stop asking; a pending answer is not."""
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
            self._wanted.wait(RETRY if self.trouble else lobby.INTERVAL if game else LOOK)
        self.client.close()

    def _ask(self, game: str) -> None:
        if not game:
            self.listing = lobby.listing_of(self.client)
            return
        before = self.room
        room = self._room(game, before)
        # The person has gone to another table while the server answered.
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
        invites = lobby.invite_lines(self.client, game) if table["you_host"] else []
        return Room(table, tuple(invites), chat)


# The lobby of line mode on a screen: the same prompts, in their own thread.


class ListedPrompt(lobby.TablesPrompt):
    """The prompt below the lists: they are on the screen, numbered as `listed`."""

    news: LobbyNews

    def show(self) -> None:
        """Look again; the screen shows what comes."""
        self.news.look()


class SeenRoom(lobby.WaitingRoom):
    """The prompt of a table whose seats are on the screen; all who wait there may type."""

    def tell(self, table: TableAnswer) -> None:
        """The screen shows it."""

    def pause(self, table: TableAnswer) -> None:
        """Ask, until a line comes or the table changes."""
        with suppress(AskAgain):
            self.ask()

    def wait(self) -> None:
        """The screen shows who comes, all the time."""
        self.output.prose("The seats above are those of now: you see who comes.")


class LobbyPrompts(ScreenPrompts):
    """The person at the prompts of a server, until a game is `chosen` or they have `left`.

    `given` is a table that the command line names: whoever leaves it leaves the server.
    """

    def __init__(self, visit: lobby.Visit, client: Client, given: str = "") -> None:
        super().__init__(visit.output, lambda prompt: prompt == lobby.START)
        self.client, self.given = client, given
        self.visit = replace(visit, keyboard=self.keyboard, output=self)
        self.news = LobbyNews(visit.client(client.token), self.notify)
        self.news.room_changed = self.keyboard.wake
        self.news.at(given)
        self.prompt = ListedPrompt(client, self.keyboard, self)
        self.prompt.news = self.news
        self.game = given
        self.chosen: tuple[str, bool] | None = None
        self._leaving = threading.Event()

    def start(self) -> None:
        """Begin to look and to ask."""
        self.news.start()
        super().start()

    @property
    def ended(self) -> bool:
        """Whether nothing more will be asked."""
        return self.chosen is not None or super().ended

    @property
    def asked(self) -> bool:
        """Whether a line is waited for."""
        return bool(self.keyboard.question)

    def send(self, line: str, listed: Sequence[ListedAnswer]) -> None:
        """Give a line to the prompt; a number is one of the tables that are `listed`."""
        self.replies = []
        self.prompt.listed = listed
        self.keyboard.answer(line)

    def leave(self) -> None:
        """Leave the server; what is waited for just now comes to nothing."""
        self._leaving.set()
        self.news.stop()
        super().leave()

    def play(self) -> None:
        """Ask until a game is chosen."""
        try:
            while self.chosen is None:
                game, watched = (self.game, False) if self.game else self.prompt.choose()
                if watched or self._entered(game):
                    self.chosen = game, watched
        finally:
            self.news.stop()

    def _entered(self, game: str) -> bool:
        """Wait at a table until its game starts; False where the person goes back to the lists."""
        self.game = game
        self.news.at(game)
        try:
            lobby.take_part(self.visit, self.client, game)
            self._wait_at(game)
        except Quit:
            if game == self.given:
                raise
        except ApiError as error:
            self.error(refused(error))
        except RubiconError as error:
            self.error(error)
        else:
            return True
        self.game = self.given = ""
        self.news.at("")
        return False

    def _wait_at(self, game: str) -> None:
        room = SeenRoom(self.client, game, self.keyboard, self)
        while not self._leaving.is_set():
            try:
                for _ in room.until_started():
                    pass
            except ApiError as error:
                if error.status not in PASSING:
                    raise
                self._leaving.wait(RETRY)
            else:
                return
        raise EOFError
