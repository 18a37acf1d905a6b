"""Remote dice: the requests to a dice server, and what its answers do to a game.

The dice server holds the dice seed, which the table does not know before the end of the game. While
it is unavailable, a game that needs dice waits, and its request is repeated with back-off.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Protocol

from sqlalchemy import Connection, select, update

from rubicon.dice.errors import DiceError
from rubicon.dice.question import Promise, Question, Reply
from rubicon.dice.seeds import Seeds
from rubicon.dice.writing import begin_with, question, reveal
from rubicon.table.commands.advance import settle
from rubicon.table.errors import DiceUnavailable
from rubicon.table.game.dice_requests import NOT_HERE, split_links
from rubicon.table.game.game_cache import chain_of
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.lobby.seats import OVER, RUNNING
from rubicon.table.storage import schema

SHORTEST_REST, LONGEST_REST = 1.0, 60.0  # seconds between two attempts

Given = Promise | Reply | bytes


class DiceServer(Protocol):
    """A remote dice server. A repeated request gets the same answer, within a bounded time.

    After `open` has revealed the seed of a game, the server answers no requests for it.
    """

    def promise(self, game: str, seats: Sequence[str]) -> Future[Promise]: ...

    def ask(self, question: Question) -> Future[Reply]: ...

    def open(self, game: str) -> Future[bytes]: ...


Errand = Callable[[DiceServer], Future[Given]]


def errand_of(hosted: HostedGame) -> Errand | None:
    """The call that a game needs from its remote dice server now; None for none."""
    if hosted.seeds.dice is not None:
        return None
    if not hosted.has_commitment:
        seats = hosted.game.colours
        return lambda dice: dice.promise(hosted.id, seats)  # type: ignore[return-value]
    if hosted.chain.owed is not None:
        if hosted.links_wanted or hosted.ending is not None:
            return None  # a request that is pending at the end is never answered
        asked = question(hosted.chain, *split_links(hosted.links))
        return lambda dice: dice.ask(asked)  # type: ignore[return-value]
    if hosted.ending is not None and not hosted.chain.closed:
        return lambda dice: dice.open(hosted.id)  # type: ignore[return-value]
    return None


def sent(errand: Errand, dice: DiceServer) -> Future[Given]:
    """Call the dice server; every error is in the future."""
    try:
        return errand(dice)
    except Exception as error:
        failed: Future[Given] = Future()
        failed.set_exception(error)
        return failed


def take_given(unit: UnitOfWork, given: Given) -> None:
    """Apply an answer of the dice server; idempotent.

    DiceUnavailable where the answer does not match the dice chain.
    """
    try:
        match given:
            case Promise():
                _begin(unit, given)
            case Reply():
                _settle(unit, given)
            case _:
                _open(unit, given)
    except DiceError as error:
        raise DiceUnavailable(f"its answer was refused: {error.code}") from error


def _begin(unit: UnitOfWork, promise: Promise) -> None:
    hosted = unit.hosted
    if hosted.has_commitment:
        return
    for dice_entry in begin_with(promise, hosted.seeds.table, hosted.id, hosted.game.colours):
        hosted.chain.append(dice_entry)
        unit.add_dice(dice_entry)


def _settle(unit: UnitOfWork, reply: Reply) -> None:
    chain = unit.hosted.chain
    if chain.owed is None or chain.owed.rid != reply.rid:
        if any(opened.rid == reply.rid for opened in unit.hosted.opened):
            return  # answered already
        raise DiceError("dice/other-request", "Nobody has asked for these dice.")
    settle(unit, reply)


def _open(unit: UnitOfWork, seed: bytes) -> None:
    """Reveal the seed at the end of the chain, and store it like those of other games."""
    hosted = unit.hosted
    if hosted.chain.closed or hosted.ending is None or hosted.chain.owed is not None:
        return
    # Somebody else rolled: every entry must follow from this seed before the reveal is written.
    chain = chain_of(unit.connection, hosted.id)
    index = reveal(chain, Seeds(seed, hosted.seeds.table), hosted.opened)
    hosted.chain.append(index)
    unit.add_dice(index)
    of_game = update(schema.seeds).where(schema.seeds.c.game == hosted.id)
    unit.connection.execute(of_game.values(dice=seed))


def unfinished(connection: Connection) -> list[str]:
    """The running games, and finished ones whose remote dice server has not revealed its seed."""
    games, seeds = schema.game.c, schema.seeds.c
    running = select(games.id).where(games.state == RUNNING)
    sealed = select(seeds.game).join(schema.game).where(games.state == OVER, seeds.dice == NOT_HERE)
    return [row[0] for wanted in (running, sealed) for row in connection.execute(wanted)]


class Rests:
    """Games whose dice server was unavailable: when to retry, with delays that double."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._resting: dict[
            str, tuple[float, float]
        ] = {}  # the time of the next attempt, and the delay before it

    def __len__(self) -> int:
        return len(self._resting)

    def later(self, game: str) -> None:
        """The dice server was unavailable for a game: retry later."""
        with self._lock:
            _, before = self._resting.get(game, (0.0, 0.0))
            rest = min(max(SHORTEST_REST, 2 * before), LONGEST_REST)
            self._resting[game] = self._clock() + rest, rest

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
