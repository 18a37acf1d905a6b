"""A server with the built app in a process of its own, and people who visit it in a browser.

def test_the_map_is_shown(visitor: Visitor) -> None:
    visitor().play_now()
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

from rubicon.client import Client
from tests.browser.app.built import built_app
from tests.browser.app.person import Person
from tests.browser.conftest import NewPage
from tests.browser.faults import Faults
from tests.browser.screen import DESKTOP, Screen
from tests.web.conftest import ServerProcess, start, stop

DEALT = {"setup.claim": "random", "setup.armies": "2:20 3:16 4:14 5:12 6:12"}  # a quick set-up

IN_FLIGHT = r"ERR_(CONNECTION|INCOMPLETE|EMPTY)"  # requests that a killed server did not answer


class Visitor(Protocol):
    """Brings a person to the server, in a browser context of their own."""

    def __call__(self, client: Client | None = None, screen: Screen = DESKTOP) -> Person:
        """The owner of an account, or without one a stranger, at a page that is still empty."""


class Guest(Protocol):
    """Makes a guest account by the API."""

    def __call__(self, name: str) -> Client:
        """A client with the account."""


class Opened(NamedTuple):
    """A game that has begun."""

    id: str
    invite: str


class OpenGame(Protocol):
    """Opens a table of guests and bots by the API, and starts it."""

    def __call__(
        self, *people: Client, bots: int = 0, bot: str = "peaceful", **table: Any
    ) -> Opened:
        """A game on the small board; the first of the people is the host."""


@pytest.fixture(scope="package")
def app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for the tests of a worker that do not kill it."""
    built_app()
    server = start(tmp_path_factory.mktemp("app"))
    yield server
    assert stop(server) == 0
    assert "Traceback" not in server.output, server.output


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[list[ServerProcess]]:
    """Servers one after the other, with the same database and port; the last one runs."""
    built_app()
    started = [start(tmp_path)]
    yield started
    assert stop(started[-1]) == 0


@pytest.fixture
def visitor(new_page: NewPage, faults: Faults, app_server: ServerProcess) -> Visitor:
    """Brings people to the server."""

    def arrive(client: Client | None = None, screen: Screen = DESKTOP) -> Person:
        return person_at(new_page, faults, app_server.url, client, screen)

    return arrive


def kill(server: ServerProcess) -> None:
    """End a server without a chance to say goodbye."""
    server.process.kill()
    server.process.communicate(timeout=30)


def person_at(
    new_page: NewPage, faults: Faults, url: str, client: Client | None, screen: Screen = DESKTOP
) -> Person:
    """A person in a browser context of their own, signed in if they have an account."""
    page = new_page(screen)
    if client is not None:
        page.context.add_cookies([{"name": "rubicon", "value": client.token, "url": url}])
    return Person(page, url, touch=screen.phone)


@pytest.fixture
def guest(app_server: ServerProcess) -> Iterator[Guest]:
    """Makes guests, by name."""
    made: list[Client] = []

    def make(name: str) -> Client:
        made.append(app_server.client(name))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def open_game() -> OpenGame:
    """Opens tables and starts their games."""
    return opened


def opened(*people: Client, bots: int = 0, bot: str = "peaceful", **table: Any) -> Opened:
    """Open a table for people and bots, seat them, and start.

    Peaceful bots leave everybody their first turns, whoever begins; with `greedy` ones a game ends.
    """
    host, *others = people
    seats = len(people) + bots
    chosen = dict.fromkeys(range(len(people), seats), bot)
    defaults = {"access": "link", "board": "skerries", "ruleset": "classic"}
    found = host.open_table(**(defaults | table), seats=seats, bots=chosen)
    for other in others:
        other.join(found["game"], invite=found["invite"])
    host.start(found["game"])
    return Opened(found["game"], found["invite"])
