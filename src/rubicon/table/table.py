"""The only authority over hosted games: accept, ask, settle, each step on the disk."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Connection, or_, select

from rubicon.dice.question import Question, Reply
from rubicon.dice.writing import question
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.position import copy_position
from rubicon.rules.ruleset import Ruleset
from rubicon.table import schema
from rubicon.table.accepting import accept, take_aside, take_back, take_typed
from rubicon.table.agreeing import carry_all
from rubicon.table.errors import DiceAway, NoSuchGame
from rubicon.table.lines import NO_DUTY, Kind, lines_of, report_of
from rubicon.table.live import TYPED, Ending, Live
from rubicon.table.lives import MOST_LIVES, Lives
from rubicon.table.page import Page
from rubicon.table.proceeding import proceed
from rubicon.table.store import Store, now
from rubicon.table.submission import Answered, Receipt, Status, Submission

Change = Callable[[Page], Answered | None]
log = logging.getLogger(__name__)


class DiceServer(Protocol):
    """Somebody else's dice: they hold the dice seed, the table never knows it."""

    def commitment(self, game: str) -> bytes: ...

    def ask(self, question: Question) -> Future[Reply]: ...


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How a game stands behind a committed entry; nothing in it changes any more."""

    id: str
    ruleset: Ruleset
    position: Any
    head: int
    duties: dict[str, int]
    witness: str  # of the dice chain: what players keep to prove it
    waits_for: str  # "dice", "typed" or ""
    bots: dict[str, str]  # who plays in an owner's place
    house_bots: dict[str, str]
    due: dict[str, int]  # when each seat's time is over
    votes: dict[str, frozenset[str]]
    paused: bool
    forked: str  # the game that goes on instead of this one
    ending: Ending | None

    def game(self) -> Game:
        """The game, to be looked at or played on apart."""
        return Game.from_position(self.ruleset, self.position)


@dataclass(frozen=True, slots=True)
class Published:
    """What a committed transaction brought, for those who watch."""

    snapshot: Snapshot
    notices: tuple[dict[str, Any], ...]
    since: int  # the entry that the page began behind


@dataclass(slots=True)
class Turned:
    """What a transaction made of a game."""

    published: Published
    receipt: Receipt
    then: Change  # what the next transaction is to do
    put_off: bool  # whether nothing of what was asked has been done yet
    goes_on: bool  # a request was committed, and is to be answered here
    question: Question | None  # what is to be asked of somebody else's dice
    begun: str  # a game that was begun here, and is to be woken


class Table:
    """Every hosted game of a store.

    Its methods may be called from any thread; what writes returns a future, which is done when
    everything that follows is on the disk: the dice too, unless they are away.
    """

    def __init__(self, store: Store, *, dice: DiceServer | None = None) -> None:
        self.store = store
        self.dice = dice
        self.lives = Lives()
        self._snapshots: dict[str, Snapshot] = {}
        self.handed_in: Counter[str] = Counter()  # submissions, by what became of them
        self._watchers: list[Callable[[Published], None]] = []

    def watch(self, watcher: Callable[[Published], None]) -> None:
        """Be told of everything that is committed here, in the writing thread: be quick."""
        self._watchers.append(watcher)

    def submit(self, submission: Submission) -> Future[Receipt]:
        """Hand in orders or a decision for a duty.

        Fails with Stale, NoSuchGame, DiceAway, StoreAway, and whatever the rules (Refused) and the
        reading of orders (OrdersError) say. A repeated submission gets the stored receipt.
        """
        done = self.change(submission.game, lambda page: accept(page, submission))
        done.add_done_callback(self._count)
        return done

    def aside(self, game: str, seat: str, action: str) -> Future[Receipt]:
        """A decision that answers no duty: a standing order, resigning, a mission shown."""
        return self.change(game, lambda page: take_aside(page, seat, action))

    def undo(self, game: str, seat: str, duty: int) -> Future[Receipt]:
        """Take back the seat's own last decision; never past dice, secrets or a hand-over."""
        return self.change(game, lambda page: take_back(page, seat, duty))

    def type_dice(self, game: str, seat: str, entry: int, outcome: str) -> Future[Receipt]:
        """Say what real dice showed, for the request that stands at an entry."""
        return self.change(game, lambda page: take_typed(page, seat, entry, outcome))

    def wake(self, game: str) -> Future[Receipt]:
        """Go on with a game that was left in the middle of something, by a crash or by the dice."""
        return self.change(game, lambda _: None)

    def change(self, game: str, change: Change) -> Future[Receipt]:
        """Add to a game's page, and go on with whatever follows from it, to the end."""
        done: Future[Receipt] = Future()
        done.set_running_or_notify_cancel()  # whoever waits may go away, but not call it off
        self._turn(game, done, change)
        return done

    def snapshot(self, game: str) -> Snapshot:
        """How a game stands; NoSuchGame where there is none, `game/not-begun` in the lobby."""
        known = self._snapshots.get(game)
        if known is not None and self.store.shared:
            head = self.store.read(lambda connection: _head(connection, game))
            known = known if known.head == head else None
        if known is None:
            self.wake(game).result()
            known = self._snapshots[game]
        return known

    def known(self, game: str) -> Snapshot | None:
        """How a game stood when it was last met here, without asking the store."""
        return self._snapshots.get(game)

    def notices(self, game: str, entry: int) -> list[dict[str, Any]]:
        """What all seats were told by the page that ends with an entry: never to be shown whole."""
        columns = schema.notice.c
        wanted = select(columns.seat, columns.entry, columns.kind, columns.body, columns.at)
        sits = select(schema.seat.c.colour).where(schema.seat.c.game == game)
        told = or_(columns.seat == "", columns.seat.in_(sits))
        wanted = wanted.where(columns.game == game, columns.entry == entry, told)
        wanted = wanted.order_by(columns.id)
        rows = self.store.read(lambda connection: connection.execute(wanted).all())
        return [dict(row._mapping) for row in rows]

    def facts(self, game: str, seat: str, after: int = -1, most: int = 500) -> list[dict[str, Any]]:
        """What a seat ("" for spectators) was told behind an entry, at most so many notices."""
        columns = schema.notice.c
        wanted = (
            select(columns.id, columns.entry, columns.kind, columns.body, columns.at)
            .where(columns.game == game, columns.seat == seat, columns.entry > after)
            .order_by(columns.entry, columns.id)
            .limit(most)
        )
        rows = self.store.read(lambda connection: connection.execute(wanted).all())
        return [dict(row._mapping) for row in rows]

    def _turn(
        self,
        game: str,
        done: Future[Receipt],
        change: Change,
        reply: Reply | None = None,
    ) -> None:
        def behind(future: Future[Turned]) -> None:
            error = future.exception()
            if error is not None:
                done.set_exception(error)
            else:
                self._behind(future.result(), done)

        touched = True

        def job(connection: Connection) -> Turned:
            nonlocal touched
            touched = True
            live = self.lives.take(connection, game)
            page = Page(connection, live, now(connection), embedded=self.dice is None)
            try:
                return self._job(page, change, reply)
            except RubiconError:
                touched = not page.untouched
                raise

        def undone() -> None:
            if touched:
                self.lives.drop(game)

        self.store.write(job, undone).add_done_callback(behind)

    def _job(self, page: Page, change: Change, reply: Reply | None) -> Turned:
        live, embedded = page.live, page.embedded
        if live.requested is not None:
            owed = live.chain.owed
            fits = reply is not None and owed is not None and owed.rid == reply.rid
            proceed(page, reply if fits else None, embedded=embedded)
        answered = None
        if not page.asked:
            answered = change(page)
            self._follow(page, embedded)
        else:
            page.put_off = change  # somebody's orders go on first, up to their end
        page.flush()
        return self._turned(page, answered)

    def _follow(self, page: Page, embedded: bool) -> None:
        """What follows from a change."""
        proceed(page, embedded=embedded)
        if page.live.votes and not page.live.at_rest:
            carry_all(page)
            proceed(page, embedded=embedded)

    def _turned(self, page: Page, answered: Answered | None) -> Turned:
        live, asked = page.live, None
        if live.chain.owed is not None and self.dice is not None:
            asked = question(live.chain, silent=live.chain.contributors())
        receipt = receipt_of(page.connection, live, answered)
        published = Published(snapshot_of(live), tuple(page.notices), page.first - 1)
        goes_on = page.asked and self.dice is None
        then = page.put_off or (lambda _: answered)
        put_off = page.put_off is not None
        return Turned(published, receipt, then, put_off, goes_on, asked, page.begun)

    def _behind(self, turned: Turned, done: Future[Receipt]) -> None:
        """Behind the commit: tell the watchers, and go on with the dice."""
        game = turned.published.snapshot.id
        self._keep(turned.published.snapshot)
        if turned.published.since < turned.published.snapshot.head:
            for watcher in self._watchers:
                try:
                    watcher(turned.published)
                except Exception as error:
                    log.error("a watcher failed", extra={"game": game}, exc_info=error)
        if turned.begun:
            self.wake(turned.begun)
        if turned.goes_on:
            self._turn(game, done, turned.then)
        elif turned.question is not None:
            self._ask(game, turned, turned.question, done)
        else:
            done.set_result(turned.receipt)

    def _count(self, done: Future[Receipt]) -> None:
        error = done.exception()
        if error is None:
            became = done.result().status.value
        else:
            became = error.code if isinstance(error, RubiconError) else "failed"
        self.handed_in[became] += 1

    def _keep(self, snapshot: Snapshot) -> None:
        """Put it where readers find it, in the place of what was not asked for longest."""
        self._snapshots.pop(snapshot.id, None)
        self._snapshots[snapshot.id] = snapshot
        while len(self._snapshots) > MOST_LIVES:
            self._snapshots.pop(next(iter(self._snapshots)), None)

    def _ask(self, game: str, turned: Turned, asked: Question, done: Future[Receipt]) -> None:
        """Outside of any transaction; where there is no answer the request stands and waits."""
        assert self.dice is not None

        def replied(future: Future[Reply]) -> None:
            if future.exception() is None:
                self._turn(game, done, turned.then, future.result())
            elif turned.put_off:
                done.set_exception(DiceAway())
            else:
                done.set_result(turned.receipt)

        self.dice.ask(asked).add_done_callback(replied)


