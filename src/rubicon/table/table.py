"""The only authority over hosted games: accept, ask, settle, each step on the disk."""

from __future__ import annotations

import json
import logging
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, or_, select

from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.position import copy_position
from rubicon.rules.ruleset import Ruleset
from rubicon.table import schema
from rubicon.table.accepting import accept, take_aside, take_back, take_typed
from rubicon.table.agreeing import carry_all
from rubicon.table.elsewhere import DiceServer, Errand, Given, Rests, errand_of, sent, take_given
from rubicon.table.entropy import take_deposit, take_link
from rubicon.table.errors import DiceAway, NoSuchGame
from rubicon.table.lines import NO_DUTY, Kind, lines_of, report_of
from rubicon.table.live import BY_CHANCE, TYPED, Ending, LinkWanted, Live
from rubicon.table.lives import MOST_LIVES, Lives
from rubicon.table.page import Page
from rubicon.table.patience import Asker, Patience
from rubicon.table.proceeding import proceed
from rubicon.table.store import Store
from rubicon.table.submission import Answered, Receipt, Status, Submission

Change = Callable[[Page], Answered | None]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How a game stands behind a committed entry; nothing in it changes any more."""

    id: str
    ruleset: Ruleset
    position: Any
    head: int
    duties: dict[str, int]
    witness: str  # of the dice chain: what players keep to prove it
    waits_for: str  # "dice", "links", "typed" or ""
    links_wanted: dict[str, LinkWanted]  # of seats that keep hash chains of their own
    links_left: dict[str, int]
    opened: bool  # whether the seeds of the dice are open
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
    links: bool  # links of other seats are waited for
    patient: bool  # whoever asked waits for them, too
    errand: Errand | None  # what is to be asked of somebody else's dice
    begun: str  # a game that was begun here, and is to be woken


class Table:
    """Every hosted game of a store; `dice` are somebody else's, for the games that begin from here.

    Its methods may be called from any thread; what writes returns a future, which is done when
    everything that follows is on the disk: the dice too, unless they are away.
    """

    def __init__(self, store: Store, *, dice: DiceServer | None = None) -> None:
        self.store = store
        self.dice = dice
        self.lives = Lives()
        self.patience = Patience()
        self.rests = Rests()
        self._snapshots: dict[str, Snapshot] = {}
        self._keeping = threading.Lock()
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
        return self.change(game, nothing)

    def deposit(self, game: str, seat: str, link: str, length: int) -> Future[Receipt]:
        """The end of a hash chain that the seat's own program keeps (docs/fair-dice.md)."""
        return self.change(game, lambda page: take_deposit(page, seat, link, length))

    def open_link(self, game: str, seat: str, request: str, link: str) -> Future[Receipt]:
        """The seat's next link, for the request that asks for it; answered as soon as it is kept.

        Nobody who gives a link waits for others: he may be asked for the next one before.
        """
        return self.change(game, lambda page: take_link(page, seat, request, link), prompt=True)

    def change(self, game: str, change: Change, *, prompt: bool = False) -> Future[Receipt]:
        """Add to a game's page, and go on with whatever follows from it, to the end.

        `prompt` is never put off, and answered behind its own commit.
        """
        done: Future[Receipt] = Future()
        done.set_running_or_notify_cancel()  # whoever waits may go away, but not call it off
        self._turn(game, done, change, prompt=prompt)
        return done

    def look_again(self) -> None:
        """Ask again for dice that were away, and for links that another worker may have taken.

        To be called every second.
        """
        for game in self.rests.due():
            self.wake(game)
        for game in self.patience.look():
            if self.store.shared:
                self._go_on_waiting(game)

    def snapshot(self, game: str) -> Snapshot:
        """How a game stands; NoSuchGame where there is none, `game/not-begun` in the lobby."""
        known = self._snapshots.get(game)
        if known is not None and self.store.shared:
            head = self.store.read(lambda connection: _head(connection, game))
            known = known if known.head == head else None
        while known is None:  # once, unless hundreds of others are looked at in that moment
            self.wake(game).result()
            known = self._snapshots.get(game)
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
        *,
        given: Given | None = None,
        before: Turned | None = None,
        prompt: bool = False,
        since: float | None = None,
    ) -> None:
        def behind(future: Future[Turned]) -> None:
            error = future.exception()
            if error is None:
                self.lives.done(game, owner)
                self._behind(future.result(), done, prompt, since)
                return
            if before is not None and isinstance(error, DiceAway):
                self._away(game, error, before, done)
            else:
                done.set_exception(error)

        touched, owner = False, object()

        def job(connection: Connection) -> Turned:
            nonlocal touched, owner
            touched, owner = True, connection.get_transaction() or owner
            page = Page(connection, *self.lives.take(connection, game))
            try:
                return self._job(page, change, given, prompt)
            except Exception as error:
                touched = not (isinstance(error, RubiconError) and page.untouched)
                if touched:
                    self.lives.forget(game)  # whoever is next in this transaction builds it anew
                raise

        def undone() -> None:
            if touched:
                self.lives.drop(game, owner)
            else:
                self.lives.done(game, owner)

        to_be_built = self.lives.held(game) is None
        self.store.write(job, undone, game, long=to_be_built).add_done_callback(behind)

    def _job(self, page: Page, change: Change, given: Given | None, prompt: bool) -> Turned:
        if given is not None:
            take_given(page, given)
        if given is not None or (page.live.requested is not None and not prompt):
            proceed(page)
        answered = None
        if page.asked:
            page.put_off = change  # somebody's orders go on first, up to their end
        else:
            answered = self._change(page, change)
        page.flush()
        return self._turned(page, answered)

    def _change(self, page: Page, change: Change) -> Answered | None:
        """Do it, and what follows from it; put off where links are waited for."""
        try:
            answered = change(page)
        except DiceAway:
            if not page.live.links_wanted:
                raise
            page.put_off = change
            return None
        proceed(page)
        if page.live.votes and not page.live.at_rest:
            carry_all(page)
            proceed(page)
        return answered

    def _turned(self, page: Page, answered: Answered | None) -> Turned:
        live = page.live
        receipt = receipt_of(page.connection, live, answered)
        published = Published(snapshot_of(live), tuple(page.notices), page.first - 1)
        links = bool(live.links_wanted)
        goes_on = page.asked and live.answered_at_once
        put_off = page.put_off not in (None, nothing)
        return Turned(
            published,
            receipt,
            page.put_off or (lambda _: answered),
            put_off,
            goes_on,
            links,
            answered is not None or put_off,
            errand_of(live),
            page.begun,
        )

    def _behind(
        self, turned: Turned, done: Future[Receipt], prompt: bool, since: float | None
    ) -> None:
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
        if prompt:
            done.set_result(turned.receipt)
            done, turned = Future(), replace(turned, then=nothing, patient=False)
        if turned.links:
            self._wait(game, turned, done, since)
            return
        if turned.goes_on:
            self._turn(game, done, turned.then, since=since)
        elif turned.errand is not None and self.dice is not None:
            self._ask(game, turned, sent(turned.errand, self.dice), done)
        elif turned.errand is not None and turned.put_off:
            done.set_exception(DiceAway())
        else:
            self.rests.over(game)
            done.set_result(turned.receipt)
        self._go_on_waiting(game)

    def _wait(self, game: str, turned: Turned, done: Future[Receipt], since: float | None) -> None:
        """Until other seats have given their links, where whoever asked wants to know."""
        if not turned.patient:
            done.set_result(turned.receipt)
            return
        begun = self.patience.clock() if since is None else since
        waiting = Asker(done, turned.then, turned.receipt, turned.put_off, begun)
        self.patience.wait(game, waiting)

    def _go_on_waiting(self, game: str) -> None:
        """The game has gone on: whoever waited for it gets an answer, or waits for what is next."""
        for waiting in self.patience.take(game):
            self._turn(game, waiting.done, waiting.then, since=waiting.since)

    def _count(self, done: Future[Receipt]) -> None:
        error = done.exception()
        if error is None:
            became = done.result().status.value
        else:
            became = error.code if isinstance(error, RubiconError) else "failed"
        self.handed_in[became] += 1

    def _keep(self, snapshot: Snapshot) -> None:
        """Put it where readers find it, in the place of what was not asked for longest.

        What another writing thread has kept meanwhile may be newer: it stays.
        """
        with self._keeping:
            known = self._snapshots.pop(snapshot.id, None)
            newer = known is not None and known.head > snapshot.head
            self._snapshots[snapshot.id] = known if known is not None and newer else snapshot
            while len(self._snapshots) > MOST_LIVES:
                del self._snapshots[next(iter(self._snapshots))]

    def _ask(self, game: str, turned: Turned, asked: Future[Given], done: Future[Receipt]) -> None:
        """Outside of any transaction; where there is no answer the request stands and waits."""

        def replied(future: Future[Given]) -> None:
            error = future.exception()
            if error is None:
                self.rests.over(game)
                self._turn(game, done, turned.then, given=future.result(), before=turned)
            else:
                self._away(game, error, turned, done)

        asked.add_done_callback(replied)

    def _away(self, game: str, error: BaseException, turned: Turned, done: Future[Receipt]) -> None:
        """The dice did not answer, or not rightly: they are asked again by and by."""
        log.warning("game %s waits for its dice: %s", game, error)
        self.rests.later(game)
        if turned.put_off:
            done.set_exception(error if isinstance(error, DiceAway) else DiceAway())
        else:
            done.set_result(turned.receipt)


