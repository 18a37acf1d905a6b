"""The services of the lobby and of game masters."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

from msgspec.structs import replace
from sqlalchemy import Connection

from rubicon.dice.lines.members import Deposit
from rubicon.orders.syntax import AskRequest, MasterRequest
from rubicon.table.commands.dice_participants import check_allowed, deposit_in_lobby
from rubicon.table.commands.master import carry_out, close_by_operator
from rubicon.table.commands.submit import Receipt
from rubicon.table.game.log_lines import (
    LineKind,
    LogLine,
    MasterOrder,
    MasterWord,
    StandIn,
    said,
)
from rubicon.table.game.requests import order_of
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.lobby import lifecycle, seats
from rubicon.table.lobby.changes import TableChange, change_colour, change_table
from rubicon.table.lobby.lifecycle import OpenedTable, checked_reason, close_in_lobby
from rubicon.table.lobby.people import table_master
from rubicon.table.lobby.table_request import ServerBots, TableRequest, checked_bot
from rubicon.table.settings import Settings, check_dice_server
from rubicon.table.storage.event_log import lines_of
from rubicon.table.storage.notifications import Change, ChangeKind, announce
from rubicon.table.table_service import TableService

# The lobby: commands on tables before, during and after their games.
#
# Queries (`show_table`, `open_tables`, `own_games`, `watchable_games`, `seat_of`, …) are
# functions of a connection, for `store.read`.

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")
log = logging.getLogger(__name__)


class Lobby:
    """The commands on tables; `server_bots` are the bots that may be seated, by all their names.

    The futures fail with TableError, NoSuchGame, StoreUnavailable, and the errors of a ruleset.
    """

    def __init__(self, table: TableService, server_bots: ServerBots, max_tables: int = 0) -> None:
        self.table = table
        self.server_bots = server_bots
        self.max_tables = max_tables  # hosted by one account at the same time; 0 for no limit
        self._watchers: list[Callable[[str], None]] = []

    def watch(self, watcher: Callable[[str], None]) -> None:
        """Call a function for each changed table, on the writer thread; it must not block."""
        self._watchers.append(watcher)

    def publish(self, game: str) -> None:
        """Notify the watchers that a table has changed, on this server or on another."""
        for watcher in self._watchers:
            watcher(game)

    def open_table(self, account: str, name: str, request: TableRequest) -> Future[OpenedTable]:
        """Open a table; the account becomes its host and takes a seat."""
        bots = self.server_bots

        def opened(connection: Connection) -> OpenedTable:
            check_dice_server(request.settings, there=self.table.dice is not None)
            lifecycle.check_tables(connection, account, self.max_tables)
            return lifecycle.open_table(connection, account, name, request, bots)

        return self._write(opened, lambda opened: [opened.game])

    def join(
        self,
        game: str,
        account: str,
        name: str,
        colour: str | None = None,
        invite: str | None = None,
    ) -> Future[str]:
        """Take a seat; its colour."""
        bots = self.server_bots
        return self._change(
            game, lambda c: seats.join(c, game, account, name, bots, colour, invite)
        )

    def join_in_colour(
        self, game: str, account: str, name: str, colour: str, invite: str
    ) -> Future[str]:
        """Take a seat, or keep one's own, and give it a colour; where one is refused, neither."""
        bots = self.server_bots

        def seated(connection: Connection) -> str:
            own = seats.join(connection, game, account, name, bots, invite=invite)
            if own != colour:
                change_colour(connection, game, account, colour)
            return colour

        return self._change(game, seated)

    def change_table(self, game: str, account: str, change: TableChange) -> Future[Settings]:
        """Change title, access, rules, seats or settings, as the host; the settings then."""
        bots, there = self.server_bots, self.table.dice is not None

        def changed(connection: Connection) -> Settings:
            settings = change_table(connection, game, account, change, bots)
            check_dice_server(settings, there=there)
            return settings

        return self._change(game, changed)

    async def close_by_operator(self, game: str, reason: str) -> None:
        """Close a table, or end its game without a winner; its players read the reason.

        NoSuchGame; TableError for a bad reason, and where the game is over or goes on as another.
        """
        proper = checked_reason(reason)
        closed = self._change(game, lambda c: close_in_lobby(c, game, proper))
        if not await asyncio.wrap_future(closed):
            ended = self.table.change(game, lambda unit: close_by_operator(unit, proper))
            await asyncio.wrap_future(ended)
        log.warning("the operator closed a table", extra={"game": game})

    def expire(self) -> Future[list[str]]:
        """Close tables whose games did not begin in time; to be called about every minute."""
        return self._write(lifecycle.expire, lambda closed: closed)

    def rematch(self, game: str, account: str) -> Future[OpenedTable]:
        """A new table with the same seats."""

        def again(connection: Connection) -> OpenedTable:
            opened = lifecycle.rematch(connection, game, account)
            lifecycle.check_tables(connection, account, self.max_tables, opened=1)
            return opened

        return self._write(again, lambda opened: [game, opened.game])

    def start(self, game: str, account: str) -> Future[Receipt]:
        """Begin the game, as the host; done when the dice and cards of the set-up are durable."""
        done: Future[Receipt] = Future()
        dice_server = self.table.dice is not None
        begun = self._change(
            game, lambda c: lifecycle.start(c, game, account, dice_server=dice_server)
        )

        def behind(future: Future[Any]) -> None:
            error = future.exception()
            if error is not None:
                done.set_exception(error)
            else:
                copy_result(self.table.wake(game), done)

        begun.add_done_callback(behind)
        return done

    def deposit(self, game: str, account: str, seat: str, deposit: Deposit) -> Future[bool]:
        """Keep a seat's hash chain for the beginning of its dice; False where they have begun."""

        def keep(connection: Connection) -> bool:
            row = seats.locked(connection, game)
            if row.state != seats.LOBBY:
                return False
            check_allowed(Settings.read(json.loads(row.settings)))
            deposit_in_lobby(connection, game, seat, account, deposit)
            return True

        return self.table.store.write(keep, game=game)

    def change(
        self,
        game: str,
        act: Callable[Concatenate[Connection, str, Arguments], Result],
        *arguments: Arguments.args,
        **more: Arguments.kwargs,
    ) -> Future[Result]:
        """Change a table by a function of `rubicon.table.lobby`, such as `kick` or `swap`."""
        return self._change(game, lambda c: act(c, game, *arguments, **more))

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
                announce(connection, Change(ChangeKind.TABLE, table))
            return result

        future = self.table.store.write(announced, game=game)

        def behind(done: Future[Result]) -> None:
            if done.exception() is None:
                for table in changed(done.result()):
                    self.publish(table)

        future.add_done_callback(behind)
        return future


