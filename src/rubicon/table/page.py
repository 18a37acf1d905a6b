"""What one transaction adds to a game: lines, dice, notices, and the game's row."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, update

from rubicon.dice.entry import Entry
from rubicon.rules.events import Event, seen_by
from rubicon.rules.text.json_forms import event_to_json
from rubicon.table import schema
from rubicon.table.letters import letter_for
from rubicon.table.lines import NO_DUTY, Kind, Line
from rubicon.table.listening import Change, What, announce
from rubicon.table.live import Live
from rubicon.table.statements import Alteration, Insertion
from rubicon.table.transactions import on_one_sheet

SPECTATORS = ""
FORK_LOOKED_AT = 24 * 3600 * 1000  # how often a game that goes on as another is looked at
_encode = msgspec.json.Encoder().encode
OPEN_KINDS = frozenset(
    {Kind.VOTE, Kind.PAUSE, Kind.EXTEND, Kind.BOT, Kind.LATE, Kind.AWAY, Kind.UNDO, Kind.FORK}
    | {Kind.DEPOSIT, Kind.SILENT}
)
_LOG = ("game", "entry", "kind", "seat", "duty", "text", "at")
INSERT_LINES = Insertion(schema.log, *_LOG)
INSERT_DICE = Insertion(schema.dice, "game", "seq", "text")
_NOTICE = ("game", "entry", "seat", "kind", "body", "at", "sent")
INSERT_NOTICES = Insertion(schema.notice, *_NOTICE)
_CLOCK = schema.clock.c
_KEY = {"game": _CLOCK.game, "seat": _CLOCK.seat, "kind": _CLOCK.kind}
SET_CLOCKS = Insertion(schema.clock, *_KEY, "entry", "due", key=_KEY)
DELETE_CLOCKS = Alteration(
    lambda row: delete(schema.clock).where(*(c == row[name] for name, c in _KEY.items())), **_KEY
)
_GAME = schema.game.c
_HEAD = {"id": _GAME.id, "head": _GAME.head, "changed": _GAME.changed, "void": _GAME.void}
_END = {"state": _GAME.state, "ended": _GAME.ended}


def _of_game(columns: Mapping[str, Any]) -> Alteration:
    """An update of a game's own row."""
    changed = [name for name in columns if name != "id"]
    return Alteration(
        lambda row: (
            update(schema.game)
            .where(_GAME.id == row["id"])
            .values({name: row[name] for name in changed})
        ),
        **columns,
    )


GO_ON = _of_game(_HEAD)
END = _of_game(_HEAD | _END)


class Page:
    """What is being added; `flush` writes it, and until then nothing is stored."""

    def __init__(self, connection: Connection, live: Live, at: int) -> None:
        self.connection = connection
        self.live = live
        self.at = at
        self.first = live.head + 1
        self.asked = False  # whether a request stands here: it is answered behind the commit only
        self.put_off: Callable[[Page], Any] | None = None  # what is to be done behind this page
        # a seat's facts, each as JSON; what waits to be told stays there until this page is written
        self.told = {seat: list(facts) for seat, facts in live.untold.items()}
        self.notices: list[dict[str, Any]] = []
        self.begun = ""  # another game that begins in this transaction
        self._lines: list[Line] = []
        self._tried = False  # a line that fails may have changed the game, too
        self._dice_before = len(live.chain)
        self._dice: list[Entry] = []
        self._duties = dict(live.duties)
        self._due = due_times(live)
        self._warned = dict(live.warned)

    @property
    def untouched(self) -> bool:
        """Whether nothing has been added: the game in memory is as it was."""
        return not self._tried and len(self.live.chain) == self._dice_before

    def line(self, kind: Kind, text: str, seat: str = "", duty: int = NO_DUTY) -> Line:
        """Add a line to the log and go on with it."""
        line = Line(self.live.head + 1, kind, seat, duty, text, self.at)
        self._tried = True
        events = self.live.take(line)
        self._lines.append(line)
        for told, fact in facts_told(self.live, line, events):
            self.told.setdefault(told, []).append(fact)
        return line

    def dice(self, entry: Entry) -> None:
        """Add an entry to the dice chain; it stands in the live chain already."""
        self._dice.append(entry)

    def flush(self) -> None:
        """Write everything. An IntegrityError says that another worker was quicker."""
        with on_one_sheet(self.connection, self.live.id):
            self._write()

    def _write(self) -> None:
        live, connection = self.live, self.connection
        if self._dice:
            INSERT_DICE.run(connection, [dice_row(live.id, entry) for entry in self._dice])
        if not self._lines:
            return
        INSERT_LINES.run(connection, [line.row(live.id) for line in self._lines])
        if self.asked and live.answered_at_once:
            live.untold = self.told  # told with what chance makes of it
        else:
            live.untold = {}
            self._notice_facts()
            self._notice_duties()
        keep_clocks(connection, live, self._due)
        if self.notices:
            INSERT_NOTICES.run(connection, self.notices)
        void = self.at + (FORK_LOOKED_AT if live.forked else live.settings.void_after * 1000)
        row = {"id": live.id, "head": live.head, "changed": self.at, "void": void}
        if live.ending is None:
            GO_ON.run(connection, [row])
        else:
            END.run(connection, [row | {"state": "over", "ended": self.at}])
        announce(connection, Change(What.PAGE, live.id, live.head, self.first - 1))

    def _notice_facts(self) -> None:
        for seat, facts in self.told.items():
            self._notice(seat, "facts", facts_body(facts))

    def _notice_duties(self) -> None:
        """Whoever is asked for something since this page began; all of them at the end."""
        ending = self.live.ending
        if ending is not None:
            told = json.dumps({"result": ending.result, "reason": ending.reason})
            for seat in (SPECTATORS, *self.live.game.colours):
                self._notice(seat, "over", told)
        if self.begun:
            for seat in (SPECTATORS, *self.live.game.colours):
                self._notice(seat, "fork", json.dumps({"game": self.begun}))
        for seat, link in self.live.links_wanted.items() if self.asked else ():
            self._notice(seat, "link", json.dumps(link.as_dict()))
        for seat, duty in self.live.duties.items():
            if seat not in self._duties:
                self._notice(seat, "duty", json.dumps({"duty": duty}))
            if self.live.warned.get(seat) == duty and self._warned.get(seat) != duty:
                due = self.live.clocks.due(seat)
                self._notice(seat, "deadline", json.dumps({"duty": duty, "due": due}))

    def _notice(self, seat: str, kind: str, body: str) -> None:
        live = self.live
        self.notices.append(
            {
                "game": live.id,
                "entry": live.head,
                "seat": seat,
                "kind": kind,
                "body": body,
                "at": self.at,
                "sent": letter_for(live, seat, kind),
            }
        )


