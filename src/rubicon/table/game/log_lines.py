"""What each line of a game's log says: one type for each kind, with one codec for its text.

A line is stored as a text. The texts never change: digests, receipts and e-mails hold them. Here,
and nowhere else, a text becomes a value and a value a text; `tests/table/game/test_log_lines.py`
reads and writes every line of old games.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias, TypeVar, get_args

import msgspec

from rubicon.dice.errors import BadEntry
from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.opening import Opened, Sealed
from rubicon.dice.lines.request import GivenLink, SignedOrder
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.syntax import OrderText
from rubicon.rules.actions import Action, Outcome
from rubicon.rules.game import Game
from rubicon.rules.notation.actions import parse_action, parse_outcome
from rubicon.table.errors import TableError

NO_DECISION = -1
TYPED = "typed"  # the text of a request for the result of real dice
_DAY = 86_400_000  # milliseconds


class LineKind(StrEnum):
    """The kind of a log line; the comment says what the line records."""

    BEGIN = "begin"  # the game: headers of its record, settings of its table, bots that own seats
    ORDERS = "orders"  # a text of orders, as it was sent
    ACTION = "action"  # an action
    SIGNED = "signed"  # a client's signature of the decision in the next line
    REQUEST = "request"  # a request to the dice, or for the result of real dice
    OUTCOME = "outcome"  # the outcome of chance
    PRESENCE = "presence"  # a change of who takes part in the dice
    LINK = "link"  # a participant's link for the pending request
    SILENT = "silent"  # a participant gave no link in time
    SEALED = "sealed"  # the salted hash of a seat's placement
    OPENED = "opened"  # what a seat had sealed
    REPORT = "report"  # the result of orders
    UNDO = "undo"  # an action is taken back
    BOT = "bot"  # a stand-in bot begins to play the seat, or ends
    VOTE = "vote"  # a vote for a motion, or its withdrawal
    PAUSE = "pause"  # the clocks stop, or run again
    EXTEND = "extend"  # pending decisions get their time once more
    WARNED = "warned"  # the seat was warned of its deadline
    LATE = "late"  # the seat's deadline has passed, and the policy is to wait
    AWAY = "away"  # an absence is announced, or ends
    ERASED = "erased"  # the seat's owner has erased their account
    # Lines of the dice transcript that this server has signed and no longer has. The game stops,
    # and only goes on as a fork.
    LOST_LINES = "lost-lines"
    MASTER = "master"  # a request of the game master
    FORK = "fork"  # another game continues from an earlier line
    END = "end"  # the result, and the reason


# Lines that answer a decision.
ANSWERS = (LineKind.ORDERS, LineKind.ACTION, LineKind.UNDO)


# One class for each kind, tagged by it, so that a payload can also be sent as JSON as it is.
class _Line(msgspec.Struct, frozen=True, tag_field="kind"):
    """The base of all payloads; the tag of each is its LineKind."""

    def text(self) -> str:
        """As it is stored."""
        return ""


class _JsonLine(_Line, frozen=True):
    """A payload whose text is a JSON object of its fields."""

    def text(self) -> str:
        return json.dumps(msgspec.structs.asdict(self))


class Beginning(_Line, frozen=True, tag=LineKind.BEGIN.value):
    """The game: headers of its record, changed settings of its table, bots that own seats."""

    record: dict[str, str]
    table: dict[str, Any]
    bots: dict[str, str] = {}

    def text(self) -> str:
        return json.dumps(msgspec.structs.asdict(self), sort_keys=True)


# Not the words of `OrderText`: the same orders can be written in many ways, and the hash of what
# was sent is part of the dice.
class Orders(_Line, frozen=True, tag=LineKind.ORDERS.value):
    """Orders; the words are kept as they were sent, because dice and signatures commit to them."""

    words: str
    orders: OrderText

    def text(self) -> str:
        return self.words


class Acted(_Line, frozen=True, tag=LineKind.ACTION.value):
    """An action."""

    action: Action

    def text(self) -> str:
        return str(self.action)


class Signed(_JsonLine, frozen=True, tag=LineKind.SIGNED.value):
    """A signature: the words, the id of the participant, and in hexadecimal digits the rest."""

    words: str
    id: str
    head: str
    signature: str

    @property
    def order(self) -> SignedOrder:
        """As the transcript of the dice has it; ValueError where the digits are none."""
        return SignedOrder(self.id, bytes.fromhex(self.head), bytes.fromhex(self.signature))


class Requested(_Line, frozen=True, tag=LineKind.REQUEST.value):
    """A request for dice: its number in the transcript, or None where real dice are entered."""

    n: int | None

    def text(self) -> str:
        return TYPED if self.n is None else str(self.n)


class Settled(_Line, frozen=True, tag=LineKind.OUTCOME.value):
    """The outcome of chance."""

    outcome: Outcome

    def text(self) -> str:
        return str(self.outcome)


class DicePresence(_Line, frozen=True, tag=LineKind.PRESENCE.value):
    """Who takes part in the dice: the transcript's word (`deposit`, `leave`, `lost`), and an id."""

    word: str
    id: str

    def text(self) -> str:
        return f"{self.word} {self.id}"


