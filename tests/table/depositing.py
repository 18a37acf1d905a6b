"""Seats whose own programs have a hand in the dice, for the tests."""

from __future__ import annotations

from concurrent.futures import Future, wait
from time import sleep

from rubicon.dice.bodies import Answer
from rubicon.dice.seeds import links_from
from rubicon.rules.errors import RubiconError
from rubicon.table.lines import Line, lines_of
from rubicon.table.live import Live
from rubicon.table.lives import rebuilt
from rubicon.table.settings import Settings
from rubicon.table.silence import tick
from rubicon.table.submission import Receipt
from tests.table.hosted import GAME, SOON, Hosted
from tests.table.timed import START, Time

Done = Future[Receipt]
WAIT = Settings().entropy_wait


class Owner:
    """The program of a seat, which keeps a hash chain."""

    def __init__(self, game: Hosted, seat: str, length: int = 50) -> None:
        self.game = game
        self.seat = seat
        self.deposit(length)

    def deposit(self, length: int = 50) -> Receipt:
        """Deposit a chain of its own."""
        self.length = length
        secret = f"{self.seat} {length} {self.game.snapshot.head}".encode().rjust(32)
        self.links = links_from(secret, length)
        end = self.links[0].hex()
        return self.game.table.deposit(GAME, self.seat, end, length).result(SOON)

    @property
    def wanted(self) -> bool:
        """Whether its next link is."""
        return self.seat in self.game.snapshot.links_wanted

    def give(self, number: int | None = None, *, request: str = "") -> Receipt:
        """Give the link that is wanted, or another one."""
        asked = self.game.snapshot.links_wanted.get(self.seat)
        rid = request or (asked.request if asked else "")
        which = number if number is not None else asked.number if asked else 0
        link = self.links[which].hex()
        return self.game.table.open_link(GAME, self.seat, rid, link).result(SOON)


def an_attack(game: Hosted) -> tuple[str, int, str]:
    """Who is to attack, for which duty, and how."""
    game.play(until="attack")
    seat, duty = game.mover()
    attacks = [str(a) for a in game.snapshot.game().legal if str(a).startswith("attack")]
    return seat, duty, attacks[0]


def rolling(game: Hosted, seat: str, duty: int, text: str, *, orders: bool = False) -> Done:
    """Hand something in, up to where links are waited for, or to its end."""
    submitted = game.hand_in(seat, duty, text, orders)
    while not submitted.done() and game.snapshot.waits_for != "links":
        sleep(0.001)
    return submitted


def others(game: Hosted) -> list[str]:
    """The seats that do not decide now."""
    mover, _ = game.mover()
    return [colour for colour in game.snapshot.game().colours if colour != mover]


def log(game: Hosted) -> list[Line]:
    """The log."""
    return game.table.store.read(lambda connection: lines_of(connection, GAME))


def live_of(game: Hosted) -> Live:
    """The game as it is rebuilt from the store."""
    return game.table.store.read(lambda connection: rebuilt(connection, GAME))


def last_answer(game: Hosted) -> Answer:
    """The last answer of the dice."""
    return [e.body for e in live_of(game).chain if isinstance(e.body, Answer)][-1]


def settle(game: Hosted) -> int:
    """Act on what is due; how many games were concerned."""
    futures = tick(game.table, START)
    wait(futures, SOON)
    return len(futures)


def refused(future: Future[Receipt]) -> str:
    """The code of a refusal."""
    error = future.exception(SOON)
    assert isinstance(error, RubiconError)
    return error.code


def finished(game: Hosted, time: Time) -> None:
    """Play to the end, with own links, one of which does not come."""
    owners = [Owner(game, seat, 4096) for seat in others(game)]
    rolls = 0
    for step in range(200):
        if game.snapshot.ending is not None:
            return
        seat, duty = game.mover()
        legal = [str(action) for action in game.snapshot.game().legal]
        attacks = [text for text in legal if text.startswith("attack")]
        if step > 60 and rolls > 8 and seat != owners[0].seat:
            done = game.table.aside(GAME, seat, f"resign {seat}")
        else:
            done = rolling(game, seat, duty, (attacks or legal)[0])
        while wanted := [owner for owner in owners if owner.wanted]:
            rolls += 1
            if rolls == 5:
                time.pass_by(WAIT)
                wanted.pop()
            for owner in wanted:
                owner.give()
            settle(game)
        done.result(SOON)