def copy_result(source: Future[Result], to: Future[Result]) -> None:
    """Copy the result or the error of one future to another."""

    def behind(done: Future[Result]) -> None:
        error = done.exception()
        if error is not None:
            to.set_exception(error)
        else:
            to.set_result(done.result())

    source.add_done_callback(behind)


# What the game master of a table asks for, whatever interface it comes from.


@dataclass(frozen=True, slots=True)
class MasterReceipt:
    """What came of a request: the lines `first` to `last` of the log.

    `invite` is the secret for one person, who can take the seat that is free now; "" for other
    requests. A request that changes nothing adds no line: then `last` is below `first`.
    """

    game: str
    request: str  # in its exact words
    first: int
    last: int
    invite: str = ""


class MasterService:
    """Carries out requests of game masters; `server_bots` are the bots that may play."""

    def __init__(self, table: TableService, server_bots: ServerBots) -> None:
        self.table = table
        self.server_bots = server_bots

    def carry_out(
        self, game: str, account: str, request: MasterRequest | AskRequest | MasterOrder
    ) -> Future[MasterReceipt]:
        """Carry out a request of an account; done when it is durable.

        Fails with TableError: `master/not-you` for every other account, and where `check_order`
        refuses; NoSuchGame, DiceUnavailable and StoreUnavailable as every command.
        """
        done: Future[MasterReceipt] = Future()
        receipts: list[MasterReceipt] = []

        def command(unit: UnitOfWork) -> None:
            receipts.append(self.perform(unit, account, request))

        def behind(played: Future[Receipt]) -> None:
            error = played.exception()
            if error is not None:
                done.set_exception(error)
            else:
                done.set_result(receipts[-1])

        self.table.change(game, command).add_done_callback(behind)
        return done

    def perform(
        self, unit: UnitOfWork, account: str, request: MasterRequest | AskRequest | MasterOrder
    ) -> MasterReceipt:
        """Carry out a request inside a unit of work; the errors are those of `carry_out`."""
        order = request if isinstance(request, MasterOrder) else order_of(request)
        game = unit.hosted.id
        table_master(unit.connection, game).check(account)
        if order.word is MasterWord.BOT:
            order = replace(order, words=checked_bot(order.words, self.server_bots))
        first = unit.hosted.head + 1
        invite = carry_out(unit, order)
        return MasterReceipt(game, str(order), first, unit.hosted.head, invite)


# What the game master and the software did in a game: the lines of its log that say so.

MASTER, SOFTWARE, PLAYERS = "master", "software", "players"
# Who does what without a request of the game master; what is missing is no matter of this list.
_BY = {
    LineKind.BOT: SOFTWARE,
    LineKind.LATE: SOFTWARE,
    LineKind.LOST_LINES: SOFTWARE,
    LineKind.END: SOFTWARE,
    LineKind.PAUSE: PLAYERS,
    LineKind.EXTEND: PLAYERS,
    LineKind.FORK: PLAYERS,
}
_OF_SEATS = (LineKind.AWAY, LineKind.ERASED)


@dataclass(frozen=True, slots=True)
class MasterLogEntry:
    """One line: who did it (`master`, `software`, `players` or a colour), and what of which seat.

    `event` is the kind of the line; `text` has the exact words of a request of the game master.
    """

    index: int
    at: int  # milliseconds since 1970
    by: str
    event: str
    seat: str
    text: str


def master_log(connection: Connection, game: str, last: int) -> list[MasterLogEntry]:
    """The entries up to a log index, the newest first."""
    entries: list[MasterLogEntry] = []
    asked = None
    for line in lines_of(connection, game):
        if line.index > last:
            break
        if line.kind is LineKind.MASTER:
            asked = said(line, MasterOrder).word
        elif line.kind not in (LineKind.BOT, LineKind.UNDO, LineKind.REPORT):
            asked = None
        by = _author(line, asked)
        if by:
            entries.append(_entry(line, by))
    return entries[::-1]


def _author(line: LogLine, asked: MasterWord | None) -> str:
    if line.kind is LineKind.MASTER:
        return MASTER
    if line.kind is LineKind.UNDO:
        return MASTER if asked is MasterWord.UNDO else ""
    if line.kind is LineKind.BOT and not said(line, StandIn).bot:
        return line.seat
    if line.kind is LineKind.BOT and asked is not None:
        return MASTER
    return line.seat if line.kind in _OF_SEATS else _BY.get(line.kind, "")


def _entry(line: LogLine, by: str) -> MasterLogEntry:
    text = "" if line.kind is LineKind.LOST_LINES else line.text
    return MasterLogEntry(
        index=line.index,
        at=line.at,
        by=by,
        event=line.kind.value,
        seat=line.seat,
        text=text,
    )
