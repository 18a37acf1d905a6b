"""The service that runs hosted games: every change to a game goes through it."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from cachetools import TTLCache
from sqlalchemy import Connection, or_, select

from rubicon.dice.lines.members import Deposit, Presence
from rubicon.dice.lines.opening import Opened, Sealed
from rubicon.dice.lines.request import GivenLink
from rubicon.errors import RubiconError
from rubicon.table.commands.advance import proceed
from rubicon.table.commands.dice_participants import (
    DiceServer,
    DiceServerCall,
    DiceServerRetries,
    Given,
    LinkReceipt,
    dice_server_call,
    seen,
    sent,
    take_deposit,
    take_given,
    take_link,
    take_opening,
    take_presence,
    take_seal,
)
from rubicon.table.commands.submit import (
    Answered,
    Receipt,
    Submission,
    accept,
    receipt_of,
    take_back,
    take_out_of_turn,
    take_typed,
)
from rubicon.table.commands.votes import carry_all, take_lost_lines
from rubicon.table.errors import DiceRefused, DiceUnavailable
from rubicon.table.game.game_cache import MAX_GAMES, GameCache, check_begun, loaded
from rubicon.table.game.snapshot import GameUpdate, Snapshot, snapshot_of
from rubicon.table.game.unit_of_work import UnitOfWork, for_each_reader
from rubicon.table.notices import EVERYONE, SPECTATORS
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from rubicon.table.storage.statements import LockedGame

Command = Callable[[UnitOfWork], Answered | None]
LINK_TIMEOUT = 25.0  # seconds that an HTTP request waits for links of other seats
SEEN_AGAIN = 15.0  # seconds between two notes that a seat's connection lives
MAX_SEEN = 10_000
PEER_CHECK = 1.0  # seconds between two looks for links that another server has taken
log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Step:
    """The result of one transaction of a command."""

    # Both None where `_play` rolls the dice at once: then it tells all of it together.
    update: GameUpdate | None
    receipt: Receipt | None
    rest: Command  # what the next transaction is to do
    postponed: bool  # whether nothing of the command has been done yet
    dice_follow: bool  # a request was committed: the next transaction goes on with it
    links_wanted: bool  # the pending dice need links of other seats
    has_asker: bool  # whether a client waits for the whole result
    question: DiceServerCall | None  # for an independent dice server
    begun: str  # a forked game that began in this transaction


class TableService:
    """The hosted games of a database; `dice` is the independent dice server of its tables, if any.

    Methods may be called from any thread. Those that write return a future, which is done when all
    consequences are durable: the dice too, unless they are unavailable. The work itself runs on the
    writer thread: `cache` needs no lock.
    """

    def __init__(self, store: Store, *, dice: DiceServer | None = None) -> None:
        self.store = store
        self.dice = dice
        self.cache = GameCache()
        self.dice_retries = DiceServerRetries()
        self.refused: dict[str, str] = {}  # games that their dice server stops, and the code why
        self._dice_faults: dict[str, str] = {}  # the same and those that wait for it: in sentences
        self.submissions: Counter[str] = Counter()  # by their result
        self._snapshots: OrderedDict[str, Snapshot] = OrderedDict()
        self._advanced: dict[str, asyncio.Event] = {}  # set when a game no longer needs links
        self._seen: TTLCache[tuple[str, str], bool] = TTLCache(MAX_SEEN, SEEN_AGAIN)
        self._seen_lock = threading.Lock()
        self._watchers: list[Callable[[GameUpdate], None]] = []

    def watch(self, watcher: Callable[[GameUpdate], None]) -> None:
        """Call a function after every commit here, on the writer thread; it must not block."""
        self._watchers.append(watcher)

    def submit(self, submission: Submission) -> Future[Receipt]:
        """Answer a decision, with an action or a text of orders.

        Fails with Stale, NoSuchGame, DiceUnavailable, StoreUnavailable, Refused where the rules do
        not allow it, and OrdersError where the text cannot be parsed. A repeated submission gets
        the same receipt.
        """
        return self.store.run(partial(self._submit, submission))

    def out_of_turn(self, game: str, seat: str, action: str) -> Future[Receipt]:
        """An out-of-turn action: a standing order, a resignation, or a revealed mission."""
        return self.change(game, lambda unit: take_out_of_turn(unit, seat, action))

    def undo(self, game: str, seat: str, decision: int) -> Future[Receipt]:
        """Undo the seat's own last action; never past dice, secrets or the end of the turn."""
        return self.change(game, lambda unit: take_back(unit, seat, decision))

    def type_dice(self, game: str, seat: str, index: int, outcome: str) -> Future[Receipt]:
        """Enter the result of real dice, for the request at a log index."""
        return self.change(game, lambda unit: take_typed(unit, seat, index, outcome))

    def wake(self, game: str) -> Future[Receipt]:
        """Resume a game that a crash has interrupted, or that waits for its dice."""
        return self.change(game, nothing)

    def deposit(
        self, game: str, seat: str, deposit: Deposit, certificate: bytes | None = None
    ) -> Future[Receipt]:
        """Add a seat's hash chain to the dice of a running game (docs/fair-dice.md)."""
        return self.change(game, lambda unit: take_deposit(unit, seat, deposit, certificate))

    def presence(self, game: str, seat: str, presence: Presence) -> Future[Receipt]:
        """A seat's client joins the dice, or leaves them."""
        return self.change(game, lambda unit: take_presence(unit, seat, presence))

    def link(self, game: str, seat: str, n: int, given: GivenLink) -> Future[LinkReceipt]:
        """The link of a seat's client for a dice request; done when it is durable.

        It does not wait for the links of other seats: that could delay the seat's next link.
        """
        return self.store.run(partial(self._take_link, game, seat, n, given))

    def seal(self, game: str, sealed: Sealed) -> Future[Receipt]:
        """The salted hash of the placement that a seat's client keeps to itself."""
        return self.change(game, lambda unit: take_seal(unit, sealed))

    def open_placement(self, game: str, opened: Opened) -> Future[Receipt]:
        """What a seat's client has sealed, when all seats have."""
        return self.change(game, lambda unit: take_opening(unit, opened))

    def show_lost_lines(self, game: str, seat: str, lines: Sequence[str]) -> Future[Receipt]:
        """Stop a game that has lost these lines of its dice, which this server has signed.

        No roll is made before: one that waits may be a second one for the same request.
        """
        command = partial(take_lost_lines, seat=seat, lines=lines)
        return self.store.run(partial(self._stop, game, command))

    def seen(self, game: str, seat: str) -> None:
        """Note that a seat's connection lives; else its client counts as lost to the dice."""
        snapshot = self._snapshots.get(game)
        if snapshot is None or seat not in snapshot.dice_clients:
            return
        with self._seen_lock:
            if (game, seat) in self._seen:
                return
            self._seen[game, seat] = True
        self.store.write(partial(seen, game=game, seat=seat))

    def change(self, game: str, command: Command) -> Future[Receipt]:
        """Run a command on a game, and all that follows from it."""
        return self.store.run(partial(self._play, game, command))

    def retry_dice_server(self) -> None:
        """Repeat requests to a dice server that was unavailable; to be called every second."""
        for game in self.dice_retries.due():
            self.wake(game)

    def snapshot(self, game: str) -> Snapshot:
        """The present state of a game; NoSuchGame, or TableError `game/not-begun` in the lobby."""
        known = self._snapshots.get(game)
        if known is not None and self.store.shared:
            head = self.store.read(lambda connection: _head(connection, game))
            check_begun(game, head)
            known = known if known.head == head else None
        while known is None:  # again only if other games have pushed it out of the cache meanwhile
            self.wake(game).result()
            known = self._snapshots.get(game)
        return known

    def waiting_for(self, snapshot: Snapshot) -> str:
        """What the next decision of a game waits for: `Snapshot.waits_for`, "dice-refused", or
        "openings" of sealed placements."""
        stopped = snapshot.waits_for == "dice" and snapshot.id in self.refused
        opening = "openings" if snapshot.openings else ""
        return "dice-refused" if stopped else snapshot.waits_for or opening

    def waiting_reason(self, snapshot: Snapshot) -> str:
        """Why a game waits for its dice server, in sentences; "" where it waits for nothing else
        than its players and their links."""
        return self._dice_faults.get(snapshot.id, "") if snapshot.waits_for == "dice" else ""

    def cached_snapshot(self, game: str) -> Snapshot | None:
        """The cached state of a game, without a query; it may be old, or None."""
        return self._snapshots.get(game)

    def notifications(self, game: str, index: int) -> list[dict[str, Any]]:
        """The notifications of the unit of work that ends at a log index, for all readers.

        They hold the secrets of every seat: the caller must show each reader its own only.
        """
        columns, seats = schema.notification.c, schema.seat.c
        sits = select(seats.colour).where(seats.game == game)
        readers = or_(columns.seat.in_((SPECTATORS, EVERYONE)), columns.seat.in_(sits))
        wanted = (
            select(columns.seat, *_SHOWN)
            .where(columns.game == game, columns.log_index == index, readers)
            .order_by(columns.id)
        )

        def read(connection: Connection) -> list[dict[str, Any]]:
            colours = connection.execute(sits.order_by(seats.number)).scalars().all()
            rows = [dict(row._mapping) for row in connection.execute(wanted)]
            return for_each_reader(rows, colours)

        return self.store.read(read)

    def facts(self, game: str, seat: str, after: int = -1, most: int = 500) -> list[dict[str, Any]]:
        """The notifications of a seat ("" for spectators) after a log index, at most `most`.

        None that is ahead of `snapshot`: a client that reads an event, and then the state, finds
        it there.
        """
        known = None if self.store.shared else self._snapshots.get(game)
        columns = schema.notification.c
        wanted = (
            select(columns.id, *_SHOWN)
            .where(columns.game == game, columns.seat.in_((seat, EVERYONE)))
            .where(columns.log_index > after)
            .order_by(columns.log_index, columns.id)
            .limit(most)
        )
        if known is not None:  # a commit is in the database shortly before it is in the snapshot
            wanted = wanted.where(columns.log_index <= known.head)
        rows = self.store.read(lambda connection: connection.execute(wanted).all())
        return [dict(row._mapping) for row in rows]

    async def _submit(self, submission: Submission) -> Receipt:
        result = "failed"
        try:
            receipt = await self._play(submission.game, lambda unit: accept(unit, submission))
            result = receipt.status.value
        except RubiconError as error:
            result = error.code
            raise
        finally:
            self.submissions[result] += 1
        return receipt

    async def _take_link(self, game: str, seat: str, n: int, given: GivenLink) -> LinkReceipt:
        taken: list[LinkReceipt] = []

        def command(unit: UnitOfWork) -> None:
            taken.append(take_link(unit, seat, n, given))

        step = await self._transaction(game, command, proceed_first=False)
        if step.dice_follow or step.question is not None:
            self.wake(game)
        return taken[-1]

    async def _stop(self, game: str, command: Command) -> Receipt:
        return _receipt(await self._transaction(game, command, proceed_first=False))

    async def _play(self, game: str, command: Command) -> Receipt:
        """Run a command and all that follows from it: each step is one durable transaction."""
        began = time.monotonic()
        step = await self._transaction(game, command)
        while True:
            if step.links_wanted:
                if not step.has_asker:
                    return _receipt(step)
                if not await self._game_advances(game, began):
                    if step.postponed:
                        raise DiceUnavailable("links of other seats are waited for")
                    return _receipt(step)
                step = await self._transaction(game, step.rest)
            elif step.dice_follow:
                try:
                    step = await self._transaction(game, step.rest)
                except BaseException:
                    self._snapshots.pop(game, None)  # it is older than the request that is
                    raise
            elif step.question is None:
                self._dice_answered(game)
                return _receipt(step)
            else:
                # The call runs outside of any transaction, so that no lock waits for the network.
                # The request is durable: if the call fails, it is repeated later.
                try:
                    given = await self._ask_dice_server(game, step.question)
                except Exception as error:
                    return self._dice_unreachable(game, step, error)
                try:
                    step = await self._transaction(game, step.rest, given=given)
                except DiceUnavailable as error:  # the answer does not match the chain
                    return self._dice_unreachable(game, step, error)
                self._dice_answered(game)

    async def _ask_dice_server(self, game: str, question: DiceServerCall) -> Given:
        if self.dice is None:
            raise DiceUnavailable("this server no longer names an independent dice server")
        return await asyncio.wrap_future(sent(question, self.dice))

    def _dice_answered(self, game: str) -> None:
        self.dice_retries.over(game)
        self.refused.pop(game, None)
        self._dice_faults.pop(game, None)

    def _dice_unreachable(self, game: str, step: Step, error: Exception) -> Receipt:
        """Leave the request pending; `retry_dice_server` repeats it with back-off."""
        if isinstance(error, DiceRefused) and self.refused.get(game) != error.reason:
            self.refused[game] = error.reason
            log.error("dice server refused", extra={"game": game, "reason": error.reason})
        known = error if isinstance(error, DiceUnavailable) else DiceUnavailable()
        if isinstance(error, DiceRefused) or game not in self.refused:
            self._dice_faults[game] = f"{known.message} {known.suggestion}".strip()
        if self.dice is not None and self.dice_retries.later(game):
            log.warning("dice server failed", extra={"game": game}, exc_info=error)
        if step.postponed:
            raise known from error
        return _receipt(step)

    async def _game_advances(self, game: str, began: float) -> bool:
        """Wait until a game has the links that it needs; False after LINK_TIMEOUT."""
        advanced = self._advanced.setdefault(game, asyncio.Event())
        while time.monotonic() - began <= LINK_TIMEOUT and not self.store.closing:
            with suppress(TimeoutError):
                await asyncio.wait_for(advanced.wait(), PEER_CHECK)
            if advanced.is_set() or self.store.shared:
                return True  # the next transaction sees what another server has written
        return False

    async def _transaction(
        self,
        game: str,
        command: Command,
        *,
        given: Given | None = None,
        proceed_first: bool = True,
    ) -> Step:
        """Run a command in one transaction, and publish the result when it is durable."""
        if self.cache.held(game) is None:
            await self._load(game)
        untouched = False

        def work(connection: Connection, locked: LockedGame | None) -> Step:
            nonlocal untouched
            untouched = False  # the writer may run a job more than once
            live = self.cache.up_to_date(connection, game, locked)
            changed = live.hosted.changed
            # The database's clock may be set back; the times of a log never decrease.
            at = max(locked.at, changed) if locked is not None else changed
            digest = locked.digest if locked is not None else ""
            unit = UnitOfWork(connection, live, at, digest)
            try:
                return _step(unit, command, given, proceed_first)
            except Exception as error:
                untouched = isinstance(error, RubiconError) and unit.untouched
                if not untouched:
                    self.cache.forget(game)
                raise

        def rolled_back() -> None:
            if not untouched:  # the cached game holds changes that were not stored
                self.cache.forget(game)

        step = await self.store.transaction(work, game, rolled_back)
        self._publish(step)
        return step

    async def _load(self, game: str) -> None:
        """Rebuild a game in another thread: a long log would block the writer thread."""

        def load(connection: Connection) -> Any:
            check_begun(game, _head(connection, game))
            return loaded(connection, game)

        live = await self.store.read_in_background(load)
        # Another task may have loaded it during the await, and may have added lines since.
        if self.cache.held(game) is None:
            self.cache.put(live)

    def _publish(self, step: Step) -> None:
        """Tell readers and watchers what is durable now."""
        update = step.update
        if update is None:
            return
        snapshot = update.snapshot
        self._snapshots[snapshot.id] = snapshot
        self._snapshots.move_to_end(snapshot.id)
        while len(self._snapshots) > MAX_GAMES:
            self._snapshots.popitem(last=False)
        if update.since < snapshot.head:
            for watcher in self._watchers:
                try:
                    watcher(update)
                except Exception:
                    log.exception("watcher failed", extra={"game": snapshot.id})
        if step.begun:
            self.wake(step.begun)
        if not step.links_wanted and (advanced := self._advanced.pop(snapshot.id, None)):
            advanced.set()


