"""Rebuilds games from their logs and compares with everything else that the store says of them.

Every line must follow from those before it; every request must be the one that the game and its
dice chain call for, every outcome what the chain answered; every notice must tell what that seat
may know, and no more. What was changed is found at the entry where it was changed, or at the first
one that does not fit to it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import Connection, select

from rubicon.dice.bodies import Answer, Deposit, Genesis, Keeper, Request, Reveal, Shown
from rubicon.dice.entry import Entry
from rubicon.dice.seeds import commitment, next_down, table_commitment
from rubicon.dice.verify import verify
from rubicon.dice.writing import Order, deposit
from rubicon.rules.errors import RubiconError
from rubicon.rules.text.actions import parse_action
from rubicon.table import chance, schema
from rubicon.table.chance import HeldSeeds
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.lines import NO_DUTY, Kind, Line, lines_of
from rubicon.table.live import TYPED, Events, Live
from rubicon.table.lives import seeds_of
from rubicon.table.lobby_seats import OVER
from rubicon.table.page import due_times, facts_body, facts_told
from rubicon.table.proceeding import status_of
from rubicon.table.store import Store


class Damaged(TableError):
    """The first entry of a game's log that is not right; `entry` None where it is none of them."""

    def __init__(
        self, entry: int | None, code: str, message: str, expected: str = "", found: str = ""
    ) -> None:
        self.entry = entry
        self.expected = expected[:300]
        self.found = found[:300]
        super().__init__(code, message, "Restore a backup; docs/hosting.md tells how.")


@dataclass(frozen=True, slots=True)
class Stored:
    """Everything that the store says of a game."""

    game: str
    state: str
    head: int
    lines: Sequence[Line]
    dice: Sequence[str]
    seeds: HeldSeeds
    facts: Mapping[int, Mapping[str, Sequence[str]]]  # the bodies by entry and seat
    clocks: Mapping[tuple[str, str], int]  # when something is due, by seat and kind


@dataclass
class Report:
    """What a check of a store found."""

    games: int = 0
    entries: int = 0
    answers: int = 0
    sealed: list[str] = field(default_factory=list)  # over, but their seeds were never opened
    damaged: dict[str, Damaged] = field(default_factory=dict)


Told = Callable[[int, int], None]


def verify_store(
    store: Store,
    games: Sequence[str] = (),
    heads: Iterable[str] = (),
    told: Told = lambda done, of: None,
) -> Report:
    """Check all games of a store that have begun, or some; `told` hears how far it is.

    `heads` are heads of dice chains that somebody kept, each `GAME:SEQ:HASH`: that their game is
    still the same, and not an older one from a backup, is checked too.
    """
    known = _by_game(heads)
    chosen = sorted({*games, *known}) if games or known else store.read(begun)
    report = Report()
    for game in chosen:
        told(report.games, len(chosen))
        report.games += 1
        try:
            stored = store.read(partial(stored_of, game=game), frozen=True)
            live = verify_game(stored, known.get(game, ()))
        except Damaged as damaged:
            report.damaged[game] = damaged
        else:
            report.entries += live.head + 1
            if live.ending is not None and not live.chain.closed:
                report.sealed.append(game)
            report.answers += sum(isinstance(entry.body, Answer) for entry in live.chain)
    told(report.games, len(chosen))
    return report


def begun(connection: Connection) -> list[str]:
    """The games that have begun."""
    columns = schema.game.c
    wanted = select(columns.id).where(columns.head >= 0).order_by(columns.created, columns.id)
    return [row.id for row in connection.execute(wanted)]


