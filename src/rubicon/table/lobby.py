"""The lobby: a table before, beside and after its game, as whoever hosts it asks for it.

Everything that is read (`show_table`, `open_tables`, `own_games`, `watchable_games`, `seat_of`, …)
is a function of a connection, for `store.read`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from sqlalchemy import Connection

from rubicon.table import lobby_life, lobby_seats
from rubicon.table.listening import Change, What, announce
from rubicon.table.lobby_life import Opened
from rubicon.table.lobby_wish import Wish
from rubicon.table.submission import Receipt
from rubicon.table.table import Table

Result = TypeVar("Result")


class Lobby:
    """The life of every table of a store; `house_bots` are the bots that may be seated.

    What fails does so with TableError, NoSuchGame, StoreAway, and what the engine says of a wish.
    """

    def __init__(self, table: Table, house_bots: Sequence[str], most_tables: int = 0) -> None:
        self.table = table
        self.house_bots = tuple(house_bots)
        self.most_tables = most_tables  # that one account may host at once; 0 for no limit
        self._watchers: list[Callable[[str], None]] = []

    def watch(self, watcher: Callable[[str], None]) -> None:
        """Be told, in the writing thread, of each table that has changed: be quick."""
        self._watchers.append(watcher)

    def tell(self, game: str) -> None:
        """Tell those who watch that a table has changed, here or through another host."""
        for watcher in self._watchers:
            watcher(game)

    def open_table(self, account: str, name: str, wish: Wish) -> Future[Opened]:
        """Open a table, and sit down at it as its host."""
        bots = self.house_bots

        def opened(connection: Connection) -> Opened:
            lobby_life.check_tables(connection, account, self.most_tables)
            return lobby_life.open_table(connection, account, name, wish, bots)

        return self._write(opened, lambda opened: [opened.game])

    def join(
        self,
        game: str,
        account: str,
        name: str,
        colour: str | None = None,
        invite: str | None = None,
    ) -> Future[str]:
        """Sit down; the colour."""
        bots = self.house_bots
        return self._change(
            game, lambda c: lobby_seats.join(c, game, account, name, bots, colour, invite)
        )

    def leave(self, game: str, account: str) -> Future[None]:
        """Stand up."""
        return self._change(game, lambda c: lobby_seats.leave(c, game, account))

    def kick(self, game: str, account: str, colour: str) -> Future[None]:
        """Send a person away, as the host."""
        return self._change(game, lambda c: lobby_seats.kick(c, game, account, colour))

    def swap(self, game: str, account: str, one: str, other: str) -> Future[None]:
        """Let two change places, as the host."""
        return self._change(game, lambda c: lobby_seats.swap(c, game, account, one, other))

    def seat_bot(self, game: str, account: str, colour: str, bot: str) -> Future[None]:
        """Put a bot on a seat, as the host."""
        bots = self.house_bots
        return self._change(
            game, lambda c: lobby_seats.seat_bot(c, game, account, colour, bot, bots)
        )

    def free_seat(self, game: str, account: str, colour: str) -> Future[None]:
        """Free a seat from a bot or a kept place, as the host."""
        return self._change(game, lambda c: lobby_seats.free_seat(c, game, account, colour))

    def renew_invite(self, game: str, account: str, colour: str | None = None) -> Future[str]:
        """A new secret for a link, as the host; the old one is void."""
        return self._change(game, lambda c: lobby_seats.renew_invite(c, game, account, colour))

    def close(self, game: str, account: str) -> Future[None]:
        """Close a table whose game has not begun, as the host."""
        return self._change(game, lambda c: lobby_life.close(c, game, account))

    def expire(self) -> Future[list[str]]:
        """Close what was not begun in time; to be called every minute or so."""
        return self._write(lobby_life.expire, lambda closed: closed)

    def rematch(self, game: str, account: str) -> Future[Opened]:
        """A new table with the same seats."""

        def again(connection: Connection) -> Opened:
            opened = lobby_life.rematch(connection, game, account)
            lobby_life.check_tables(connection, account, self.most_tables, opened=1)
            return opened

        return self._write(again, lambda opened: [game, opened.game])

    def start(self, game: str, account: str) -> Future[Receipt]:
        """Begin the game, as the host; done when chance has dealt."""
        done: Future[Receipt] = Future()
        elsewhere = self.table.dice is not None
        begun = self._change(
            game, lambda c: lobby_life.start(c, game, account, elsewhere=elsewhere)
        )

        def behind(future: Future[Any]) -> None:
            error = future.exception()
            if error is not None:
                done.set_exception(error)
            else:
                hand_on(self.table.wake(game), done)

        begun.add_done_callback(behind)
        return done

    def _change(self, game: str, job: Callable[[Connection], Result]) -> Future[Result]:
        return self._write(job, lambda _: [game], game)

    def _write(
        self,
        job: Callable[[Connection], Result],
        changed: Callable[[Result], Sequence[str]],
        game: str | None = None,
    ) -> Future[Result]:
        def announced(connection: Connection) -> Result:
            result = job(connection)
            for table in changed(result):
                announce(connection, Change(What.TABLE, table))
            return result

        future = self.table.store.write(announced, game=game)

        def behind(done: Future[Result]) -> None:
            if done.exception() is None:
                for table in changed(done.result()):
                    self.tell(table)

        future.add_done_callback(behind)
        return future


def hand_on(source: Future[Result], to: Future[Result]) -> None:
    """Let one future end as another does."""

    def behind(done: Future[Result]) -> None:
        error = done.exception()
        if error is not None:
            to.set_exception(error)
        else:
            to.set_result(done.result())

    source.add_done_callback(behind)
