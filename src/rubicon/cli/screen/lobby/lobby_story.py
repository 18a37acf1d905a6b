"""The lobby of line mode behind a screen: the same prompts, read in a thread of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from rubicon.cli.hosted.lobby import LobbyPrompt
from rubicon.cli.hosted.news import RETRY
from rubicon.cli.hosted.session import PASSING, refused
from rubicon.cli.hosted.visit import Visit, take_part
from rubicon.cli.hosted.waiting_room import START, WaitingRoom
from rubicon.cli.screen.lobby.lobby_news import LobbyNews
from rubicon.cli.screen.story import MOST_REPLIES, AskedKeyboard, HeardOutput, Reply
from rubicon.cli.terminal.commands import Quit
from rubicon.cli.terminal.keyboard import AskAgain
from rubicon.client import ApiError, Client
from rubicon.errors import RubiconError

if TYPE_CHECKING:
    from rubicon.client.answer_types import ListedAnswer, TableAnswer


class LobbyKeyboard(AskedKeyboard):
    """A keyboard whose lines come from the screen; a table that changes ends its question."""

    @staticmethod
    def may_wake(prompt: str) -> bool:
        """Only the question of a table."""
        return prompt == START


class ListedPrompt(LobbyPrompt):
    """The prompt below the lists: they are on the screen, numbered as `listed`."""

    news: LobbyNews

    def show(self) -> None:
        """Look again; the screen shows what comes."""
        self.news.look()


class SeenRoom(WaitingRoom):
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


class LobbyStory:
    """The person at the prompts of a server, until a game is `chosen` or they have `left`.

    `given` is a table that the command line names: whoever leaves it leaves the server.
    """

    def __init__(
        self, visit: Visit, client: Client, changed: Callable[[], None], given: str = ""
    ) -> None:
        self.changed, self.client, self.given = changed, client, given
        self.replies: list[Reply] = []
        self.keyboard = LobbyKeyboard(changed)
        output = HeardOutput.to(visit.output.symbols, self._hear)
        self.visit = replace(visit, keyboard=self.keyboard, output=output)
        self.news = LobbyNews(visit.client(client.token), changed)
        self.news.room_changed = self.keyboard.wake
        self.news.at(given)
        self.prompt = ListedPrompt(client, self.keyboard, output)
        self.prompt.news = self.news
        self.game = given
        self.chosen: tuple[str, bool] | None = None
        self.left = False
        self.failure: BaseException | None = None
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lobby", daemon=True)

    def start(self) -> None:
        """Begin to look and to ask."""
        self.news.start()
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether nothing more will be asked."""
        return self.chosen is not None or self.left or self.failure is not None

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
        self.keyboard.answer(None)

    def _hear(self, reply: Reply) -> None:
        self.replies = [*self.replies[-MOST_REPLIES:], reply]
        self.changed()

    def _run(self) -> None:
        try:
            while self.chosen is None:
                game, watched = (self.game, False) if self.game else self.prompt.choose()
                if watched or self._entered(game):
                    self.chosen = game, watched
        except (Quit, EOFError):
            self.left = True
        except BaseException as error:  # told when the screen is gone
            self.failure = error
        self.news.stop()
        self.changed()

    def _entered(self, game: str) -> bool:
        """Wait at a table until its game starts; False where the person goes back to the lists."""
        self.game = game
        self.news.at(game)
        try:
            take_part(self.visit, self.client, game)
            self._wait_at(game)
        except Quit:
            if game == self.given:
                raise
        except ApiError as error:
            self.visit.output.error(refused(error))
        except RubiconError as error:
            self.visit.output.error(error)
        else:
            return True
        self.game = self.given = ""
        self.news.at("")
        return False

    def _wait_at(self, game: str) -> None:
        room = SeenRoom(self.client, game, self.keyboard, self.visit.output)
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
