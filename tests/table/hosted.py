"""Hosted games for the tests: a table service with its own database, and simple players."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from sqlalchemy import insert

from rubicon.dice.dice_server import DiceServerGame, LinkQuestion
from rubicon.dice.lines.members import Deposit
from rubicon.dice.lines.request import GivenLink
from rubicon.players.player import Player
from rubicon.rules.game import Game
from rubicon.rules.record import headers_of, ruleset_headers
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.commands.dice_participants import DiceServer
from rubicon.table.commands.submit import Receipt, Submission
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.start import begin_game
from rubicon.table.settings import DiceSource, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from rubicon.table.table_service import TableService

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
        self.insert_row(json.dumps(ruleset_headers(fresh.ruleset)))

        def job(connection: object) -> None:
            chosen = replace(settings, dice=DiceSource.INDEPENDENT) if self.table.dice else settings
            begin_game(connection, self.game, headers_of(fresh), chosen)  # type: ignore[arg-type]

        self.table.store.write(job).result(SOON)
        self.table.wake(self.game).result(SOON)

    def insert_row(self, ruleset: str = "{}") -> None:
        """The row of a game that has not begun; `ruleset` has its headers as JSON."""
        row = {"id": self.game, "state": "lobby", "title": "", "access": "open", "head": -1}
        row |= {"ruleset": ruleset, "settings": "{}", "created": 0, "changed": 0}
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
    """An independent dice server, which can be unavailable (`away`)."""

    def __init__(self, private_key: bytes = bytes(range(32))) -> None:
        self.private_key = private_key
        self.games: dict[str, DiceServerGame] = {}
        self.away = False
        self.asked: list[LinkQuestion] = []

    def open(self, game: str) -> Future[Deposit]:
        """Its deposit, the same for ever."""
        if game not in self.games:
            self.games[game] = DiceServerGame.begin(game, self.private_key)
        return self._done(self.games[game].deposit)

    def link(self, question: LinkQuestion) -> Future[GivenLink]:
        """Its link for a request."""
        self.asked.append(question)
        return self._done(lambda: self.games[question.game].answer(question))

    def _done(self, work: Callable[[], Result]) -> Future[Result]:
        future: Future[Result] = Future()
        if self.away:
            future.set_exception(ConnectionError("the dice server is away"))
            return future
        try:
            future.set_result(work())
        except Exception as error:
            future.set_exception(error)
        return future