def _receipt(step: Step) -> Receipt:
    """The receipt of the last step of a command."""
    assert step.receipt is not None
    return step.receipt


def nothing(_: UnitOfWork) -> None:
    """The command that changes nothing: the game only advances by itself."""


def _step(unit: UnitOfWork, command: Command, given: Given | None, proceed_first: bool) -> Step:
    """Do one step of a command in a transaction, and write its rows."""
    hosted = unit.hosted
    if given is not None:
        take_given(unit, given)
    if given is not None or (hosted.requested is not None and proceed_first):
        proceed(unit)
    answered = None
    if unit.requests_dice:
        unit.postponed = command  # running orders have requested dice: the command runs after them
    else:
        answered = _run(unit, command)
    unit.flush()
    postponed = unit.postponed not in (None, nothing)
    live = unit.live
    since = unit.first - 1 if live.published is None else live.published
    live.published = since
    update = receipt = None
    links_wanted = bool(hosted.links_wanted)
    if not (unit.answered_at_once and proceed_first) or unit.begun:
        live.published = None
        update = GameUpdate(snapshot_of(hosted), unit.notifications, since, hosted.game.colours)
        receipt = receipt_of(unit.connection, hosted, answered)
    return Step(
        update=update,
        receipt=receipt,
        rest=unit.postponed or (lambda _: answered),
        postponed=postponed,
        dice_follow=unit.requests_dice and not links_wanted,
        links_wanted=links_wanted,
        has_asker=answered is not None or postponed,
        question=dice_server_call(live),
        begun=unit.begun,
    )


def _run(unit: UnitOfWork, command: Command) -> Answered | None:
    """Run a command and what follows from it; postpone it where links of seats are pending."""
    try:
        answered = command(unit)
    except DiceUnavailable:
        if not unit.hosted.links_wanted:
            raise
        unit.postponed = command
        return None
    proceed(unit)
    if unit.hosted.votes and not unit.hosted.at_rest:
        carry_all(unit)
        proceed(unit)
    return answered


_SHOWN = (
    schema.notification.c.log_index.label("index"),
    schema.notification.c.kind,
    schema.notification.c.body,
    schema.notification.c.at,
)


def _head(connection: Connection, game: str) -> int | None:
    wanted = select(schema.game.c.head).where(schema.game.c.id == game)
    return connection.execute(wanted).scalar_one_or_none()
