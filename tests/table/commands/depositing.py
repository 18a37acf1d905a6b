"""Seats that contribute randomness to the dice, for the tests."""

from __future__ import annotations

from concurrent.futures import Future, wait
from time import sleep

from sqlalchemy import Connection

from rubicon.dice.bodies import AnswerBody
from rubicon.dice.seeds import links_from
from rubicon.errors import RubiconError
from rubicon.table.game.game_cache import chain_of, rebuilt
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.submission import Receipt
from rubicon.table.service.deadlines import tick
from rubicon.table.settings import Settings
from rubicon.table.storage.event_log import LogLine, lines_of
from tests.table.hosted import GAME, SOON, Hosted
from tests.table.timed import START, Time

Done = Future[Receipt]
WAIT = Settings().entropy_wait


class Owner:
    """The program of a seat, which holds its hash chain."""

    def __init__(self, game: Hosted, seat: str, length: int = 50) -> None:
        self.game = game
        self.seat = seat
        self.deposit(length)

    def deposit(self, length: int = 50) -> Receipt:
        """Deposit the end of a new hash chain."""
        self.length = length
        secret = f"{self.seat} {length} {self.game.snapshot.head}".encode().rjust(32)
        self.links = links_from(secret, length)
        end = self.links[0].hex()
        return self.game.table.deposit(GAME, self.seat, end, length).result(SOON)

    @property
    def wanted(self) -> bool:
        """Whether its next link is pending."""
        return self.seat in self.game.snapshot.links_wanted

    def give(self, number: int | None = None, *, request: str = "") -> Receipt:
        """Give the pending link, or another one."""
        asked = self.game.snapshot.links_wanted.get(self.seat)
        rid = request or (asked.request if asked else "")
        which = number if number is not None else asked.number if asked else 0
        link = self.links[which].hex()
        return self.game.table.open_link(GAME, self.seat, rid, link).result(SOON)


def an_attack(game: Hosted) -> tuple[str, int, str]:
    """The seat that can attack, its decision, and an attack."""
    game.play(until="attack")
    seat, decision = game.mover()
    attacks = [str(a) for a in game.snapshot.game().legal if str(a).startswith("attack")]
    return seat, decision, attacks[0]


def rolling(game: Hosted, seat: str, decision: int, text: str, *, orders: bool = False) -> Done:
    """Submit, and wait until links are pending or the result is there."""
    submitted = game.submit_async(seat, decision, text, orders)
    while not submitted.done() and game.snapshot.waits_for != "links":
        sleep(0.001)
    return submitted


def others(game: Hosted) -> list[str]:
    """The seats without a pending decision."""
    mover, _ = game.mover()
    return [colour for colour in game.snapshot.game().colours if colour != mover]


def log(game: Hosted) -> list[LogLine]:
    """The log."""
    return game.table.store.read(lambda connection: lines_of(connection, GAME))


def live_of(game: Hosted) -> HostedGame:
    """The game, rebuilt from the database, with its whole dice chain."""

    def read(connection: Connection) -> HostedGame:
        hosted = rebuilt(connection, GAME)
        hosted.chain = chain_of(connection, GAME)
        return hosted

    return game.table.store.read(read)


def last_answer(game: Hosted) -> AnswerBody:
    """The last answer of the dice."""
    return [e.body for e in live_of(game).chain if isinstance(e.body, AnswerBody)][-1]


def settle(game: Hosted) -> int:
    """Run the sweep of deadlines; the number of its games."""
    futures = tick(game.table, START)
    wait(futures, SOON)
    return len(futures)


def refused(future: Future[Receipt]) -> str:
    """The code of the error of a future."""
    error = future.exception(SOON)
    assert isinstance(error, RubiconError)
    return error.code


def finished(game: Hosted, time: Time) -> None:
    """Play to the end with links of seats, one of which times out."""
    owners = [Owner(game, seat, 4096) for seat in others(game)]
    rolls = 0
    for step in range(200):
        if game.snapshot.ending is not None:
            return
        seat, decision = game.mover()
        legal = [str(action) for action in game.snapshot.game().legal]
        attacks = [text for text in legal if text.startswith("attack")]
        if step > 60 and rolls > 8 and seat != owners[0].seat:
            done = game.table.out_of_turn(GAME, seat, f"resign {seat}")
        else:
            done = rolling(game, seat, decision, (attacks or legal)[0])
        while wanted := [owner for owner in owners if owner.wanted]:
            rolls += 1
            if rolls == 5:
                time.pass_by(WAIT)
                wanted.pop()
            for owner in wanted:
                owner.give()
            settle(game)
        done.result(SOON)
