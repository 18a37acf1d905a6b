"""Hosted games for the tests: a table service with its own database, and simple players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import insert

from rubicon.dice.question import Promise, Question, Reply, promise, serve
from rubicon.players.player import Player
from rubicon.rules.game.game import Game
from rubicon.rules.record.headers import headers_of
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.commands.remote_dice import DiceServer
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.game.submission import Receipt, Submission
from rubicon.table.lobby.start import begin_game
from rubicon.table.service.table_service import TableService
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store

Result = TypeVar("Result")
GAME = "abcdefghij"
SOON = 30  # seconds; the timeout for what should take none


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
    """A table service with one game that has begun."""
    store = Store.open(f"sqlite:///{folder}/table.db")
    schema.metadata.create_all(store.engine)
    ruleset = Ruleset.load(preset, options or {}, board=board)
    game = Hosted(TableService(store, dice=dice))
    try:
        game.begin(ruleset, players, settings or Settings())
        yield game
    finally:
        store.close()


class Hosted:
    """One hosted game."""

    def __init__(self, table: TableService, game: str = GAME) -> None:
        self.table = table
        self.game = game

    def begin(self, ruleset: Ruleset, players: int, settings: Settings) -> None:
        """Begin a new game, and finish its set-up by chance."""
        self.begin_from(Game.new(ruleset, players), settings)

    def begin_from(self, fresh: Game, settings: Settings) -> None:
        """Begin from a position before the first action."""
        self.insert_row()

        def job(connection: object) -> None:
            remote_dice = self.table.dice is not None
            headers = headers_of(fresh)
            begin_game(connection, self.game, headers, settings, remote_dice=remote_dice)  # type: ignore[arg-type]

        self.table.store.write(job).result(SOON)
        self.table.wake(self.game).result(SOON)

    def insert_row(self) -> None:
        """The row of a game that has not begun."""
        row = {"id": self.game, "state": "lobby", "title": "", "access": "open", "head": -1}
        row |= {"ruleset": "{}", "settings": "{}", "created": 0, "changed": 0}
        self.table.store.write(
            lambda connection: connection.execute(insert(schema.game), row).rowcount
        ).result(SOON)

    @property
    def snapshot(self) -> Snapshot:
        """The present state of the game."""
        return self.table.snapshot(self.game)

    def mover(self) -> tuple[str, int]:
        """A seat with a pending decision, and the decision id."""
        return next(iter(self.snapshot.decisions.items()))

    def submit(
        self, text: str, *, seat: str = "", decision: int | None = None, orders: bool = False
    ) -> Receipt:
        """Submit an action or orders, by default for `mover`."""
        mover, asked = self.mover() if not seat else (seat, self.snapshot.decisions.get(seat, -1))
        number = asked if decision is None else decision
        return self.submit_async(mover, number, text, orders).result(SOON)

    def submit_async(
        self, seat: str, decision: int, text: str, orders: bool = False
    ) -> Future[Receipt]:
        """Submit without waiting for the result."""
        return self.table.submit(Submission(self.game, seat, decision, text, orders))

    def play(self, most: int = 10_000, *, until: str = "") -> int:
        """Let bots play until the game is over or in a phase; the number of their decisions."""
        colours = self.snapshot.game().colours
        bots = {colour: Player("greedy", colour, seed=n) for n, colour in enumerate(colours)}
        for taken in range(most):
            snapshot = self.snapshot
            if snapshot.ending is not None or snapshot.game().phase.name.lower() == until:
                return taken
            seat, decision = self.mover()
            action = bots[seat].decide(snapshot.game())
            self.submit_async(seat, decision, str(action)).result(SOON)
        return most


class OtherDice:
    """A remote dice server, which can be unavailable (`away`)."""

    def __init__(self, seed: bytes = bytes(range(32))) -> None:
        self.seed = seed
        self.away = False
        self.asked: list[Question] = []
        self.answered: dict[tuple[str, int], Reply] = {}
        self.opened: set[str] = set()

    def promise(self, game: str, seats: Sequence[str]) -> Future[Promise]:
        """The commitment for a game."""
        return self._future(lambda: promise(self.seed, game, seats))

    def ask(self, question: Question) -> Future[Reply]:
        """Answer a request; a repeated one gets the same answer."""
        self.asked.append(question)

        def answer() -> Reply:
            if question.game in self.opened:
                raise ConnectionRefusedError("the game was opened")
            place = question.game, question.seq
            self.answered[place] = serve(self.seed, question, self.answered.get(place))
            return self.answered[place]

        return self._future(answer)

    def open(self, game: str) -> Future[bytes]:
        """Reveal the seed; later requests for the game are refused."""

        def give() -> bytes:
            self.opened.add(game)
            return self.seed

        return self._future(give)

    def _future(self, answer: Callable[[], Result]) -> Future[Result]:
        """The answer, or ConnectionError while it is unavailable."""
        future: Future[Result] = Future()
        try:
            if self.away:
                raise ConnectionError("connection refused")
            future.set_result(answer())
        except Exception as error:
            future.set_exception(error)
        return future
