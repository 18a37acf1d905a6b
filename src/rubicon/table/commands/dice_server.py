"""What an independent dice server is asked for a game, and what its answers do.

While it is unavailable, a game that needs dice waits, and the question is repeated with back-off.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

from sqlalchemy import Connection, select

from rubicon.dice.errors import DiceError
from rubicon.dice.lines.deposit import Deposit
from rubicon.dice.lines.request import GivenLink, check_given
from rubicon.dice.lines.state import DICE_SERVER, REQUIRED
from rubicon.dice.participants.dice_server import LinkQuestion
from rubicon.table.commands.advance import proceed
from rubicon.table.errors import DiceRefused
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.lobby.dice_genesis import genesis_of
from rubicon.table.lobby.seats import RUNNING
from rubicon.table.storage import schema

SHORTEST_REST, LONGEST_REST = 1.0, 60.0  # seconds between two attempts


Given = Deposit | GivenLink


class DiceServer(Protocol):
    """An independent dice server. A repeated question gets the same answer, in bounded time."""

    def open(self, game: str) -> Future[Deposit]: ...

    def link(self, question: LinkQuestion) -> Future[GivenLink]: ...


Errand = Callable[[DiceServer], Future[Given]]


def errand_of(hosted: HostedGame) -> Errand | None:
    """The call that a game needs from its dice server now; None for none."""
    if hosted.at_rest:
        return None
    if not hosted.has_genesis:
        return lambda dice: dice.open(hosted.id)  # type: ignore[return-value]
    state = hosted.transcript.state
    pending = state.pending
    if pending is None or pending.given is None:
        return None
    keys = {
        name: state.participants[name].key for name in pending.participants if name not in REQUIRED
    }
    asked = LinkQuestion(
        game=hosted.id,
        genesis=state.genesis,
        server_key=state.server_key,
        keys=keys,
        n=pending.n,
        line=hosted.dice_line,
    )
    return lambda dice: dice.link(asked)  # type: ignore[return-value]


def sent(errand: Errand, dice: DiceServer) -> Future[Given]:
    """Call the dice server; every error is in the future."""
    try:
        return errand(dice)
    except Exception as error:
        failed: Future[Given] = Future()
        failed.set_exception(error)
        return failed


def take_given(unit: UnitOfWork, given: Given) -> None:
    """Apply an answer of the dice server, and all that follows; idempotent.

    DiceRefused where the answer does not fit: the game stops, and the log says why.
    """
    hosted = unit.hosted
    try:
        if isinstance(given, Deposit):
            if not hosted.has_genesis:
                given.check(hosted.id)
                genesis = genesis_of(unit.connection, hosted, given)
                genesis.check()
                unit.add_dice(genesis)
        else:
            pending = hosted.transcript.state.pending
            if pending is None or pending.given is None:
                return  # answered already
            check_given(hosted.transcript.state, pending, DICE_SERVER, given)
            unit.dice_server_link = given
    except DiceError as error:
        raise DiceRefused(error.code, f"its answer does not hold. {error.message}") from error
    proceed(unit)


def unfinished(connection: Connection) -> list[str]:
    """The running games."""
    games = schema.game.c
    running = select(games.id).where(games.state == RUNNING)
    return list(connection.execute(running).scalars())


class Rests:
    """Games whose dice server was unavailable: when to retry, with delays that double."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        # The time of the next attempt, and the delay before it.
        self._resting: dict[str, tuple[float, float]] = {}

    def __len__(self) -> int:
        return len(self._resting)

    def later(self, game: str) -> bool:
        """The dice server was unavailable for a game: retry later. Whether it is the first time."""
        with self._lock:
            _, before = self._resting.get(game, (0.0, 0.0))
            rest = min(max(SHORTEST_REST, 2 * before), LONGEST_REST)
            self._resting[game] = self._clock() + rest, rest
        return not before

    def over(self, game: str) -> None:
        """The dice server has answered: no retry is needed."""
        with self._lock:
            self._resting.pop(game, None)

    def due(self) -> list[str]:
        """The games to retry now. Each is returned once: `later` sets its next attempt."""
        with self._lock:
            at = self._clock()
            due = [game for game, (moment, _) in self._resting.items() if moment <= at]
            for game in due:
                self._resting[game] = at + LONGEST_REST, self._resting[game][1]
            return due