class LinkGiven(_Line, frozen=True, tag=LineKind.LINK.value):
    """A participant's link for the request that waits."""

    id: str
    given: GivenLink

    def text(self) -> str:
        return f"{self.id} {self.given.link.hex()} {self.given.sig.hex()}"


LOST = "lost"  # the word for a client whose connection is gone


class Silent(_Line, frozen=True, tag=LineKind.SILENT.value):
    """A participant that gave no link in time."""

    id: str

    def text(self) -> str:
        return self.id


class SealedPlacement(_Line, frozen=True, tag=LineKind.SEALED.value):
    """What a seat has sealed, as the line of the transcript says it."""

    body: Sealed

    def text(self) -> str:
        return json.dumps(self.body.form())


class OpenedPlacement(_Line, frozen=True, tag=LineKind.OPENED.value):
    """What a seat had sealed, as the line of the transcript says it."""

    body: Opened

    def text(self) -> str:
        return json.dumps(self.body.form())


class OrdersReport(_JsonLine, frozen=True, tag=LineKind.REPORT.value):
    """The result of orders: how they stopped and why, and what of them was not done."""

    status: str
    reason: str = ""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Undone(_Line, frozen=True, tag=LineKind.UNDO.value):
    """The action at a log index is taken back."""

    index: int

    def text(self) -> str:
        return str(self.index)


class StandIn(_Line, frozen=True, tag=LineKind.BOT.value):
    """The bot that plays the seat from now on; "" gives the seat back to its owner."""

    bot: str = ""

    def text(self) -> str:
        return self.bot


class VoteCast(_Line, frozen=True, tag=LineKind.VOTE.value):
    """A vote for a motion, in the words of docs/tables.md, or its withdrawal."""

    motion: str
    withdrawn: bool = False

    def text(self) -> str:
        return f"-{self.motion}" if self.withdrawn else self.motion


class Paused(_Line, frozen=True, tag=LineKind.PAUSE.value):
    """The clocks stop, or run again."""

    on: bool

    def text(self) -> str:
        return "on" if self.on else "off"


class Extended(_Line, frozen=True, tag=LineKind.EXTEND.value):
    """Time once more: for all by a vote (""), or for one seat, and why."""

    why: str = ""

    def text(self) -> str:
        return self.why


class Warned(_Line, frozen=True, tag=LineKind.WARNED.value):
    """The seat was warned of its deadline."""


class Late(_Line, frozen=True, tag=LineKind.LATE.value):
    """The seat's time is over."""


@dataclass(frozen=True, slots=True)
class Absence:
    """From `first` until before `until`, in milliseconds since 1970; days are days in UTC."""

    first: int
    until: int
    bot: str

    @property
    def days(self) -> int:
        """Its length in days."""
        return (self.until - self.first) // _DAY

    def covers(self, at: int) -> bool:
        """Whether the seat is away at a moment."""
        return self.first <= at < self.until

    def __str__(self) -> str:
        last = self.until - _DAY
        return " ".join(part for part in (_day(self.first), _day(last), self.bot) if part)

    @staticmethod
    def parse(text: str) -> Absence:
        """From `2026-12-24 2026-12-31 greedy`, the bot optional; TableError for any other text."""
        found = _ABSENCE.fullmatch(text.strip().lower())
        if not found:
            message = f"{text[:60]!r} is not an absence."
            hint = "Write the first and the last day: 2026-12-24 2026-12-31"
            raise TableError("absence/text", message, hint)
        try:
            first, last = (date.fromisoformat(found[n]) for n in (1, 2))
            until = last + timedelta(days=1)
        except (ValueError, OverflowError) as error:
            message = f"{text[:60]!r} has a day that does not exist."
            raise TableError("absence/text", message, "") from error
        if last < first:
            raise TableError("absence/order", "The last day is before the first.", "")
        return Absence(_moment(first), _moment(until), found[3] or "")


_ABSENCE = re.compile(r"(\d{4}-\d{2}-\d{2}) (\d{4}-\d{2}-\d{2})(?: ([a-z][a-z0-9_-]{0,19}))?")