def stored_of(connection: Connection, game: str) -> Stored:
    """What the store says of a game; Damaged where it cannot be read."""
    columns, notices = schema.game.c, schema.notice.c
    wanted = select(columns.state, columns.head).where(columns.id == game)
    row = connection.execute(wanted).one_or_none()
    if row is None:
        raise NoSuchGame(game)
    facts: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    of_game = select(notices.entry, notices.seat, notices.body).where(
        notices.game == game, notices.kind == "facts"
    )
    for notice in connection.execute(of_game.order_by(notices.id)):
        facts[notice.entry][notice.seat].append(notice.body)
    clock = schema.clock.c
    set_clocks = select(clock.seat, clock.kind, clock.due).where(clock.game == game)
    clocks = {(row.seat, row.kind): row.due for row in connection.execute(set_clocks)}
    chain = select(schema.dice.c.text).where(schema.dice.c.game == game)
    dice = connection.execute(chain.order_by(schema.dice.c.seq)).scalars().all()
    try:
        lines, seeds = lines_of(connection, game), seeds_of(connection, game)
    except Exception as error:
        message = f"The log or the seeds cannot be read: {error}."
        raise Damaged(None, "log/unreadable", message) from error
    return Stored(game, row.state, row.head, lines, dice, seeds, facts, clocks)


def verify_game(stored: Stored, heads: Iterable[str] = ()) -> Live:
    """The game as its log tells it, if everything fits; Damaged where it does not."""
    checking = _Checking(stored)
    try:
        checking.walk()
        checking.compare_end()
    except Damaged:
        raise
    except RubiconError as error:
        raise Damaged(checking.at, error.code, error.message) from error
    except Exception as error:
        message = f"The entry cannot be followed ({type(error).__name__}: {error})."
        raise Damaged(checking.at, "log/unreadable", message) from error
    live = checking.live
    fault = verify(live.chain, known_heads=heads).fault
    if fault is not None:
        message = f"Entry {fault.seq} of the dice: {fault.message}"
        raise Damaged(None, fault.code, message, fault.expected, fault.found)
    return live


