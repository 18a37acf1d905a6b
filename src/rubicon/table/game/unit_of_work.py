"""What one transaction adds to a game: log lines, dice, facts for each reader,
notifications, clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqlalchemy import Connection, delete, update

from rubicon.dice.crypto import sign
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.request import GivenLink
from rubicon.dice.server import Drawing
from rubicon.dice.transcript import LineBody
from rubicon.rules.events import Awarded, Event, Received, Rolled, seen_by
from rubicon.table.errors import DiceUnavailable
from rubicon.table.game.hosted_game import WHILE_REQUESTED, HostedGame
from rubicon.table.game.log_lines import (
    KIND_OF,
    NO_DECISION,
    LineKind,
    Lines,
    LogLine,
    LostLines,
    Payload,
    new_line,
    said,
)
from rubicon.table.game.requests import announced
from rubicon.table.notices import (
    EMAIL_PENDING,
    EVENTS,
    EVERYONE,
    SPECTATORS,
    UNTYPED,
    Announcement,
    DeadlineNear,
    DecisionDue,
    DiceLost,
    Fact,
    FactFor,
    GameForked,
    GameOver,
    LinkDue,
    Notice,
    OpeningDue,
    PlayerLate,
    TableEvent,
    facts_json,
    notice_json,
)
from rubicon.table.settings import Clock
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import with_rows
from rubicon.table.storage.notifications import Change, ChangeKind, announce
from rubicon.table.storage.statements import Alteration, Insertion

# Facts: the events of a log line, as each seat and the spectators may know them.

# Lines of the log that are public themselves.
PUBLIC_KINDS = frozenset(
    {
        LineKind.VOTE,
        LineKind.PAUSE,
        LineKind.EXTEND,
        LineKind.BOT,
        LineKind.LATE,
        LineKind.AWAY,
        LineKind.ERASED,
        LineKind.UNDO,
        LineKind.LOST_LINES,
        LineKind.MASTER,
        LineKind.FORK,
        LineKind.PRESENCE,
        LineKind.SILENT,
        LineKind.SEALED,
        LineKind.OPENED,
    }
)


def facts_of(hosted: HostedGame, line: LogLine, events: Iterable[Event]) -> Iterator[FactFor]:
    """The facts of a line and its events, for each reader or for everyone."""
    ruleset = hosted.game.ruleset
    for event in events:
        # The spectators see no more than any seat: what they see whole is the same for everyone.
        if seen_by(event, None, ruleset) is event:
            yield FactFor(EVERYONE, event)
            continue
        for reader in (SPECTATORS, *hosted.game.colours):
            seen = seen_by(event, reader or None, ruleset)
            if seen is not None:
                yield FactFor(reader, seen)
    if line.kind is LineKind.REQUEST and hosted.untyped:
        yield FactFor(EVERYONE, TableEvent(event=UNTYPED, seat=hosted.untyped))
    if line.kind in PUBLIC_KINDS:
        text = str(said(line, LostLines).first) if line.kind is LineKind.LOST_LINES else line.text
        if line.kind in (LineKind.SEALED, LineKind.OPENED):
            text = ""  # the transcript has it
        yield FactFor(EVERYONE, TableEvent(event=line.kind.value, seat=line.seat, text=text))


def facts_by_reader(facts: Sequence[FactFor], colours: Sequence[str]) -> dict[str, list[Fact]]:
    """The facts that each reader is notified of; all of them for EVERYONE where none is secret."""
    if all(fact.reader == EVERYONE for fact in facts):
        return {EVERYONE: [each.fact for each in facts]} if facts else {}
    return {
        reader: own
        for reader in (SPECTATORS, *colours)
        if (own := [each.fact for each in facts if each.reader in (EVERYONE, reader)])
    }


# Which notifications lead to an e-mail.

BY_EMAIL = DecisionDue | OpeningDue | DeadlineNear | PlayerLate | Announcement | DiceLost | GameOver
NEWS = Awarded | Received | Rolled  # of which those who need not act are told by e-mail


def email_for(hosted: HostedGame, seat: str, notice: Notice) -> int | None:
    """The first value of `notification.sent`; the outbox decides by the account's settings later.

    There is no e-mail for spectators, bots and seats with a stand-in bot, at live tables, where it
    would come too late, for a game that was forked, and for what is asked of a seat at once after
    its own decision.
    """
    if not isinstance(notice, BY_EMAIL) or not seat:
        return None
    if seat in hosted.server_bots or seat in hosted.bots:
        return None
    if isinstance(notice, DecisionDue | OpeningDue) and seat == hosted.present:
        return None
    return None if hosted.forked or hosted.settings.clock is Clock.LIVE else EMAIL_PENDING


def news_for(hosted: HostedGame, seat: str, facts: Iterable[Fact]) -> int | None:
    """The first `notification.sent` of facts: pending where they hold an award or a roll.

    The ruleset decides whether players get e-mails about them (S002-14, -34). Where one person
    plays against bots, the e-mail of the next decision has everything.
    """
    if not seat or hosted.settings.clock is Clock.LIVE or hosted.forked:
        return None
    if hosted.game.ruleset.options["gm.notices"] is not True:
        return None
    if len(hosted.game.colours) - len(hosted.server_bots) < 2:
        return None
    return EMAIL_PENDING if any(isinstance(fact, NEWS) for fact in facts) else None


# The unit of work.

FORK_CHECK = 24 * 3600 * 1000  # milliseconds between two looks at a game that was forked
_LOG = ("game", "log_index", "kind", "seat", "decision", "text", "at")
INSERT_LINES = Insertion(schema.log, *_LOG)
INSERT_DICE = Insertion(schema.dice, "game", "seq", "log_index", "text")
_NOTIFICATION = ("game", "log_index", "seat", "kind", "body", "at", "sent")
INSERT_NOTIFICATIONS = Insertion(schema.notification, *_NOTIFICATION)
_CLOCK = schema.clock.c
_KEY = {"game": _CLOCK.game, "seat": _CLOCK.seat, "kind": _CLOCK.kind}
SET_CLOCKS = Insertion(schema.clock, *_KEY, "log_index", "due", key=_KEY)
DELETE_CLOCKS = Alteration(
    lambda row: delete(schema.clock).where(*(c == row[name] for name, c in _KEY.items())), **_KEY
)
_GAME = schema.game.c
_HEAD = {"id": _GAME.id, "head": _GAME.head, "changed": _GAME.changed, "void": _GAME.void}
_HEAD |= {"digest": _GAME.digest}
_END = {"state": _GAME.state, "ended": _GAME.ended}


def _of_game(columns: Mapping[str, Any]) -> Alteration:
    """An update of these columns of a game's row."""
    changed = [name for name in columns if name != "id"]
    return Alteration(
        lambda row: (
            update(schema.game)
            .where(_GAME.id == row["id"])
            .values({name: row[name] for name in changed})
        ),
        **columns,
    )