class Away(_Line, frozen=True, tag=LineKind.AWAY.value):
    """The absence that the seat announces; None ends it."""

    absence: Absence | None = None

    def text(self) -> str:
        return "" if self.absence is None else str(self.absence)


class Erased(_Line, frozen=True, tag=LineKind.ERASED.value):
    """The seat's owner has erased their account."""


class LostLines(_Line, frozen=True, tag=LineKind.LOST_LINES.value):
    """Lines of the dice that are lost, as a client was shown them, and the number of the first."""

    first: int
    lines: tuple[str, ...]

    def text(self) -> str:
        return "\n".join((str(self.first), *self.lines))


class MasterWord(StrEnum):
    """What the game master can ask for; the comment says what the words after it are."""

    EXTEND = "EXTEND"  # hours: more time for every pending decision
    PROCESS = "PROCESS"  # a bot plays for all whose time is over
    BOT = "BOT"  # a seat and a bot, which plays until the player takes the seat back
    REPLACE = "REPLACE"  # a seat: it is free for another player, and a bot plays it until then
    UNDO = "UNDO"  # the last decision is taken back, never past dice or a secret
    ANNOUNCE = "ANNOUNCE"  # words to all players
    BANNER = "BANNER"  # words above the pages of the game; without words there are none
    FORK = "FORK"  # a log index: proposes to all players to begin a new game from there


class MasterOrder(_Line, frozen=True, tag=LineKind.MASTER.value):
    """One request of the game master; `str` gives its exact words."""

    word: MasterWord
    seat: str = ""
    number: int = 0
    words: str = ""

    def __str__(self) -> str:
        match self.word:
            case MasterWord.EXTEND:
                return f"EXTEND {self.number} HOURS"
            case MasterWord.FORK:
                return f"FORK {self.number}"
            case _:
                return " ".join(part for part in (self.word.value, self.seat, self.words) if part)

    def text(self) -> str:
        return str(self)


class Forked(_Line, frozen=True, tag=LineKind.FORK.value):
    """The game that continues from an earlier log index."""

    index: int
    game: str

    def text(self) -> str:
        return f"{self.index} {self.game}"


class GameEnding(_Line, frozen=True, tag=LineKind.END.value):
    """How a game ended: a colour, `draw` or `void`, and why."""

    result: str
    reason: str

    def text(self) -> str:
        return f"{self.result} {self.reason}".strip()


