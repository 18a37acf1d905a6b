"""Hosted games for the tests: a table over a store of its own, and people who play at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import insert

from rubicon.dice.question import Promise, Question, Reply, promise, serve
from rubicon.players.player import Player
from rubicon.rules.game import Game
from rubicon.rules.record_headers import headers_of
from rubicon.rules.ruleset import Ruleset
from rubicon.table import schema
from rubicon.table.beginning import begin_game
from rubicon.table.elsewhere import DiceServer
from rubicon.table.settings import Settings
from rubicon.table.store import Store
from rubicon.table.submission import Receipt, Submission
from rubicon.table.table import Snapshot, Table

Result = TypeVar("Result")
GAME = "abcdefghij"
SOON = 30  # seconds that a test waits for what should take none


@contextmanager
def hosted(
    folder: Path,
    preset: str = "classic",
    players: int = 3,
    *,
    options: Mapping[str, object] | None = None,
    board: str = "skerries",
    settings: Settings | None = None,
    dice: DiceServer | None = None,
) -> Iterator[Hosted]:
    """A table with one game on it that has begun."""
    store = Store.open(f"sqlite:///{folder}/table.db")
    schema.metadata.create_all(store.engine)
    ruleset = Ruleset.load(preset, options or {}, board=board)
    game = Hosted(Table(store, dice=dice))
    try:
        game.begin(ruleset, players, settings or Settings())
        yield game
    finally:
        store.close()


class Hosted:
    """One game at a table."""

    def __init__(self, table: Table, game: str = GAME) -> None:
        self.table = table
        self.game = game

    def begin(self, ruleset: Ruleset, players: int, settings: Settings) -> None:
        """Begin it, and let chance deal."""
        self.begin_from(Game.new(ruleset, players), settings)

    def begin_from(self, fresh: Game, settings: Settings) -> None:
        """Begin with a game that nothing has happened in."""

        def job(connection: object) -> None:
            row = {"id": self.game, "state": "lobby", "title": "", "access": "open", "head": -1}
            row |= {"ruleset": "{}", "settings": "{}", "created": 0, "changed": 0}
            connection.execute(insert(schema.game), row)  # type: ignore[attr-defined]
            elsewhere = self.table.dice is not None
            headers = headers_of(fresh)
            begin_game(connection, self.game, headers, settings, elsewhere=elsewhere)  # type: ignore[arg-type]

        self.table.store.write(job).result(SOON)
        self.table.wake(self.game).result(SOON)

    @property
    def snapshot(self) -> Snapshot:
        """How it stands."""
        return self.table.snapshot(self.game)

    def mover(self) -> tuple[str, int]:
        """A seat that is asked, and its duty."""
        return next(iter(self.snapshot.duties.items()))

    def submit(
        self, text: str, *, seat: str = "", duty: int | None = None, orders: bool = False
    ) -> Receipt:
        """Hand something in, for whoever is asked unless said otherwise."""
        mover, asked = self.mover() if not seat else (seat, self.snapshot.duties.get(seat, -1))
        number = asked if duty is None else duty
        return self.hand_in(mover, number, text, orders).result(SOON)

    def hand_in(self, seat: str, duty: int, text: str, orders: bool = False) -> Future[Receipt]:
        """Hand something in, without waiting for it."""
        return self.table.submit(Submission(self.game, seat, duty, text, orders))

    def play(self, most: int = 10_000, *, until: str = "") -> int:
        """Let bots play, until the game is over or in a phase; how many decisions they took."""
        colours = self.snapshot.game().colours
        bots = {colour: Player("greedy", colour, seed=n) for n, colour in enumerate(colours)}
        for taken in range(most):
            snapshot = self.snapshot
            if snapshot.ending is not None or snapshot.game().phase.name.lower() == until:
                return taken
            seat, duty = self.mover()
            action = bots[seat].decide(snapshot.game())
            self.hand_in(seat, duty, str(action)).result(SOON)
        return most


class OtherDice:
    """A dice server of somebody else's, which may be away."""

    def __init__(self, seed: bytes = bytes(range(32))) -> None:
        self.seed = seed
        self.away = False
        self.asked: list[Question] = []
        self.answered: dict[tuple[str, int], Reply] = {}
        self.opened: set[str] = set()

    def promise(self, game: str, seats: Sequence[str]) -> Future[Promise]:
        """What it promises before a game."""
        return self._future(lambda: promise(self.seed, game, seats))

    def ask(self, question: Question) -> Future[Reply]:
        """Answer, for ever the same."""
        self.asked.append(question)

        def answer() -> Reply:
            if question.game in self.opened:
                raise ConnectionRefusedError("the game was opened")
            place = question.game, question.seq
            self.answered[place] = serve(self.seed, question, self.answered.get(place))
            return self.answered[place]

        return self._future(answer)

    def open(self, game: str) -> Future[bytes]:
        """Give the seed away; nothing is answered from here on."""

        def give() -> bytes:
            self.opened.add(game)
            return self.seed

        return self._future(give)

    def _future(self, answer: Callable[[], Result]) -> Future[Result]:
        """The answer, or the failure of a server that is away."""
        future: Future[Result] = Future()
        try:
            if self.away:
                raise ConnectionError("nobody there")
            future.set_result(answer())
        except Exception as error:
            future.set_exception(error)
        return future