def receipt_of(connection: Connection, live: Live, answered: Answered | None) -> Receipt:
    """How an act stands now, as the log tells it."""
    if answered is None:
        answered = Answered("", NO_DUTY, live.head + 1)
    said: dict[str, Any] = {}
    if answered.orders:
        line = report_of(connection, live.id, answered.seat, answered.duty)
        said = {} if line is None else json.loads(line.text)
        last = live.head if line is None else line.entry
        status = Status(said["status"]) if line is not None else Status.WAITING
    else:
        last, status = _last_of(connection, live, answered.first), Status.DONE
    if live.requested is not None and not said:
        status = Status.DICE
    return Receipt(
        live.id,
        answered.seat,
        answered.duty,
        answered.first,
        last,
        status,
        live.duties.get(answered.seat),
        said.get("reason", ""),
        tuple(said.get("notes", ())),
    )


def _last_of(connection: Connection, live: Live, first: int) -> int:
    """The last entry that chance alone added to a decision."""
    if live.decision is None or live.decision.entry == first or first > live.head:
        return max(first, live.followed) if first <= live.head else live.head
    last = first
    for line in lines_of(connection, live.id, first):
        if line.kind not in (Kind.REQUEST, Kind.OUTCOME, Kind.END):
            break
        last = line.entry
    return last


def snapshot_of(live: Live) -> Snapshot:
    """What readers may hold on to while the game goes on."""
    waits_for = "" if live.requested is None else "typed" if live.requested == TYPED else "dice"
    return Snapshot(
        live.id,
        live.game.ruleset,
        copy_position(live.game.position),
        live.head,
        dict(live.duties),
        live.chain.witness,
        waits_for,
        dict(live.bots),
        live.house_bots,
        {seat: due for seat in live.duties if (due := live.clocks.due(seat)) is not None},
        {motion: frozenset(seats) for motion, seats in live.votes.items()},
        live.paused,
        live.forked,
        live.ending,
    )


def _head(connection: Connection, game: str) -> int:
    wanted = select(schema.game.c.head).where(schema.game.c.id == game)
    head = connection.execute(wanted).scalar_one_or_none()
    if head is None:
        raise NoSuchGame(game)
    return int(head)