def facts_told(live: Live, line: Line, events: Iterable[Event]) -> Iterator[tuple[str, str]]:
    """What each seat and the spectators may know of a line and its events, as JSON."""
    readers = (SPECTATORS, *live.game.colours)
    public = live.public_hands
    for event in events:
        told = ""
        open_to_all = seen_by(event, None, public_hands=public) is event
        for seat in readers:
            seen = event if open_to_all else seen_by(event, seat or None, public_hands=public)
            if seen is None:
                continue
            if not (open_to_all and told):
                told = _encode(event_to_json(seen)).decode()
            yield seat, told
    if line.kind in OPEN_KINDS:
        fact = {"kind": "table", "version": 1, "event": line.kind.value, "seat": line.seat}
        told = _encode(fact | {"text": line.text}).decode()
        yield from ((seat, told) for seat in readers)


def facts_body(facts: Iterable[str]) -> str:
    """The body of a notice of these facts."""
    return f"[{','.join(facts)}]"


def dice_row(game: str, entry: Entry) -> dict[str, Any]:
    """An entry of the dice chain as it is stored."""
    return {"game": game, "seq": entry.seq, "text": entry.text()}


def keep_clocks(connection: Connection, live: Live, before: Mapping[tuple[str, str], int]) -> None:
    """Bring the index of what is due up to date; `before` is what it was."""
    due = due_times(live)
    if due == before:
        return
    gone = [{"game": live.id, "seat": seat, "kind": kind} for seat, kind in before.keys() - due]
    if gone:
        DELETE_CLOCKS.run(connection, gone)
    rows = [
        {"game": live.id, "seat": seat, "kind": kind, "entry": live.head, "due": at}
        for (seat, kind), at in due.items()
    ]
    if rows:
        SET_CLOCKS.run(connection, rows)


def due_times(live: Live) -> dict[tuple[str, str], int]:
    """When something is to be done by itself, by seat and kind."""
    due: dict[tuple[str, str], int] = {}
    if live.at_rest:
        return due
    for seat, duty in live.duties.items():
        if seat in live.bots or seat in live.house_bots or seat in live.late:
            continue
        move = live.clocks.due(seat)
        if move is None:
            continue
        due[seat, "move"] = move
        warning = live.clocks.warning(seat)
        if warning is not None and live.warned.get(seat) != duty:
            due[seat, "warning"] = warning
    for seat, absence in live.away.items():
        if seat in live.bots:
            due[seat, "return"] = absence.until
    for link in live.links_wanted.values():
        due[SPECTATORS, "links"] = link.until
    return due
