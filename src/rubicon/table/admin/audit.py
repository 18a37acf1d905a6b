"""Rebuilds games from their logs, and compares them with everything else that is stored.

Every line must follow from those before it. Every request must be the one that the game and its
dice chain call for, and every outcome the chain's answer. Every notification must hold the facts
that its seat may know, and no others; every motion needs the votes that carried it. The digests of
the rows and the list of games show what no rule contradicts: a changed time, a changed owner of a
seat, a deleted game. A change is found at the log index where it was made, or at
the first later one that contradicts it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import Connection, select

from rubicon.dice.bodies import AnswerBody, Deposit, Genesis, Keeper, Request, Reveal, Shown
from rubicon.dice.chain import Chain
from rubicon.dice.entry import Entry
from rubicon.dice.seeds import commitment, next_down, table_commitment
from rubicon.dice.verify import verify
from rubicon.dice.writing import Order, deposit
from rubicon.errors import RubiconError
from rubicon.rules.notation.actions import parse_action
from rubicon.table.admin.deletions import GAMES, check_deletions
from rubicon.table.admin.unfounded import unfounded
from rubicon.table.commands.advance import status_of
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.game import dice_requests as chance
from rubicon.table.game.dice_requests import HeldSeeds
from rubicon.table.game.facts import EVERYONE, Fact, bodies_of, facts_of
from rubicon.table.game.game_cache import seeds_of
from rubicon.table.game.hosted_game import TYPED, Events, HostedGame
from rubicon.table.game.unit_of_work import due_times
from rubicon.table.lobby.departure import ERASED
from rubicon.table.lobby.seats import OVER
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from rubicon.table.storage.digest import NOTIFICATION, seats_digest, with_rows
from rubicon.table.storage.event_log import NO_DECISION, LineKind, LogLine, lines_of


class Damaged(TableError):
    """The first fault of a game: at a log index, or None where it belongs to no line."""

    def __init__(
        self, index: int | None, code: str, message: str, expected: str = "", found: str = ""
    ) -> None:
        self.index = index
        self.expected = expected[:300]
        self.found = found[:300]
        super().__init__(code, message, "Restore a backup; docs/hosting.md tells how.")


@dataclass(frozen=True, slots=True)
class Stored:
    """Everything that is stored of a game."""

    game: str
    state: str
    head: int
    lines: Sequence[LogLine]
    dice: Sequence[str]
    seeds: HeldSeeds
    facts: Mapping[int, Mapping[str, Sequence[str]]]  # the bodies by log index and seat
    clocks: Mapping[tuple[str, str], int]  # when something is due, by seat and kind
    started: int | None
    ended: int | None
    digests: Sequence[str]  # of the rows and of the seats, as they are stored
    computed: Sequence[str]  # and as they follow from the rows and the seats


@dataclass
class Report:
    """The result of an audit: how much was checked, and the damaged games."""

    games: int = 0
    good: int = 0  # games without a fault
    log_lines: int = 0
    answers: int = 0  # of the dice
    sealed: list[str] = field(default_factory=list)  # over, but their seeds were never opened
    damaged: dict[str, Damaged] = field(default_factory=dict)
    checkpoint: str = ""  # the last one, to be kept outside of the database


Progress = Callable[[int, int], None]


def verify_store(
    store: Store,
    games: Sequence[str] = (),
    heads: Iterable[str] = (),
    progress: Progress = lambda done, of: None,
) -> Report:
    """Check all games that have begun, or only `games`.

    `progress` is called with the number of checked games and of all. `heads` are heads of dice
    chains that players have saved, each `GAME:SEQ:HASH`, and checkpoints of the list of games, each
    `games:NUMBER:HASH`. The database must still contain them: a restored older backup does not.
    """
    known = _by_game(heads)
    checkpoints = known.pop(GAMES, [])
    chosen = sorted({*games, *known}) if games or known else store.read(begun)
    report = Report()
    if not games and (not known or checkpoints):
        listed = store.read(partial(check_deletions, saved=checkpoints), frozen=True)
        report.checkpoint = listed.last
        report.damaged = {
            game: Damaged(None, code, message) for game, (code, message) in listed.faults.items()
        }
    for game in chosen:
        progress(report.games, len(chosen))
        report.games += 1
        try:
            stored = store.read(partial(stored_of, game=game), frozen=True)
            hosted = verify_game(stored, known.get(game, ()))
        except Damaged as damaged:
            report.damaged[game] = damaged
        else:
            report.good += game not in report.damaged
            report.log_lines += hosted.head + 1
            if hosted.ending is not None and not hosted.chain.closed:
                report.sealed.append(game)
            report.answers += sum(
                isinstance(dice_entry.body, AnswerBody) for dice_entry in hosted.chain
            )
    progress(report.games, len(chosen))
    return report


def begun(connection: Connection) -> list[str]:
    """The games that have begun."""
    columns = schema.game.c
    wanted = select(columns.id).where(columns.head >= 0).order_by(columns.created, columns.id)
    return [row.id for row in connection.execute(wanted)]


def stored_of(connection: Connection, game: str) -> Stored:
    """Everything that is stored of a game; Damaged where it cannot be read."""
    columns, notification = schema.game.c, schema.notification.c
    wanted = select(schema.game).where(columns.id == game)
    of = connection.execute(wanted).one_or_none()
    if of is None:
        raise NoSuchGame(game)
    facts: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    of_game = select(*(notification[name] for name in NOTIFICATION)).where(
        notification.game == game
    )
    told = [dict(r._mapping) for r in connection.execute(of_game.order_by(notification.id))]
    for row in told:
        if row["kind"] == "events":
            facts[row["log_index"]][row["seat"]].append(row["body"])
    clock = schema.clock.c
    # The mark of an erased account waits for the next sweep: it does not follow from the log yet.
    of_log = (clock.game == game) & (clock.kind != ERASED)
    set_clocks = select(clock.seat, clock.kind, clock.due).where(of_log)
    clocks = {(row.seat, row.kind): row.due for row in connection.execute(set_clocks)}
    chain = select(schema.dice.c.text).where(schema.dice.c.game == game)
    dice = connection.execute(chain.order_by(schema.dice.c.seq)).scalars().all()
    try:
        lines, seeds = lines_of(connection, game), seeds_of(connection, game)
    except Exception as error:
        message = f"The log or the seeds cannot be read: {error}."
        raise Damaged(None, "log/unreadable", message) from error
    return Stored(
        game=game,
        state=of.state,
        head=of.head,
        lines=lines,
        dice=dice,
        seeds=seeds,
        facts=facts,
        clocks=clocks,
        started=of.started,
        ended=of.ended,
        digests=(of.digest, of.seats_digest),
        computed=(
            with_rows("", [line.row(game) for line in lines], told),
            seats_digest(connection, game),
        ),
    )


def verify_game(stored: Stored, heads: Iterable[str] = ()) -> HostedGame:
    """The game, rebuilt from its log; Damaged at the first contradiction."""
    checking = _Checking(stored)
    try:
        checking.walk()
        checking.compare_end()
    except Damaged:
        raise
    except RubiconError as error:
        raise Damaged(checking.at, error.code, error.message) from error
    except Exception as error:
        message = f"The line cannot be replayed ({type(error).__name__}: {error})."
        raise Damaged(checking.at, "log/unreadable", message) from error
    hosted = checking.hosted
    fault = verify(hosted.chain, known_heads=heads).fault
    if fault is not None:
        message = f"Entry {fault.seq} of the dice chain: {fault.message}"
        raise Damaged(None, fault.code, message, fault.expected, fault.found)
    return hosted


class _Checking:
    """The check of one game; `hosted` is the game after the lines that were checked so far."""

    hosted: HostedGame

    def __init__(self, stored: Stored) -> None:
        self.stored = stored
        self.at = 0  # the log index that is being checked
        self._dice = 0  # the number of checked entries of the dice chain
        self._unannounced: list[Fact] = []  # facts since the last notifications

    def walk(self) -> None:
        """Check every line of the log, in order."""
        lines = self.stored.lines
        if not lines:
            raise Damaged(0, "log/beginning", "The log is empty.")
        self.hosted = HostedGame(self.stored.game, lines[0], self.stored.seeds)
        self.hosted.chain = Chain()  # which keeps its entries, and checks each of them
        self._begin()
        for line in lines[1:]:
            self.at = self.hosted.head + 1
            if line.index == self.at:
                self._before(line)
            events = self.hosted.apply(line)
            self._compare_facts(line, events)

    def compare_end(self) -> None:
        """Check the game's row, its clocks and the rest of its dice chain."""
        hosted, stored = self.hosted, self.stored
        self.at = hosted.head
        _same(
            self.at, "log/head", "The game has another head than its log.", hosted.head, stored.head
        )
        message = "The stored clocks differ from those that follow from the log."
        due = sorted(due_times(hosted).items())
        _same(self.at, "log/clocks", message, due, sorted(stored.clocks.items()))
        over = hosted.ending is not None
        if over != (stored.state == OVER):
            message = f"The state of the game is {stored.state!r}; its log says otherwise."
            raise Damaged(self.at, "log/state", message)
        if hosted.requested is None and self._unannounced:
            raise Damaged(self.at, "log/untold", "The last events were not announced to any seat.")
        if over and isinstance(getattr(self._next(), "body", None), Reveal):
            self._take()  # a remote dice server reveals its seed after the end of the log
        while (dice_entry := self._next()) is not None:
            if not _needs_no_line(dice_entry):
                message = f"Entry {dice_entry.seq} of the dice chain belongs to no line of the log."
                raise Damaged(self.at, "log/more-dice", message)
            self._take()
        self._compare_digests()

    def _compare_digests(self) -> None:
        """Check what no rule of the game contradicts: times, other notifications, owners."""
        stored, ending = self.stored, self.hosted.ending
        begun, ended = stored.lines[0].at, stored.lines[-1].at if ending is not None else None
        message = "The game did not begin or end at these times."
        found = f"{stored.started} {stored.ended}"
        _same(self.at, "log/time", message, f"{begun} {ended}", found)
        rows, seats = zip(stored.computed, stored.digests, strict=True)
        if rows[0] != rows[1]:
            message = "A line or a notification was changed, added or deleted."
            raise Damaged(None, "log/digest", message, *rows)
        if seats[0] != seats[1]:
            raise Damaged(None, "seat/digest", "A seat has another owner than before.", *seats)

    def _begin(self) -> None:
        seeds = self.stored.seeds
        if seeds.dice is None and self._next() is None:
            return  # the remote dice server has not sent its commitment yet
        genesis = self._take()
        promised = genesis.body
        if not isinstance(promised, Genesis) or promised.game != self.stored.game:
            raise Damaged(0, "log/other-dice", "The dice chain belongs to another game.")
        if seeds.dice is not None and promised.commit != commitment(seeds.dice):
            raise Damaged(0, "dice/wrong-seed", "The stored seed does not match its commitment.")
        if promised.table != table_commitment(seeds.table):
            raise Damaged(
                0, "dice/wrong-table-seed", "The table seed does not match its commitment."
            )
        seats = ", ".join(self.hosted.game.colours)
        _same(0, "dice/seat", "The dice are for other seats.", seats, ", ".join(promised.seats))

    def _before(self, line: LogLine) -> None:
        """Check a line before it is applied: its time, and what must precede it."""
        if line.at < self.hosted.changed:
            message = "The line is older than the line before it."
            found = str(line.at)
            raise Damaged(line.index, "log/time", message, str(self.hosted.changed), found)
        match line.kind:
            case LineKind.ACTION:
                self._action(line)
            case LineKind.ORDERS | LineKind.UNDO:
                self._asked(line)
            case LineKind.REPORT:
                self._report(line)
            case LineKind.REQUEST:
                self._request(line)
            case LineKind.OUTCOME:
                self._outcome(line)
            case LineKind.DEPOSIT:
                self._deposit(line)
            case LineKind.LINK | LineKind.SILENT:
                self._link(line)
            case LineKind.END:
                self._end(line)
        fault = unfounded(self.hosted, line)
        if fault:
            raise Damaged(line.index, "log/unfounded", fault)

    def _asked(self, line: LogLine) -> None:
        decision = self.hosted.decisions.get(line.seat)
        message = f"The pending decision of {line.seat or 'no seat'} is another one."
        _same(line.index, "log/wrong-decision", message, decision, line.decision)

    def _action(self, line: LogLine) -> None:
        hosted = self.hosted
        action = parse_action(line.text, hosted.game.ruleset.board, hosted.game.colours)
        _same(line.index, "log/words", "The action is not exact.", str(action), line.text)
        owner = hosted.game.actor_of(action)
        _same(line.index, "seat/not-yours", "Another seat has to decide this.", owner, line.seat)
        running = hosted.running.get(line.seat)
        if running is not None and hosted.ordered[line.seat].decision == line.decision:
            wanted = running.next(hosted.game).action
            message = "The running orders call for another action."
            _same(line.index, "log/other-orders", message, wanted, line.text)
        elif line.decision != NO_DECISION:
            self._asked(line)

    def _report(self, line: LogLine) -> None:
        """Check the status only: the wording of a report may come from another version."""
        running = self.hosted.running.get(line.seat)
        if running is None:
            raise Damaged(line.index, "log/no-orders", "No orders are running here.")
        decision = self.hosted.ordered[line.seat].decision
        _same(
            line.index,
            "log/wrong-decision",
            "These orders answer another decision.",
            decision,
            line.decision,
        )
        found = str(json.loads(line.text)["status"])
        message = "The orders ended with another status."
        _same(line.index, "log/other-report", message, status_of(running, self.hosted.game), found)

    def _request(self, line: LogLine) -> None:
        hosted = self.hosted
        if hosted.game.pending is None or hosted.requested is not None:
            raise Damaged(line.index, "log/nothing-pending", "No chance is pending here.")
        if line.text == TYPED:
            return
        while _needs_no_line(self._next()):
            self._take()
        seat, decision, words = hosted.request_order()
        order = Order(seat, decision, line.index, words)
        wanted, opened = chance.request(hosted.game, hosted.chain, hosted.seeds.table, order)
        message = "The request does not match the pending chance."
        _same(line.index, "log/other-request", message, opened.rid.hex(), line.text)
        found = self._take(Request)
        _same(line.index, "log/other-request", message, wanted.text(), found.text())
        hosted.opened.append(opened)

    def _outcome(self, line: LogLine) -> None:
        hosted = self.hosted
        pending = hosted.game.pending
        if hosted.requested is None or pending is None:
            raise Damaged(line.index, "log/nothing-pending", "No dice are pending here.")
        if hosted.requested == TYPED:
            return
        if hosted.links_wanted:
            seats = ", ".join(hosted.links_wanted)
            message = f"The dice were rolled before {seats} gave a link or timed out."
            raise Damaged(line.index, "log/link-missing", message)
        answered = self._take(AnswerBody).body
        assert isinstance(answered, AnswerBody)
        for seat, link in hosted.links.items():
            message = f"The dice contain another link of {seat} than the log."
            _same(line.index, "log/other-link", message, _hex(link), _hex(answered.links[seat]))
        rid = bytes.fromhex(hosted.requested)
        given = chance.outcome_of(hosted.chain, hosted.seeds.table, rid, pending)
        message = "The dice chain gave another outcome."
        _same(line.index, "log/other-outcome", message, given, line.text)

    def _deposit(self, line: LogLine) -> None:
        while _needs_no_line(self._next()):
            self._take()
        length, _, link = line.text.partition(" ")
        wanted = deposit(self.hosted.chain, line.seat, bytes.fromhex(link), int(length))
        found = self._take(Deposit)
        message = "The deposit in the dice chain differs from the log."
        _same(line.index, "log/other-deposit", message, wanted.text(), found.text())

    def _link(self, line: LogLine) -> None:
        """Check that a link was pending, and that it continues its hash chain."""
        hosted = self.hosted
        if line.seat not in hosted.links_wanted:
            message = f"No link of {line.seat or 'any seat'} is pending."
            raise Damaged(line.index, "log/no-link-wanted", message)
        if line.kind is LineKind.LINK:
            before = hosted.chain.state.links[line.seat].link.hex()
            message = f"The link of {line.seat} does not lead to the one before it."
            found = next_down(bytes.fromhex(line.text)).hex()
            _same(line.index, "log/wrong-link", message, before, found)

    def _end(self, line: LogLine) -> None:
        hosted = self.hosted
        result = line.text.partition(" ")[0]
        if hosted.game.over:
            winner = hosted.game.winner or "draw"
            _same(line.index, "log/result", "The game ended with another result.", winner, result)
        elif result not in ("draw", "void"):
            raise Damaged(
                line.index, "log/result", f"No seat has won, but the result is {result!r}."
            )
        awaited = isinstance(getattr(self._next(), "body", None), Reveal)
        if hosted.chain.owed is None and (awaited or hosted.seeds.dice is not None):
            self._take(Reveal)

    def _next(self) -> Entry | None:
        """The next entry of the dice chain, without taking it."""
        if self._dice == len(self.stored.dice):
            return None
        return Entry.parse(self.stored.dice[self._dice])

    def _take(self, kind: type | None = None) -> Entry:
        dice_entry = self._next()
        if dice_entry is None:
            raise Damaged(self.at, "log/dice-missing", "The dice chain ends before this line.")
        if kind is not None and not isinstance(dice_entry.body, kind):
            message = f"Entry {dice_entry.seq} of the dice chain does not belong to this line."
            raise Damaged(
                self.at, "log/other-dice", message, kind.__name__.lower(), dice_entry.kind
            )
        self.hosted.chain.append(dice_entry)
        self._dice += 1
        return dice_entry

    def _compare_facts(self, line: LogLine, events: Events) -> None:
        """Compare the stored facts of every reader; they stand at the last line of their unit."""
        self._unannounced += facts_of(self.hosted, line, events)
        found = self.stored.facts.get(line.index)
        if found is None:
            return
        wanted = bodies_of(self._unannounced, self.hosted.game.colours)
        for reader in (*found, *wanted):
            bodies = found.get(reader, [])
            expected = [wanted[reader]] if reader in wanted else []
            if bodies != expected:
                who = {"": "spectators", EVERYONE: "everyone"}.get(reader, reader)
                message = f"The stored events for {who} differ from those of the log."
                raise Damaged(
                    line.index, "log/other-facts", message, *map(" ".join, (expected, bodies))
                )
        self._unannounced.clear()


def _needs_no_line(dice_entry: Entry | None) -> bool:
    """Whether an entry of the dice chain needs no line of the log."""
    body = None if dice_entry is None else dice_entry.body
    return isinstance(body, Shown) or (isinstance(body, Deposit) and body.keeper is Keeper.DICE)


def _hex(link: bytes | None) -> str:
    return "" if link is None else link.hex()


def _same(index: int, code: str, message: str, expected: object, found: object) -> None:
    if str(expected) != str(found):
        raise Damaged(index, code, message, str(expected), str(found))


def _by_game(heads: Iterable[str]) -> dict[str, list[str]]:
    known: dict[str, list[str]] = defaultdict(list)
    for text in heads:
        game, colon, head = text.strip().partition(":")
        if not game or not colon:
            message = f"{text[:100]!r} is not a head of a game."
            raise TableError("head/bad", message, "Write it as abcdefghij:12:41c38037fc662430.")
        known[game].append(head)
    return known
