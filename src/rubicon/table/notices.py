"""What a notification holds, typed: one struct for each kind, and one codec for all of them.

A body of the kind EVENTS is a list of facts: events of the game, and public lines of its log. Every
other kind has its own struct. Bodies are stored as JSON, and the bytes are part of the digest
of a game, so what is written today is what was written by every version before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import ClassVar, NamedTuple

import msgspec

from rubicon.rules.events import Event, event_json, read_event

SPECTATORS = ""
EVERYONE = "*"  # all seats and the spectators: most facts are the same for all, and stored once

# `notification.sent` holds the state of the delivery by e-mail. None: no e-mail, or it is no longer
# needed; 0: pending; below 0: being sent, or delivery failed, and the next attempt is not before
# that time (without the sign); above 0: the time when it was sent.
EMAIL_PENDING = 0

# Facts: what a reader learns of the lines of the log.

EVENTS = "events"  # the kind of a notification of facts
UNTYPED = "untyped"  # the fact that a seat must still type in the dice it has thrown


class TableEvent(msgspec.Struct, frozen=True, tag_field="kind", tag="table", kw_only=True):
    """A line of the log that is public itself: `event` is its kind, `text` what it says."""

    version: int = 1
    event: str
    seat: str
    text: str = ""


Fact = Event | TableEvent


class FactFor(NamedTuple):
    """A fact, for a seat, the spectators or everyone."""

    reader: str
    fact: Fact


class _Kind(msgspec.Struct):
    """What distinguishes a game's event from a line of the log before the rest is read."""

    kind: str


_split = msgspec.json.Decoder(list[msgspec.Raw]).decode
_kind = msgspec.json.Decoder(_Kind).decode
_table_event = msgspec.json.Decoder(TableEvent).decode
_encode = msgspec.json.Encoder().encode


def facts_json(facts: Iterable[Fact]) -> str:
    """The body of a notification of facts."""
    return f"[{','.join(map(_fact_json, facts))}]"


def read_facts(body: str) -> tuple[Fact, ...]:
    """The facts of a body; msgspec.ValidationError where it is none."""
    return tuple(map(_fact, _split(body)))


def _fact_json(fact: Fact) -> str:
    return _encode(fact).decode() if isinstance(fact, TableEvent) else event_json(fact)


def _fact(raw: msgspec.Raw) -> Fact:
    # The events of a game are a union by `event`, where a line of the log has any of its kinds: one
    # union of both would need a class for each kind of line.
    if _kind(raw).kind == "event":
        return read_event(bytes(raw))
    line: TableEvent = _table_event(raw)
    return line


# All other notifications.


class Notice(msgspec.Struct, frozen=True):
    """The base of bodies that are no facts; `kind` is the kind of the notification."""

    kind: ClassVar[str]


class DecisionDue(Notice, frozen=True):
    """A seat must decide."""

    kind: ClassVar[str] = "decision"
    decision: int


class DeadlineNear(Notice, frozen=True):
    """A seat must decide until `due`, in milliseconds since 1970; None without a deadline."""

    kind: ClassVar[str] = "deadline"
    decision: int
    due: int | None = None


class OpeningDue(Notice, frozen=True):
    """A seat's client must open its sealed placement."""

    kind: ClassVar[str] = "opening"


class LinkDue(Notice, frozen=True):
    """A client must give its link for a request before `until`, in milliseconds since 1970."""

    kind: ClassVar[str] = "link"
    request: int
    id: str  # of the participant
    until: int
    witness: str


class GameOver(Notice, frozen=True):
    """A game or a table has ended: a colour, `draw`, `void` or `closed`, and why."""

    kind: ClassVar[str] = "over"
    result: str = ""
    reason: str = ""


class GameForked(Notice, frozen=True):
    """A new game continues this one from an earlier line."""

    kind: ClassVar[str] = "fork"
    game: str


class DiceLost(Notice, frozen=True):
    """The game has stopped: lines of its dice are lost, from this number on."""

    kind: ClassVar[str] = "stopped"
    line: int


class Announcement(Notice, frozen=True):
    """Words of the game master to all."""

    kind: ClassVar[str] = "announce"
    words: str


class PlayerLate(Notice, frozen=True):
    """The deadline of a seat has passed, and its table waits."""

    kind: ClassVar[str] = "late"
    seat: str


class EmailBounced(Notice, frozen=True):
    """E-mails to the player of a seat come back."""

    kind: ClassVar[str] = "bounced"
    seat: str


class MessageToMaster(Notice, frozen=True):
    """A line of the chat for the game master, whose text stays in the chat."""

    kind: ClassVar[str] = "to-master"
    line: int


class MasterBegins(Notice, frozen=True):
    """The game of a person who is its game master has begun."""

    kind: ClassVar[str] = "master-begins"


class Invitation(Notice, frozen=True):
    """A seat of another table is reserved for a player of this game."""

    kind: ClassVar[str] = "invite"
    game: str
    invite: str | None


_DECODERS = {each.kind: msgspec.json.Decoder(each).decode for each in Notice.__subclasses__()}


def notice_json(notice: Notice) -> str:
    """The body of a notification that is no list of facts."""
    # With the spaces and escapes of the standard library, which every version has written.
    return json.dumps(msgspec.to_builtins(notice))


def shown_of(notice: Notice | None, names: Iterable[str]) -> dict[str, object]:
    """Those of these fields that a notice has, as messages to devices and webhooks show them."""
    fields = () if notice is None else notice.__struct_fields__
    return {name: getattr(notice, name) for name in names if name in fields}


def read_notice(kind: str, body: str) -> Notice:
    """The body of a notification of a kind; KeyError for EVENTS and for an unknown kind."""
    return _DECODERS[kind](body)
