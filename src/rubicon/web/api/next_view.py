"""What a seat sees next: it comes with the answer to an order, and with the events of a stream.

So a client that has acted, or has heard of something, need not ask for the game again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, fields
from typing import Annotated, NamedTuple, TypedDict, cast

import msgspec
from cachetools import TTLCache
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from rubicon.errors import RubiconError
from rubicon.server.accounts import Account
from rubicon.server.server import Server
from rubicon.server.work import WorkError
from rubicon.table.commands.submit import Receipt
from rubicon.table.game.snapshot import Snapshot
from rubicon.web.api.bodies import AskOdds, GameView
from rubicon.web.api.broadcast import event_bytes
from rubicon.web.api.decisions import MAX_RANGES, LegalActionsView, legal_actions_view
from rubicon.web.api.game_state import current_snapshot, game_view, snapshot_at, visible_head
from rubicon.web.api.odds import GameOddsView, seat_odds
from rubicon.web.http.auth import CurrentAccount, player_of, provide_asker
from rubicon.web.http.errors import AnyRequest

# A view holds the server's time, so it is shared for a moment only. The order of a seat and the
# streams of its tabs ask within a few milliseconds of the commit.
MOMENT = 0.25  # seconds
# Others may fill the queue of costly work: the answer to an order must not stay in it.
ODDS_PATIENCE = 0.3  # seconds that an order's answer waits for all its odds
NEXT_EVENT = "next"
log = logging.getLogger(__name__)
MOST_VIEWS = 1_000  # kept for a moment, of some 20 kB each


class NextView(TypedDict):
    """What a seat sees after an order or an event: what `GET /games/{game}/` and `legal` answer.

    `legal` is null where no decision of the seat is pending. `odds` has the answers to the
    questions that came with an order, in their order; null where nothing can be attacked so, and
    where the answer would come late.
    """

    view: GameView
    legal: LegalActionsView | None
    odds: list[GameOddsView | None]


@dataclass(frozen=True, slots=True)
class OrderReceipt(Receipt):
    """A receipt; with `next=true` also what the seat sees next."""

    next: NextView | None = None


class EncodedView(NamedTuple):
    """What a seat sees, and what it may do, as JSON; and both as an event of a stream."""

    view: bytes
    legal: bytes
    event: bytes

    def body(self, odds: Sequence[GameOddsView | None] = ()) -> NextView:
        """The whole, with the answers to the questions of an order."""
        parts = {"view": msgspec.Raw(self.view), "legal": msgspec.Raw(self.legal), "odds": odds}
        return cast(NextView, parts)  # the encoder copies raw JSON as it is


class NextViews:
    """What seats see now: encoded once for all who ask at the same moment, in another thread.

    For use on the event loop, but for `table_changed`. The streams of a seat share the bytes; no
    seat gets another's.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._made: TTLCache[tuple[str, str, int], asyncio.Task[EncodedView]] = TTLCache(
            MOST_VIEWS, MOMENT
        )
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """Make the views on this event loop from now on."""
        self._loop = loop

    def table_changed(self, game: str) -> None:
        """The people or the settings of a table have changed, although its log may not have.

        Runs on the writer thread, must not block.
        """
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._forget_game, game)

    def _forget_game(self, game: str) -> None:
        for key in [key for key in self._made if key[0] == game]:
            self._made.pop(key, None)  # a look-up may have dropped what is too old

    async def of(self, game: str, seat: str, asker: str) -> EncodedView:
        """What a seat ("" for spectators) may see of a game now."""
        current = await current_snapshot(self._server, game, asker)
        return await self._shared(current, seat, asker)

    async def _shared(self, current: Snapshot, seat: str, asker: str) -> EncodedView:
        """What a seat may see of a snapshot, made once for all who ask at this moment."""
        index = await visible_head(self._server, current, seat)
        key = current.id, seat, index
        while (shared := self._made.get(key)) is not None:
            try:
                return await asyncio.shield(shared)
            except WorkError:
                # The refusal of one who asks for too much is not everybody's: another asks then.
                self._forget_failure(key, shared)  # its callback may not have run yet
        task = asyncio.create_task(self._encoded(current, seat, index, asker))
        self._made[key] = task
        task.add_done_callback(lambda done: self._forget_failure(key, done))
        # Shielded: a client that goes away must not cancel what others wait for.
        return await asyncio.shield(task)

    async def after(
        self, game: str, seat: str, asker: str, odds: Sequence[AskOdds] = ()
    ) -> NextView:
        """What a seat sees after its order, with the odds that it asks for."""
        # One for all: odds of another position than that of the view would mislead.
        current = await current_snapshot(self._server, game, asker)
        answers: list[GameOddsView | None] = []
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ODDS_PATIENCE):
                for question in odds:
                    answers.append(await self._odds(current, seat, asker, question))
        answers += [None] * (len(odds) - len(answers))  # a client may still ask for those
        return (await self._shared(current, seat, asker)).body(answers)

    async def _encoded(self, current: Snapshot, seat: str, index: int, asker: str) -> EncodedView:
        snapshot = await snapshot_at(self._server, current, index, asker)
        return await asyncio.to_thread(_encode, self._server, snapshot, seat)

    async def _odds(
        self, snapshot: Snapshot, seat: str, asker: str, question: AskOdds
    ) -> GameOddsView | None:
        if seat not in snapshot.decisions:
            return None
        try:
            return await seat_odds(self._server, snapshot, seat, question, asker)
        except RubiconError:
            return None  # the order has changed the position: the client does not ask again

    def _forget_failure(self, key: tuple[str, str, int], done: asyncio.Task[EncodedView]) -> None:
        failed = done.cancelled() or done.exception() is not None
        if failed and self._made.get(key) is done:  # not a later one, which may succeed
            self._made.pop(key, None)