UPDATE_HEAD = _of_game(_HEAD)
UPDATE_END = _of_game(_HEAD | _END)


Due = dict[tuple[str, str], int]  # when something is due, by seat and kind


@dataclass(slots=True)
class LiveGame:
    """A hosted game in memory, with what the last transaction left over for the next one."""

    hosted: HostedGame
    facts: list[FactFor] = field(default_factory=list)  # to be announced with the dice that wait
    # The last log index that watchers know, where lines since then are shown with their dice.
    published: int | None = None
    dice_line: str = ""  # the last line of the transcript of the dice as it is stored
    due: Due | None = None  # the stored deadlines; None where they follow from the game


class Command(Protocol):
    """What changes a hosted game: a person's wish, or what the clock or the rules demand.

    `decide` is pure: the table adds the lines that it returns, and the audit asks it again for
    each line of a stored log.
    """

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The lines that it adds to the log at a time, in milliseconds since 1970.

        RubiconError where it is refused, () where it changes nothing.
        """
        ...


class UnitOfWork:
    """The changes to one game; `flush` writes them to the open transaction."""

    def __init__(self, connection: Connection, live: LiveGame, at: int, digest: str = "") -> None:
        self.connection = connection
        self.live = live
        self.hosted = hosted = live.hosted
        self.at = at  # the transaction's time, in milliseconds since 1970
        self.digest = digest  # of the stored rows before this unit
        self.first = hosted.head + 1
        # Whether this unit adds a dice request. It must be durable before the dice are computed:
        # otherwise a crash could let a player see the dice and roll again.
        self.requests_dice = False
        # A command that runs in a later transaction.
        self.postponed: Callable[[UnitOfWork], Any] | None = None
        self.begun = ""  # a forked game that begins in this transaction
        self.answered_at_once = False  # whether the next transaction answers that request
        self.notifications: list[dict[str, Any]] = []
        # Facts of the decision before the dice are announced together with their outcome.
        self._facts: list[FactFor] = list(live.facts)
        self._lines: list[LogLine] = []
        self._tried = False  # set before a line is applied: one that fails may change the game too
        self._dice_before = len(hosted.transcript)
        self._dice: list[Entry] = []
        self.drawing: Drawing | None = None  # the answer that is being written
        self.drawing_links: dict[str, GivenLink | None] = {}
        self.dice_server_link: GivenLink | None = None  # for the request that waits
        self._decisions_before = dict(hosted.decisions)
        self._openings_before = hosted.placements.wanted if hosted.placements.owed else ()
        # What is stored, as the last transaction left it; after a rebuild it follows from the game.
        self._due_before = due_times(hosted) if live.due is None else live.due
        self._warned_before = dict(hosted.warned)

    @property
    def untouched(self) -> bool:
        """Whether the game in memory is certainly unchanged."""
        return not self._tried and len(self.hosted.transcript) == self._dice_before

    def add_line(
        self,
        payload: Payload,
        seat: str = "",
        decision: int = NO_DECISION,
        *,
        checked: bool = False,
    ) -> LogLine:
        """Add a line to the log, and fold it into the game; `checked`: the rules just allowed it.

        DiceUnavailable where a dice request waits for its answer: nothing else may come between.
        """
        if KIND_OF[type(payload)] not in WHILE_REQUESTED and self.hosted.awaits_dice:
            raise DiceUnavailable("a request is pending")
        line = new_line(payload, self.hosted.head + 1, self.at, seat, decision)
        self._tried = True
        events = self.hosted.fold(line, checked=checked)
        self._lines.append(line)
        self._facts += facts_of(self.hosted, line, events)
        return line

    def perform(self, command: Command) -> list[LogLine]:
        """Decide a command as the game is now, and add the lines that follow."""
        lines = command.decide(self.hosted, self.at)
        return [self.add_line(*line[:3], checked=line.checked) for line in lines]

    def add_dice(self, body: LineBody, *, check: bool = False) -> None:
        """Add a line to the transcript of the dice; `check`: it comes from a client."""
        self._dice.append(self.hosted.transcript.write(body, check=check))

    def flush(self) -> None:
        """Write all rows. An IntegrityError means that another server has added the same line."""
        hosted, connection = self.hosted, self.connection
        self.answered_at_once = self.requests_dice and hosted.answered_at_once
        if self._dice:
            INSERT_DICE.run(connection, self._dice_rows())
        if not self._lines:
            return
        lines = [line.row(hosted.id) for line in self._lines]
        INSERT_LINES.run(connection, lines)
        if self.answered_at_once:
            self.live.facts = self._facts  # announced with the dice, as one notification
        else:
            self.live.facts = []
            for reader, facts in facts_by_reader(self._facts, hosted.game.colours).items():
                sent = news_for(hosted, reader, facts)
                self._add_notification(reader, EVENTS, facts_json(facts), sent)
            self._notify_decisions()
        due = self.live.due = due_times(hosted)
        store_clocks(connection, hosted, due, self._due_before)
        if self.notifications:
            INSERT_NOTIFICATIONS.run(connection, self.notifications)
        void = self.at + FORK_CHECK if hosted.forked else void_time(hosted, due)
        row = {"id": hosted.id, "head": hosted.head, "changed": self.at, "void": void}
        row["digest"] = with_rows(self.digest, lines, self.notifications)
        if hosted.ending is None:
            UPDATE_HEAD.run(connection, [row])
        else:
            UPDATE_END.run(connection, [row | {"state": "over", "ended": self.at}])
        announce(connection, Change(ChangeKind.GAME, hosted.id, hosted.head, self.first - 1))

    def _dice_rows(self) -> list[dict[str, Any]]:
        """The lines of the transcript as rows; the last one is signed, and with it those before.

        A request that is answered at once is shown to no one: its answer is signed.
        """
        game, index = self.hosted.id, self.hosted.head
        private_key = self.hosted.secrets.private_key
        shown = None if self.answered_at_once else self._dice[-1]
        rows = []
        for entry in self._dice:
            # The genesis always carries a signature itself.
            signs = entry is shown or entry.seq == 0
            line = entry.signed(sign(private_key, entry.head)) if signs else entry
            text = self.live.dice_line = line.text()
            rows.append({"game": game, "seq": line.seq, "log_index": index, "text": text})
        return rows

    def _notify_decisions(self) -> None:
        """Notify seats of what they are asked, of warnings and links; all of the end or a fork."""
        hosted = self.hosted
        if hosted.ending is not None:
            self._notify_all(GameOver(hosted.ending.result, hosted.ending.reason))
        for line in self._lines:
            words = announced(line)
            if words:
                self._notify_all(Announcement(words))
            if line.kind is LineKind.LOST_LINES:
                self._notify_all(DiceLost(said(line, LostLines).first))
        if self.begun:
            self._notify_all(GameForked(self.begun))
        for seat, link in hosted.links_wanted.items() if self.requests_dice else ():
            self.notify(seat, LinkDue(link.request, link.id, link.until, link.witness))
        for seat in hosted.placements.wanted:
            if seat not in self._openings_before:
                self.notify(seat, OpeningDue())
        for seat, decision in hosted.decisions.items():
            if seat not in self._decisions_before:
                self.notify(seat, DecisionDue(decision))
            warned = hosted.warned.get(seat)
            if warned == decision and self._warned_before.get(seat) != decision:
                self.notify(seat, DeadlineNear(decision, hosted.clocks.due(seat)))

    def notify(self, seat: str, notice: Notice) -> None:
        """Notify a seat of something that is no fact of a log line."""
        sent = email_for(self.hosted, seat, notice)
        self._add_notification(seat, notice.kind, notice_json(notice), sent)

    def _notify_all(self, notice: Notice) -> None:
        for seat in (SPECTATORS, *self.hosted.game.colours):
            self.notify(seat, notice)

    def _add_notification(self, seat: str, kind: str, body: str, sent: int | None) -> None:
        self.notifications.append(
            {
                "game": self.hosted.id,
                "log_index": self.hosted.head,
                "seat": seat,
                "kind": kind,
                "body": body,
                "at": self.at,
                "sent": sent,
            }
        )


def for_each_reader(
    notifications: Iterable[Mapping[str, Any]], colours: Iterable[str]
) -> list[dict[str, Any]]:
    """The notifications, those for everyone repeated for each reader."""
    readers = (SPECTATORS, *colours)
    return [
        {**notification, "seat": reader}
        for notification in notifications
        for reader in (readers if notification["seat"] == EVERYONE else (notification["seat"],))
    ]


def store_clocks(connection: Connection, hosted: HostedGame, due: Due, before: Due) -> None:
    """Store the deadlines of a game, if they differ from `before`, the stored ones."""
    if due == before:
        return
    gone = [{"game": hosted.id, "seat": seat, "kind": kind} for seat, kind in before.keys() - due]
    if gone:
        DELETE_CLOCKS.run(connection, gone)
    rows = [
        {"game": hosted.id, "seat": seat, "kind": kind, "log_index": hosted.head, "due": at}
        for (seat, kind), at in due.items()
    ]
    if rows:
        SET_CLOCKS.run(connection, rows)


def void_time(hosted: HostedGame, due: Due) -> int:
    """When a game without any further action is closed; `due` are its `due_times`.

    Not while a seat has time left: it could close the game by using its time, where that is longer
    than `void_after`, or by an absence.
    """
    moves = [at for (_, kind), at in due.items() if kind in ("move", "return")]
    return max(hosted.changed + hosted.settings.void_after * 1000, *moves, 0)


def due_times(hosted: HostedGame) -> Due:
    """When the server has to act without a request, by seat and kind."""
    due: Due = {}
    if hosted.at_rest:
        return due
    for seat, decision in hosted.decisions.items() if hosted.clocks.running else ():
        if seat in hosted.bots or seat in hosted.server_bots or seat in hosted.late:
            continue
        if seat in hosted.erased:  # replaced, or replaced by a vote, without a deadline
            continue
        move = hosted.clocks.due(seat)
        if move is None:
            continue
        due[seat, "move"] = move
        warning = hosted.clocks.warning(seat)
        if warning is not None and hosted.warned.get(seat) != decision:
            due[seat, "warning"] = warning
    if hosted.thrower and hosted.thrower in hosted.typists:
        roll = hosted.clocks.due(hosted.thrower)
        if roll is not None:
            due[hosted.thrower, "move"] = roll
    for seat in hosted.placements.wanted if hosted.placements.owed else ():
        opening = hosted.clocks.due(seat)
        if opening is not None and seat not in hosted.late | hosted.erased | hosted.bots.keys():
            due[seat, "move"] = opening
    for seat, absence in hosted.away.items():
        if seat in hosted.bots and seat not in hosted.erased:
            due[seat, "return"] = absence.until
    for link in hosted.links_wanted.values():
        due[SPECTATORS, "links"] = link.until
    return due
