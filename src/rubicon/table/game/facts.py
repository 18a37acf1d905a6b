"""Facts: the events of a log line as JSON, as each seat and the spectators may know them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from rubicon.rules.events import Event, seen_by
from rubicon.rules.notation.json_format import event_to_json
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.storage.event_log import LineKind, LogLine, first_lost

SPECTATORS = ""
EVERYONE = "*"  # all seats and the spectators: most facts are the same for all, and stored once
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
_encode = msgspec.json.Encoder().encode


class Fact(NamedTuple):
    """One fact as JSON, for a seat, the spectators or everyone."""

    reader: str
    text: str


def facts_of(hosted: HostedGame, line: LogLine, events: Iterable[Event]) -> Iterator[Fact]:
    """The facts of a line and its events, for each reader or for everyone."""
    ruleset = hosted.game.ruleset
    for event in events:
        # The spectators see no more than any seat: what they see whole is the same for everyone.
        if seen_by(event, None, ruleset) is event:
            yield Fact(EVERYONE, _encode(event_to_json(event)).decode())
            continue
        for reader in (SPECTATORS, *hosted.game.colours):
            seen = seen_by(event, reader or None, ruleset)
            if seen is not None:
                yield Fact(reader, _encode(event_to_json(seen)).decode())
    if line.kind is LineKind.REQUEST and hosted.untyped:
        fact = {"kind": "table", "version": 1, "event": "untyped", "seat": hosted.untyped}
        yield Fact(EVERYONE, _encode(fact | {"text": ""}).decode())
    if line.kind in PUBLIC_KINDS:
        fact = {"kind": "table", "version": 1, "event": line.kind.value, "seat": line.seat}
        text = str(first_lost(line)) if line.kind is LineKind.LOST_LINES else line.text
        if line.kind in (LineKind.SEALED, LineKind.OPENED):
            text = ""  # the transcript has it
        yield Fact(EVERYONE, _encode(fact | {"text": text}).decode())


def bodies_of(facts: Sequence[Fact], colours: Sequence[str]) -> dict[str, str]:
    """The body of a notification of these facts by reader: one for everyone, or one for each."""
    if all(fact.reader == EVERYONE for fact in facts):
        return {EVERYONE: _array(facts)} if facts else {}
    return {
        reader: _array(own)
        for reader in (SPECTATORS, *colours)
        if (own := [fact for fact in facts if fact.reader in (EVERYONE, reader)])
    }


def _array(facts: Iterable[Fact]) -> str:
    return f"[{','.join(fact.text for fact in facts)}]"
