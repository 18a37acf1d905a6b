"""Commands of seats in tests: votes, absences, and the sweep of deadlines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from rubicon.errors import RubiconError
from rubicon.table.commands.votes import vote
from rubicon.table.deadlines import tick
from rubicon.table.game.log_lines import LineKind, LogLine
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.storage.event_log import lines_of
from tests.table.hosted import SOON, Hosted
from tests.table.timed import START


def do(game: Hosted, act: Callable[..., object], *arguments: object, **more: object) -> None:
    """Run a command on the game."""

    def change(unit: UnitOfWork) -> None:
        act(unit, *arguments, **more)

    game.table.change(game.game, change).result(SOON)


def votes(game: Hosted, motion: str, *seats: str) -> None:
    """Each of these seats votes for a motion."""
    for seat in seats:
        do(game, vote, seat, motion)


def sweep(game: Hosted) -> None:
    """Apply every deadline that has passed."""
    for future in tick(game.table, START):
        future.result(SOON)


def lines(game: Hosted) -> list[LogLine]:
    """The log of the game."""
    return game.table.store.read(lambda connection: lines_of(connection, game.game))


def kinds(game: Hosted) -> list[LineKind]:
    """The kinds of the log's lines."""
    return [line.kind for line in lines(game)]


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Expect an error with this code that says what is wrong."""
    with pytest.raises(RubiconError) as caught:
        yield
    assert (caught.value.code, bool(caught.value.message)) == (code, True)