Payload: TypeAlias = (
    Beginning
    | Orders
    | Acted
    | Signed
    | Requested
    | Settled
    | DicePresence
    | LinkGiven
    | Silent
    | SealedPlacement
    | OpenedPlacement
    | OrdersReport
    | Undone
    | StandIn
    | VoteCast
    | Paused
    | Extended
    | Warned
    | Late
    | Away
    | Erased
    | LostLines
    | MasterOrder
    | Forked
    | GameEnding
)
KIND_OF: Mapping[type[_Line], LineKind] = {
    payload: LineKind(payload.__struct_config__.tag) for payload in get_args(Payload)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One line of a log: `text` as it is stored, and `payload` where it was read or written here.

    Ask `payload_of` for what the line says.
    """

    index: int
    kind: LineKind
    seat: str = ""
    decision: int = NO_DECISION
    text: str = ""
    at: int  # milliseconds since 1970
    payload: Payload | None = field(default=None, compare=False, repr=False)

    def row(self, game: str) -> dict[str, Any]:
        """The row in the table `log`."""
        return {
            "game": game,
            "log_index": self.index,
            "kind": self.kind.value,
            "seat": self.seat,
            "decision": self.decision,
            "text": self.text,
            "at": self.at,
        }


class NewLine(NamedTuple):
    """A line that a decision adds: what it says, and of which seat and decision."""

    says: Payload
    seat: str = ""
    decision: int = NO_DECISION
    checked: bool = False  # whether the rules have just allowed its action


Lines: TypeAlias = tuple[NewLine, ...]


def new_line(
    payload: Payload, index: int, at: int, seat: str = "", decision: int = NO_DECISION
) -> LogLine:
    """A line that says this; `at` in milliseconds since 1970."""
    return LogLine(
        index=index,
        kind=KIND_OF[type(payload)],
        seat=seat,
        decision=decision,
        text=payload.text(),
        at=at,
        payload=payload,
    )


P = TypeVar("P", bound=_Line)


def payload_of(line: LogLine, game: Game | None = None) -> Payload:
    """What a line says; `game` is needed for orders and actions alone.

    TableError `log/unreadable`, or the code of the part that cannot be read, for a damaged text.
    """
    return line.payload or read_payload(line.kind, line.text, game)


def said(line: LogLine, of: type[P], game: Game | None = None) -> P:
    """What a line says, where its kind is known."""
    payload = payload_of(line, game)
    assert isinstance(payload, of)
    return payload


def read_payload(kind: LineKind, text: str, game: Game | None = None) -> Payload:
    """What the text of a line of this kind says; errors as those of `payload_of`."""
    try:
        if kind is LineKind.ACTION:
            assert game is not None
            return Acted(parse_action(text, game.ruleset.board, game.colours))
        if kind is LineKind.ORDERS:
            assert game is not None
            return Orders(text, read_orders(text, game.ruleset.board, game.colours))
        return _READERS[kind](text)
    except (ValueError, TypeError, KeyError, msgspec.MsgspecError, BadEntry) as error:
        message = f"{text[:40]!r} is no text of a line {kind.value!r}."
        raise TableError("log/unreadable", message, DAMAGED) from error


DAMAGED = "The log is damaged: restore a backup."


def read_order(text: str) -> MasterOrder:
    """The request of the game master in its exact words; TableError `master/unreadable`."""
    head, _, rest = text.partition(" ")
    try:
        word = MasterWord(head)
        match word:
            case MasterWord.EXTEND:
                order = MasterOrder(word, number=int(rest.removesuffix(" HOURS")))
            case MasterWord.FORK:
                order = MasterOrder(word, number=int(rest))
            case MasterWord.BOT | MasterWord.REPLACE:
                seat, _, words = rest.partition(" ")
                order = MasterOrder(word, seat, words=words)
            case _:
                order = MasterOrder(word, words=rest)
    except ValueError as error:
        raise _no_request(text) from error
    if str(order) != text:
        raise _no_request(text)
    return order


def _no_request(text: str) -> TableError:
    message = f"{text[:40]!r} is no request of the game master."
    return TableError("master/unreadable", message, DAMAGED)


def _presence(text: str) -> DicePresence:
    word, name = text.split(" ")
    return DicePresence(word, name)


def _link(text: str) -> LinkGiven:
    name, link, sig = text.split(" ")
    return LinkGiven(name, GivenLink(bytes.fromhex(link), bytes.fromhex(sig)))


def _sealed(text: str) -> SealedPlacement:
    return SealedPlacement(Sealed.read(Fields(json.loads(text), "log.sealed")))


def _opened(text: str) -> OpenedPlacement:
    return OpenedPlacement(Opened.read(Fields(json.loads(text), "log.opened")))


def _lost_lines(text: str) -> LostLines:
    first, *lines = text.split("\n")
    return LostLines(int(first), tuple(lines))


def _forked(text: str) -> Forked:
    index, _, game = text.partition(" ")
    return Forked(int(index), game)


def _ending(text: str) -> GameEnding:
    result, _, reason = text.partition(" ")
    return GameEnding(result, reason)


# Keyed by kind; an empty text has nothing to read.
_READERS: Mapping[LineKind, Callable[[str], Payload]] = {
    LineKind.BEGIN: msgspec.json.Decoder(Beginning).decode,
    LineKind.SIGNED: msgspec.json.Decoder(Signed).decode,
    LineKind.REQUEST: lambda text: Requested(None if text == TYPED else int(text)),
    LineKind.OUTCOME: lambda text: Settled(parse_outcome(text)),
    LineKind.PRESENCE: _presence,
    LineKind.LINK: _link,
    LineKind.SILENT: Silent,
    LineKind.SEALED: _sealed,
    LineKind.OPENED: _opened,
    LineKind.REPORT: msgspec.json.Decoder(OrdersReport).decode,
    LineKind.UNDO: lambda text: Undone(int(text)),
    LineKind.BOT: StandIn,
    LineKind.VOTE: lambda text: VoteCast(text.removeprefix("-"), text.startswith("-")),
    LineKind.PAUSE: lambda text: Paused({"on": True, "off": False}[text]),
    LineKind.EXTEND: Extended,
    LineKind.WARNED: lambda _: Warned(),
    LineKind.LATE: lambda _: Late(),
    LineKind.AWAY: lambda text: Away(Absence.parse(text) if text else None),
    LineKind.ERASED: lambda _: Erased(),
    LineKind.LOST_LINES: _lost_lines,
    LineKind.MASTER: read_order,
    LineKind.FORK: _forked,
    LineKind.END: _ending,
}


def _day(moment: int) -> str:
    return datetime.fromtimestamp(moment / 1000, UTC).date().isoformat()


def _moment(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
