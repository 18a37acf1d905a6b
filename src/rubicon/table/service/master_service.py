"""What the game master of a table asks for, whatever interface it comes from."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, replace

from rubicon.orders.requests import AskRequest, MasterRequest
from rubicon.table.commands.master import carry_out
from rubicon.table.game.master_requests import MasterOrder, MasterWord, order_of
from rubicon.table.game.submission import Receipt
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.lobby.masters import table_master
from rubicon.table.lobby.table_request import ServerBots, checked_bot
from rubicon.table.service.table_service import TableService


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