def _encode(server: Server, snapshot: Snapshot, seat: str) -> EncodedView:
    decides = snapshot.ending is None and seat in snapshot.decisions
    legal = legal_actions_view(snapshot, seat, 0, MAX_RANGES) if decides else None
    view = game_view(server, snapshot, seat)
    encoded = msgspec.json.encode(view), msgspec.json.encode(legal)
    body = b'{"view":%b,"legal":%b,"odds":[]}' % encoded
    event = event_bytes(snapshot.id, snapshot.head, NEXT_EVENT, view["now"], body.decode())
    return EncodedView(*encoded, event)


@dataclass(frozen=True, slots=True)
class Answers:
    """How the orders of a request are answered."""

    views: NextViews
    server: Server
    me: Account | None
    asker: str
    wanted: bool

    async def to(
        self, done: Future[Receipt], game: str, seat: str, odds: Sequence[AskOdds] = ()
    ) -> OrderReceipt:
        """The receipt of an order after its commit, with what the seat sees next if wanted."""
        receipt = await asyncio.wrap_future(done)
        if not self.wanted:
            return cast(OrderReceipt, receipt)  # its JSON stays as it always was
        return await self.complete(receipt, game, seat, odds)

    async def complete(
        self, receipt: Receipt, game: str, seat: str, odds: Sequence[AskOdds] = ()
    ) -> OrderReceipt:
        """A receipt, with what the seat sees next if wanted."""
        if not self.wanted:
            return cast(OrderReceipt, receipt)
        try:
            following = await self._following(game, seat, odds)
        except RubiconError:
            following = None  # the order is done: what fails now must not look like its refusal
        except Exception as error:  # of any kind, for the same reason
            log.error("no view after an order", extra={"game": game}, exc_info=error)
            following = None
        known = {field.name: getattr(receipt, field.name) for field in fields(receipt)}
        return OrderReceipt(**known, next=following)

    async def _following(self, game: str, seat: str, odds: Sequence[AskOdds]) -> NextView | None:
        """What the seat sees next; None where it has gone to somebody else meanwhile."""
        following = await self.views.after(game, seat, self.asker, odds)
        # Last, as the view takes its time: it shows the hand of a seat.
        return following if await player_of(self.me, game, self.server) == seat else None


def provide_answers(
    request: AnyRequest,
    me: CurrentAccount,
    then: Annotated[bool, QueryParameter(name="next")] = False,
) -> Answers:
    """With `next=true` the receipt has what the seat sees next."""
    # Not from dependencies of their own: for two that can be resolved together Litestar starts two
    # tasks, for each request.
    state = request.app.state
    return Answers(state.next_views, state.server, me, provide_asker(request, me), then)


CurrentAnswers = NamedDependency[Answers]
