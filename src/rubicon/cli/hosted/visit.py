"""A person at a server: how it is reached, where lines are typed, and the part in the dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rubicon.cli.terminal.display.output import Output
from rubicon.cli.terminal.keyboard import Keyboard
from rubicon.client import ApiError, Client, DiceAlarm
from rubicon.dice.errors import DiceError
from rubicon.errors import RubiconError

Connect = Callable[[str, str | None], Client]
ATTEMPTS = 2  # of a request: then the person is told that the server is away
TIMEOUT = 10.0  # seconds without an answer


@dataclass(frozen=True, slots=True)
class Visit:
    """A person at a server: how to reach it, where to type, where to print."""

    url: str
    connect: Connect
    keyboard: Keyboard
    output: Output

    def client(self, token: str | None) -> Client:
        """A client that soon says that the server is away."""
        client = self.connect(self.url, token)
        client.attempts, client.timeout = ATTEMPTS, TIMEOUT
        return client


def take_part(visit: Visit, client: Client, game: str) -> None:
    """Take part in the dice, so that nobody can know or choose a roll; say so where that fails."""
    try:
        client.take_part(game)
    except (DiceError, DiceAlarm, RubiconError) as error:
        visit.output.prose(f"Your program takes no part in the dice here: {error}")
    except ApiError as error:
        if error.status == 0:
            raise
        visit.output.prose(f"Your program takes no part in the dice here: {error}")
