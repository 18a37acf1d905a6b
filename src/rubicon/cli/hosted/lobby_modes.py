"""The lobby of a server line by line, and on the full screen."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol

from rubicon.cli.hosted.lobby import LobbyPrompt, table_of
from rubicon.cli.hosted.visit import Visit
from rubicon.cli.screen.start import choose_on_screen
from rubicon.cli.terminal.commands import Quit
from rubicon.cli.terminal.options import PlayOptions
from rubicon.client import ApiError, Client
from rubicon.client.answers import answer_field


class AnyLobby(Protocol):
    """Where a person chooses a game, and waits until it starts."""

    comes_back: bool  # whether the person comes back here from a game that was chosen here

    def choose(self, visit: Visit, client: Client, options: PlayOptions) -> tuple[str, bool]:
        """The game that is chosen, and whether only to watch it; Quit if the person leaves."""
        ...

    def entered(self, visit: Visit, client: Client, options: PlayOptions, game: str) -> str:
        """The same game, where the person waits until it starts."""
        ...


class LineLobby:
    """Line by line; who opens a game waits there."""

    comes_back = False

    def choose(self, visit: Visit, client: Client, options: PlayOptions) -> tuple[str, bool]:
        """Ask at the prompt."""
        return LobbyPrompt(client, visit.keyboard, visit.output).choose()

    def entered(self, visit: Visit, client: Client, options: PlayOptions, game: str) -> str:
        """The game: whoever opens it waits."""
        return game


class ScreenLobby:
    """On the full screen."""

    def __init__(self) -> None:
        self.comes_back, self.name = False, ""

    def choose(self, visit: Visit, client: Client, options: PlayOptions) -> tuple[str, bool]:
        """Show the tables."""
        self.comes_back = True
        return self._shown(visit, client, options, "")

    def entered(self, visit: Visit, client: Client, options: PlayOptions, game: str) -> str:
        """Show the table until its game starts."""
        if table_of(client, game)["state"] == "lobby":
            game, _ = self._shown(visit, client, options, game)
        return game

    def _shown(
        self, visit: Visit, client: Client, options: PlayOptions, game: str
    ) -> tuple[str, bool]:
        from rubicon.cli.screen.lobby.lobby_story import LobbyStory  # loads Textual

        with suppress(ApiError):  # the screen says that the server is away
            self.name = self.name or answer_field(client.me(), "name", str)
        story = LobbyStory(visit, client, lambda: None, game)
        chosen = choose_on_screen(story, options.theme, self.name)
        if chosen is None:
            raise Quit
        return chosen
