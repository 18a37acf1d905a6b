"""Dice that are somebody else's: what is asked of them, and what is done with what they say.

They hold the dice seed, and the table does not know it before the end. While they are away a game
that needs them waits, and is asked for again with growing rests.
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
from rubicon.table import schema
from rubicon.table.chance import NOT_HERE, told_apart
from rubicon.table.errors import DiceAway
from rubicon.table.live import Live
from rubicon.table.lobby_seats import OVER, RUNNING
from rubicon.table.page import Page
from rubicon.table.proceeding import settle

SHORTEST_REST, LONGEST_REST = 1.0, 60.0  # seconds between attempts

Given = Promise | Reply | bytes


class DiceServer(Protocol):
    """Somebody else's dice. Each answer is the same for ever, and comes within a bounded time.

    Once a game is opened they answer nothing more for it.
    """

    def promise(self, game: str, seats: Sequence[str]) -> Future[Promise]: ...

    def ask(self, question: Question) -> Future[Reply]: ...

    def open(self, game: str) -> Future[bytes]: ...


Errand = Callable[[DiceServer], Future[Given]]


def errand_of(live: Live) -> Errand | None:
    """What a game needs of somebody else's dice now; None for nothing."""
    if live.seeds.dice is not None:
        return None
    if not live.promised:
        seats = live.game.colours
        return lambda dice: dice.promise(live.id, seats)  # type: ignore[return-value]
    if live.chain.owed is not None:
        if live.links_wanted or live.ending is not None:
            return None  # dice that were away at the end fall no more
        asked = question(live.chain, *told_apart(live.links))
        return lambda dice: dice.ask(asked)  # type: ignore[return-value]
    if live.ending is not None and not live.chain.closed:
        return lambda dice: dice.open(live.id)  # type: ignore[return-value]
    return None


def sent(errand: Errand, dice: DiceServer) -> Future[Given]:
    """Ask; whatever goes wrong is in the future."""
    try:
        return errand(dice)
    except Exception as error:
        failed: Future[Given] = Future()
        failed.set_exception(error)
        return failed


def take_given(page: Page, given: Given) -> None:
    """Do what an answer makes possible; nothing where it was done already.

    DiceAway where the answer is not one that these dice may give.
    """
    try:
        match given:
            case Promise():
                _begin(page, given)
            case Reply():
                _settle(page, given)
            case _:
                _open(page, given)
    except DiceError as error:
        raise DiceAway(f"what they said is refused, {error.code}") from error


def _begin(page: Page, promise: Promise) -> None:
    live = page.live
    if live.promised:
        return
    for entry in begin_with(promise, live.seeds.table, live.id, live.game.colours):
        live.chain.append(entry)
        page.dice(entry)


def _settle(page: Page, reply: Reply) -> None:
    chain = page.live.chain
    if chain.answer(reply.rid) is not None:
        return
    if chain.owed is None or chain.owed.rid != reply.rid:
        raise DiceError("dice/other-request", "Nobody has asked for these dice.")
    settle(page, reply)


def _open(page: Page, seed: bytes) -> None:
    """The end of the chain, and the seed to where those of other games are."""
    live = page.live
    if live.chain.closed or live.ending is None or live.chain.owed is not None:
        return
    entry = reveal(live.chain, Seeds(seed, live.seeds.table), live.opened)
    live.chain.append(entry)
    page.dice(entry)
    of_game = update(schema.seeds).where(schema.seeds.c.game == live.id)
    page.connection.execute(of_game.values(dice=seed))


def unfinished(connection: Connection) -> list[str]:
    """The games that run, and those whose dice are still to be opened by somebody else."""
    games, seeds = schema.game.c, schema.seeds.c
    running = select(games.id).where(games.state == RUNNING)
    sealed = select(seeds.game).join(schema.game).where(games.state == OVER, seeds.dice == NOT_HERE)
    return [row[0] for wanted in (running, sealed) for row in connection.execute(wanted)]


class Rests:
    """The games whose dice were away, and when to ask again: each time twice as late as before."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._resting: dict[str, tuple[float, float]] = {}  # the moment, and the rest before it

    def __len__(self) -> int:
        return len(self._resting)

    def later(self, game: str) -> None:
        """The dice were away for a game."""
        with self._lock:
            _, before = self._resting.get(game, (0.0, 0.0))
            rest = min(max(SHORTEST_REST, 2 * before), LONGEST_REST)
            self._resting[game] = self._clock() + rest, rest

    def over(self, game: str) -> None:
        """The dice have answered."""
        with self._lock:
            self._resting.pop(game, None)

    def due(self) -> list[str]:
        """The games to ask for again now; each is told once until its dice are away again."""
        with self._lock:
            at = self._clock()
            due = [game for game, (moment, _) in self._resting.items() if moment <= at]
            for game in due:
                self._resting[game] = at + LONGEST_REST, self._resting[game][1]
            return due