class _Checking:
    """One game on its way through its log."""

    live: Live

    def __init__(self, stored: Stored) -> None:
        self.stored = stored
        self.at = 0  # the entry that is looked at
        self._dice = 0  # how many entries of the chain were taken
        self._told: dict[str, list[str]] = defaultdict(list)  # since the last notices

    def walk(self) -> None:
        """Line by line."""
        lines = self.stored.lines
        if not lines:
            raise Damaged(0, "log/beginning", "The log is empty.")
        self.live = Live(self.stored.game, lines[0], self.stored.seeds)
        self._begin()
        for line in lines[1:]:
            self.at = self.live.head + 1
            if line.entry == self.at:
                self._before(line)
            events = self.live.take(line)
            self._compare_facts(line, events)

    def compare_end(self) -> None:
        """What the store says of the game as a whole."""
        live, stored = self.live, self.stored
        self.at = live.head
        _same(
            self.at, "log/head", "The game has another head than its log.", live.head, stored.head
        )
        message = "What the stored clocks say to be due is not what follows from the log."
        due = sorted(due_times(live).items())
        _same(self.at, "log/clocks", message, due, sorted(stored.clocks.items()))
        over = live.ending is not None
        if over != (stored.state == OVER):
            message = f"The game is said to be {stored.state!r}; its log says otherwise."
            raise Damaged(self.at, "log/state", message)
        if live.requested is None and any(self._told.values()):
            raise Damaged(self.at, "log/untold", "Somebody was not told of what has happened.")
        if over and isinstance(getattr(self._next(), "body", None), Reveal):
            self._take()  # somebody else's seed comes behind the end
        while (entry := self._next()) is not None:
            if not _needs_no_line(entry):
                message = f"Entry {entry.seq} of the dice belongs to no line of the log."
                raise Damaged(self.at, "log/more-dice", message)
            self._take()

    def _begin(self) -> None:
        seeds = self.stored.seeds
        if seeds.dice is None and self._next() is None:
            return  # nobody has promised anything yet
        genesis = self._take()
        promised = genesis.body
        if not isinstance(promised, Genesis) or promised.game != self.stored.game:
            raise Damaged(0, "log/other-dice", "The dice begin with another game's promise.")
        if seeds.dice is not None and promised.commit != commitment(seeds.dice):
            raise Damaged(0, "dice/wrong-seed", "The stored seed is not the promised one.")
        if promised.table != table_commitment(seeds.table):
            raise Damaged(0, "dice/wrong-table-seed", "The table's seed is not the promised one.")
        seats = ", ".join(self.live.game.colours)
        _same(0, "dice/seat", "The dice are for other seats.", seats, ", ".join(promised.seats))

    def _before(self, line: Line) -> None:
        """Whether the line may stand here, and what the chain says to it."""
        if line.at < self.live.changed:
            message = "It was written before the entry before it."
            found = str(line.at)
            raise Damaged(line.entry, "log/time", message, str(self.live.changed), found)
        match line.kind:
            case Kind.ACTION:
                self._action(line)
            case Kind.ORDERS | Kind.UNDO:
                self._asked(line)
            case Kind.REPORT:
                self._report(line)
            case Kind.REQUEST:
                self._request(line)
            case Kind.OUTCOME:
                self._outcome(line)
            case Kind.DEPOSIT:
                self._deposit(line)
            case Kind.LINK | Kind.SILENT:
                self._link(line)
            case Kind.END:
                self._end(line)

    def _asked(self, line: Line) -> None:
        duty = self.live.duties.get(line.seat)
        message = f"{line.seat or 'Nobody'} was asked for something else."
        _same(line.entry, "log/wrong-duty", message, duty, line.duty)

    def _action(self, line: Line) -> None:
        live = self.live
        action = parse_action(line.text, live.game.ruleset.board, live.game.colours)
        _same(line.entry, "log/words", "It is not written properly.", str(action), line.text)
        owner = live.game.actor_of(action)
        _same(line.entry, "seat/not-yours", "Another seat decides this.", owner, line.seat)
        underway = live.underway.get(line.seat)
        if underway is not None and live.ordered[line.seat].duty == line.duty:
            wanted = underway.next(live.game).action
            message = "The orders that are carried out say something else."
            _same(line.entry, "log/other-orders", message, wanted, line.text)
        elif line.duty != NO_DUTY:
            self._asked(line)

    def _report(self, line: Line) -> None:
        """Its words may be those of another version; how far the orders came may not."""
        underway = self.live.underway.get(line.seat)
        if underway is None:
            raise Damaged(line.entry, "log/no-orders", "No orders were carried out here.")
        duty = self.live.ordered[line.seat].duty
        _same(line.entry, "log/wrong-duty", "These orders came for another duty.", duty, line.duty)
        found = str(json.loads(line.text)["status"])
        message = "The orders came to another end."
        _same(line.entry, "log/other-report", message, status_of(underway, self.live.game), found)

    def _request(self, line: Line) -> None:
        live = self.live
        if live.game.owed is None or live.requested is not None:
            raise Damaged(line.entry, "log/nothing-owed", "The game owes no dice here.")
        if line.text == TYPED:
            return
        while _needs_no_line(self._next()):
            self._take()
        seat, duty, words = live.request_order()
        order = Order(seat, duty, line.entry, words)
        wanted, opened = chance.request(live.game, live.chain, live.seeds.table, order)
        message = "The dice were asked for something else than the game owes."
        _same(line.entry, "log/other-request", message, opened.rid.hex(), line.text)
        found = self._take(Request)
        _same(line.entry, "log/other-request", message, wanted.text(), found.text())
        live.opened.append(opened)

    def _outcome(self, line: Line) -> None:
        live = self.live
        owed = live.game.owed
        if live.requested is None or owed is None:
            raise Damaged(line.entry, "log/nothing-owed", "The game waits for no dice here.")
        if live.requested == TYPED:
            return
        if live.links_wanted:
            seats = ", ".join(live.links_wanted)
            message = f"The dice fell before {seats} gave a link, or was silent."
            raise Damaged(line.entry, "log/link-missing", message)
        answered = self._take(Answer).body
        assert isinstance(answered, Answer)
        for seat, link in live.links.items():
            message = f"Another link of {seat} entered the dice than was given."
            _same(line.entry, "log/other-link", message, _hex(link), _hex(answered.links[seat]))
        rid = bytes.fromhex(live.requested)
        given = chance.outcome_of(live.chain, live.seeds.table, rid, owed)
        message = "The dice chain gave another outcome."
        _same(line.entry, "log/other-outcome", message, given, line.text)

    def _deposit(self, line: Line) -> None:
        while _needs_no_line(self._next()):
            self._take()
        length, _, link = line.text.partition(" ")
        wanted = deposit(self.live.chain, line.seat, bytes.fromhex(link), int(length))
        found = self._take(Deposit)
        message = "Another hash chain stands in the dice than was deposited."
        _same(line.entry, "log/other-deposit", message, wanted.text(), found.text())

    def _link(self, line: Line) -> None:
        """A link that was given, or that somebody stayed silent, when it was asked for."""
        live = self.live
        if line.seat not in live.links_wanted:
            message = f"No link of {line.seat or 'nobody'} was asked for."
            raise Damaged(line.entry, "log/no-link-wanted", message)
        if line.kind is Kind.LINK:
            before = live.chain.state.links[line.seat].link.hex()
            message = f"The link of {line.seat} does not lead to the one before it."
            found = next_down(bytes.fromhex(line.text)).hex()
            _same(line.entry, "log/wrong-link", message, before, found)

    def _end(self, line: Line) -> None:
        live = self.live
        result = line.text.partition(" ")[0]
        if live.game.over:
            winner = live.game.winner or "draw"
            _same(line.entry, "log/result", "The game ended otherwise.", winner, result)
        elif result not in ("draw", "void"):
            raise Damaged(line.entry, "log/result", f"Nobody has won yet; it says {result!r}.")
        awaited = isinstance(getattr(self._next(), "body", None), Reveal)
        if live.chain.owed is None and (awaited or live.seeds.dice is not None):
            self._take(Reveal)

    def _next(self) -> Entry | None:
        """The next entry of the dice chain, without taking it."""
        if self._dice == len(self.stored.dice):
            return None
        return Entry.parse(self.stored.dice[self._dice])

    def _take(self, kind: type | None = None) -> Entry:
        entry = self._next()
        if entry is None:
            raise Damaged(self.at, "log/dice-missing", "The dice chain ends before this entry.")
        if kind is not None and not isinstance(entry.body, kind):
            message = f"Entry {entry.seq} of the dice is another one than this line needs."
            raise Damaged(self.at, "log/other-dice", message, kind.__name__.lower(), entry.kind)
        self.live.chain.append(entry)
        self._dice += 1
        return entry

    def _compare_facts(self, line: Line, events: Events) -> None:
        """What every seat was told behind a page, where one ends here."""
        for seat, fact in facts_told(self.live, line, events):
            self._told[seat].append(fact)
        found = self.stored.facts.get(line.entry)
        if found is None:
            return
        for seat in (*found, *self._told):
            wanted = [facts_body(self._told[seat])] if self._told.get(seat) else []
            bodies = list(found.get(seat, ()))
            if bodies != wanted:
                message = f"{seat or 'The spectators'} were told something else than happened."
                raise Damaged(
                    line.entry, "log/other-facts", message, *map(" ".join, (wanted, bodies))
                )
        self._told.clear()


def _needs_no_line(entry: Entry | None) -> bool:
    """Whether an entry of the dice may stand there without a line of the log that asks for it."""
    body = None if entry is None else entry.body
    return isinstance(body, Shown) or (isinstance(body, Deposit) and body.keeper is Keeper.DICE)


def _hex(link: bytes | None) -> str:
    return "" if link is None else link.hex()


def _same(entry: int, code: str, message: str, expected: object, found: object) -> None:
    if str(expected) != str(found):
        raise Damaged(entry, code, message, str(expected), str(found))


def _by_game(heads: Iterable[str]) -> dict[str, list[str]]:
    known: dict[str, list[str]] = defaultdict(list)
    for text in heads:
        game, colon, head = text.strip().partition(":")
        if not game or not colon:
            message = f"{text[:100]!r} is not a head of a game."
            raise TableError("head/bad", message, "Write it as abcdefghij:12:41c38037fc662430.")
        known[game].append(head)
    return known
