"""Rebuilds games from their logs, and compares them with everything else that is stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from sqlalchemy import Connection, select

from rubicon.dice.lines.entry import Entry
from rubicon.dice.server import ServerSecrets
from rubicon.dice.transcript import check_proof
from rubicon.errors import RubiconError
from rubicon.table.admin.dice_lines import (
    Damaged,
    DiceAudit,
    SignatureAudit,
    check_transcript,
    require_same,
)
from rubicon.table.admin.reasons import Reasons
from rubicon.table.commands.advance import status_of
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.game import log_lines
from rubicon.table.game.game_cache import secrets_of
from rubicon.table.game.hosted_game import Events, HostedGame
from rubicon.table.game.log_lines import NO_DECISION, LineKind, LogLine, payload_of, said
from rubicon.table.game.unit_of_work import due_times, facts_by_reader, facts_of
from rubicon.table.lobby.seats import ERASED, OVER
from rubicon.table.notices import EVERYONE, FactFor, facts_json
from rubicon.table.storage import event_log, schema
from rubicon.table.storage.database import Store

# Finds games that were deleted, by the numbered list of games that have begun.

GAMES = "games"  # begins a saved checkpoint: games:NUMBER:HASH
SHOWN = 32  # hex digits of a hash in a saved checkpoint


@dataclass
class Checkpoints:
    """The last checkpoint, to be saved elsewhere, and the faults: code and message by game."""

    last: str = ""
    faults: dict[str, tuple[str, str]] = field(default_factory=dict)


def check_deletions(connection: Connection, saved: Iterable[str] = ()) -> Checkpoints:
    """Compare the list of games with the games; `saved` are checkpoints as `NUMBER:HASH`."""
    found = Checkpoints()
    rows = connection.execute(select(schema.checkpoint).order_by(schema.checkpoint.c.number)).all()
    begun, before = event_log.beginnings(connection), event_log.FIRST
    games = schema.game.c
    stored = set(connection.execute(select(games.id).where(games.head >= 0)).scalars())
    hashes: dict[int, str] = {}
    for number, row in enumerate(rows, 1):
        begin = begun.pop(row.game, None)
        if row.number != number:
            message = f"Checkpoint {number} is missing: a game was deleted."
            found.faults[GAMES] = ("checkpoint/gap", message)
            break
        if begin is None or row.game not in stored:
            message = "This game has begun, but it is no longer stored as such."
            found.faults[row.game] = ("checkpoint/deleted", message)
        elif row.hash != event_log.next_hash(before, number, begin):
            message = "The first line of the log, or the list of games before it, was changed."
            found.faults[row.game] = ("checkpoint/changed", message)
        before = hashes[number] = row.hash
    else:
        for game in begun:
            message = "This game is not in the list of games that have begun."
            found.faults[game] = ("checkpoint/missing", message)
    found.last = f"{GAMES}:{len(rows)}:{before[:SHOWN]}"
    for text in saved:
        number_text, _, start = text.partition(":")
        known = hashes.get(int(number_text), "") if number_text.isdecimal() else ""
        if not known or len(start) < SHOWN or not known.startswith(start):
            message = f"The list of games does not contain the saved checkpoint {text[:80]}."
            found.faults[GAMES] = ("checkpoint/other-history", message)
    return found


# Rebuilds games from their logs, and compares them with everything else that is stored.
#
# Every line must follow from those before it. Every request must be the one that the game and its
# transcript call for, and every outcome a draw of its answer. Every notification must hold the
# facts that its seat may know, and no others; every motion needs the votes that carried it. The
# digests of the rows and the list of games show what no rule contradicts: a changed time, a
# changed owner of a seat, a deleted game. A change is found at the log index where it was made,
# or at the first later one that contradicts it.


@dataclass(frozen=True, slots=True)
class Stored:
    """Everything that is stored of a game."""

    game: str
    state: str
    head: int
    lines: Sequence[LogLine]
    dice: Sequence[str]
    secrets: ServerSecrets
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
    sealed: list[str] = field(default_factory=list)  # over, but their dice never began
    # Games that have lost lines of their dice: the first one, and the game that continues or "".
    lost_lines: dict[str, tuple[int, str]] = field(default_factory=dict)
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
            state = hosted.transcript.state
            if hosted.ending is not None and not state.closed:
                report.sealed.append(game)
            if hosted.lost_lines is not None:
                first = said(hosted.lost_lines, log_lines.LostLines).first
                report.lost_lines[game] = first, hosted.forked
            report.answers += state.next_request - (state.pending is not None)
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
    of_game = select(*(notification[name] for name in event_log.NOTIFICATION)).where(
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
        lines, secrets = event_log.lines_of(connection, game), secrets_of(connection, game)
    except Exception as error:
        message = f"The log or the secrets of the dice cannot be read: {error}."
        raise Damaged(None, "log/unreadable", message) from error
    return Stored(
        game=game,
        state=of.state,
        head=of.head,
        lines=lines,
        dice=dice,
        secrets=secrets,
        facts=facts,
        clocks=clocks,
        started=of.started,
        ended=of.ended,
        digests=(of.digest, of.seats_digest),
        computed=(
            event_log.with_rows("", [line.row(game) for line in lines], told),
            event_log.seats_digest(connection, game),
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
    check_transcript(stored.dice, heads)
    return hosted


class _Checking:
    """The check of one game; `hosted` is the game after the lines that were checked so far."""

    hosted: HostedGame
    dice: DiceAudit
    signatures: SignatureAudit
    reasons: Reasons

    def __init__(self, stored: Stored) -> None:
        self.stored = stored
        self.at = 0  # the log index that is being checked
        self._unannounced: list[FactFor] = []  # facts since the last notifications

    def walk(self) -> None:
        """Check every line of the log, in order."""
        lines = self.stored.lines
        if not lines:
            raise Damaged(0, "log/beginning", "The log is empty.")
        self.hosted = HostedGame(self.stored.game, lines[0], self.stored.secrets)
        self.dice = DiceAudit(self.hosted, self.stored.dice)
        self.signatures = SignatureAudit(self.hosted)
        self.reasons = Reasons(self.hosted)
        self.dice.begin()
        for line in lines[1:]:
            self.at = self.hosted.head + 1
            if line.index == self.at:
                self._check_time(line)
                line = replace(line, payload=payload_of(line, self.hosted.game))  # noqa: PLW2901
                self._before(line)
            events = self.hosted.fold(line)
            self._compare_facts(line, events)

    def compare_end(self) -> None:
        """Check the game's row, its clocks and the rest of its dice transcript."""
        hosted, stored = self.hosted, self.stored
        self.at = hosted.head
        require_same(
            self.at, "log/head", "The game has another head than its log.", hosted.head, stored.head
        )
        message = "The stored clocks differ from those that follow from the log."
        due = sorted(due_times(hosted).items())
        require_same(self.at, "log/clocks", message, due, sorted(stored.clocks.items()))
        over = hosted.ending is not None
        if over != (stored.state == OVER):
            message = f"The state of the game is {stored.state!r}; its log says otherwise."
            raise Damaged(self.at, "log/state", message)
        if hosted.requested is None and self._unannounced:
            raise Damaged(self.at, "log/untold", "The last events were not announced to any seat.")
        self.dice.finish()
        self._compare_digests()

    def _compare_digests(self) -> None:
        """Check what no rule of the game contradicts: times, other notifications, owners."""
        stored, ending = self.stored, self.hosted.ending
        begun, ended = stored.lines[0].at, stored.lines[-1].at if ending is not None else None
        message = "The game did not begin or end at these times."
        found = f"{stored.started} {stored.ended}"
        require_same(self.at, "log/time", message, f"{begun} {ended}", found)
        rows, seats = zip(stored.computed, stored.digests, strict=True)
        if rows[0] != rows[1]:
            message = "A line or a notification was changed, added or deleted."
            raise Damaged(None, "log/digest", message, *rows)
        if seats[0] != seats[1]:
            raise Damaged(None, "seat/digest", "A seat has another owner than before.", *seats)

    def _check_time(self, line: LogLine) -> None:
        if line.at < self.hosted.changed:
            message = "The line is older than the line before it."
            found = str(line.at)
            raise Damaged(line.index, "log/time", message, str(self.hosted.changed), found)

    def _before(self, line: LogLine) -> None:
        """Check what must precede a line."""
        match line.kind:
            case LineKind.ACTION:
                self._action(line)
            case LineKind.ORDERS:
                self._asked(line)
            case LineKind.UNDO if not self.hosted.master.takes_back:
                self._asked(line)
            case LineKind.REPORT:
                self._report(line)
            case LineKind.REQUEST:
                self.dice.request(line)
            case LineKind.OUTCOME:
                self.dice.outcome(line)
            case LineKind.PRESENCE:
                self.dice.presence(line)
            case LineKind.SEALED | LineKind.OPENED:
                self.dice.placement(line)
            case LineKind.LINK | LineKind.SILENT:
                self.dice.link(line)
            case LineKind.LOST_LINES:
                self._lost_lines(line)
            case LineKind.END:
                self._end(line)
        self.signatures.check(line)
        fault = self.reasons.fault(line)
        if fault:
            raise Damaged(line.index, "log/unfounded", fault)

    def _asked(self, line: LogLine) -> None:
        decision = self.hosted.decisions.get(line.seat)
        message = f"The pending decision of {line.seat or 'no seat'} is another one."
        require_same(line.index, "log/wrong-decision", message, decision, line.decision)

    def _action(self, line: LogLine) -> None:
        hosted = self.hosted
        action = said(line, log_lines.Acted).action
        require_same(line.index, "log/words", "The action is not exact.", str(action), line.text)
        owner = hosted.game.actor_of(action)
        require_same(
            line.index, "seat/not-yours", "Another seat has to decide this.", owner, line.seat
        )
        running = hosted.running.get(line.seat)
        if running is not None and hosted.ordered[line.seat].decision == line.decision:
            wanted = running.next(hosted.game).action
            message = "The running orders call for another action."
            require_same(line.index, "log/other-orders", message, wanted, line.text)
        elif line.decision != NO_DECISION:
            self._asked(line)

    def _report(self, line: LogLine) -> None:
        """Check the status only: the wording of a report may come from another version."""
        running = self.hosted.running.get(line.seat)
        if running is None:
            raise Damaged(line.index, "log/no-orders", "No orders are running here.")
        decision = self.hosted.ordered[line.seat].decision
        require_same(
            line.index,
            "log/wrong-decision",
            "These orders answer another decision.",
            decision,
            line.decision,
        )
        found = said(line, log_lines.OrdersReport).status
        message = "The orders ended with another status."
        require_same(
            line.index, "log/other-report", message, status_of(running, self.hosted.game), found
        )

    def _lost_lines(self, line: LogLine) -> None:
        """Check that the lines were signed here and are not stored: else nothing is lost."""
        says, dice = said(line, log_lines.LostLines), self.stored.dice

        def head_of(seq: int) -> bytes | None:
            return Entry.parse(dice[seq]).head if 0 <= seq < len(dice) else None

        key = self.stored.secrets.chain.key
        first = check_proof(says.lines, self.stored.game, key, head_of)
        message = "The line names another number than its first lost line has."
        require_same(line.index, "log/lost-lines", message, first, says.first)

    def _end(self, line: LogLine) -> None:
        hosted = self.hosted
        result = said(line, log_lines.GameEnding).result
        if hosted.game.over:
            winner = hosted.game.winner or "draw"
            require_same(
                line.index, "log/result", "The game ended with another result.", winner, result
            )
        elif result not in ("draw", "void"):
            raise Damaged(
                line.index, "log/result", f"No seat has won, but the result is {result!r}."
            )
        self.dice.end(line)

    def _compare_facts(self, line: LogLine, events: Events) -> None:
        """Compare the stored facts of every reader; they are at the last line of their unit."""
        self._unannounced += facts_of(self.hosted, line, events)
        found = self.stored.facts.get(line.index)
        if found is None:
            return
        readers = facts_by_reader(self._unannounced, self.hosted.game.colours)
        wanted = {reader: facts_json(facts) for reader, facts in readers.items()}
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


def _by_game(heads: Iterable[str]) -> dict[str, list[str]]:
    known: dict[str, list[str]] = defaultdict(list)
    for text in heads:
        game, colon, head = text.strip().partition(":")
        if not game or not colon:
            message = f"{text[:100]!r} is not a head of a game."
            raise TableError("head/bad", message, "Write it as abcdefghij:12:41c38037fc662430.")
        known[game].append(head)
    return known