def nothing(_: Page) -> None:
    """Only what happens by itself."""


def receipt_of(connection: Connection, live: Live, answered: Answered | None) -> Receipt:
    """How an act stands now, as the log tells it."""
    if answered is None:
        answered = Answered("", NO_DUTY, live.head + 1)
    said: dict[str, Any] = {}
    if answered.orders:
        line = report_of(connection, live.id, answered.seat, answered.duty)
        under_way: dict[str, Any] = {"passed_over": live.passed_over.get(answered.seat, ())}
        said = under_way if line is None else json.loads(line.text)
        last = live.head if line is None else line.entry
        unsaid = Status.DONE if live.at_rest else Status.WAITING
        status = Status(said["status"]) if line is not None else unsaid
    else:
        last, status = _last_of(connection, live, answered.first), Status.DONE
    if live.requested is not None and "status" not in said:
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
        tuple(said.get("passed_over", ())),
    )


def _last_of(connection: Connection, live: Live, first: int) -> int:
    """The last entry that chance alone added to a decision."""
    if live.decision is None or live.decision.entry == first or first > live.head:
        return max(first, live.followed) if first <= live.head else live.head
    last = first
    for line in lines_of(connection, live.id, first):
        if line.kind is Kind.ACTION:
            break
        last = line.entry if line.kind in BY_CHANCE else last
    return last


def snapshot_of(live: Live) -> Snapshot:
    """What readers may hold on to while the game goes on."""
    wanted = live.links_wanted
    return Snapshot(
        live.id,
        live.game.ruleset,
        copy_position(live.game.position),
        live.head,
        dict(live.duties),
        live.chain.witness,
        "links" if wanted else waits_for(live),
        wanted,
        live.links_left,
        live.chain.closed,
        dict(live.bots),
        live.house_bots,
        {seat: due for seat in live.duties if (due := live.clocks.due(seat)) is not None},
        {motion: frozenset(seats) for motion, seats in live.votes.items()},
        live.paused,
        live.forked,
        live.ending,
    )


def waits_for(live: Live) -> str:
    """What must come before anybody decides: typed dice, those of the chain, or their promise."""
    if live.requested is None:
        return "" if live.promised or live.at_rest else "dice"
    return "typed" if live.requested == TYPED else "dice"


def _head(connection: Connection, game: str) -> int:
    wanted = select(schema.game.c.head).where(schema.game.c.id == game)
    head = connection.execute(wanted).scalar_one_or_none()
    if head is None:
        raise NoSuchGame(game)
    return int(head)
