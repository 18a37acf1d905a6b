"""What an independent dice server shows to everybody of a game, and how a transcript fits it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rubicon.dice.canonical import Json
from rubicon.dice.errors import BadEntry, DiceError, quoted
from rubicon.dice.hash_chain import REQUIRED_LENGTH
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.genesis import Genesis
from rubicon.dice.lines.reading import Fields
from rubicon.dice.lines.request import Answer, LinksLine
from rubicon.dice.lines.state import DICE_SERVER
from rubicon.dice.participants.client import DiceClient
from rubicon.dice.participants.dice_server import MOST_REFUSALS

MOST_SHOWN = 1_000  # answered requests in one response
LONGEST_REFUSAL = 1_000  # characters


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """A request that the dice server gave its link for: the head of the links line, the link."""

    n: int
    head: bytes
    link: bytes

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"n": self.n, "head": self.head.hex(), "link": self.link.hex()}

    @staticmethod
    def read(fields: Fields) -> AnsweredRequest:
        """From JSON."""
        n = fields.whole("n", 0, REQUIRED_LENGTH - 1)
        answered = AnsweredRequest(n, fields.hash("head"), fields.hash("link"))
        fields.end()
        return answered


@dataclass(frozen=True, slots=True)
class PublicLog:
    """The public log of a game, or a part of it: `answered` from some request on."""

    game: str  # as the table has named it; the dice server knows no more of it
    genesis: bytes  # its head; b"" before the first request
    total: int  # requests that were answered, shown here or not
    answered: tuple[AnsweredRequest, ...]
    refusals: tuple[str, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "game": self.game,
            "genesis": self.genesis.hex() or None,
            "total": self.total,
            "answered": [one.form() for one in self.answered],
            "refusals": list(self.refusals),
        }

    @staticmethod
    def read(fields: Fields) -> PublicLog:
        """From JSON; BadEntry where it is no public log."""
        log = PublicLog(
            game=fields.text("game"),
            genesis=fields.hash("genesis") if fields.maybe("genesis") else b"",
            total=fields.whole("total", 0, REQUIRED_LENGTH),
            answered=tuple(map(AnsweredRequest.read, fields.inners("answered", REQUIRED_LENGTH))),
            refusals=tuple(_refusals(fields)),
        )
        fields.end()
        return log

    def joined(self, later: PublicLog) -> PublicLog:
        """This part of a log with the part behind it."""
        return replace(later, answered=(*self.answered, *later.answered))

    def problems(self, transcript: Iterable[Entry]) -> Iterator[str]:
        """Where the whole log and the transcript of the game differ, in sentences; and refusals.

        An honest table gives no reason for a refusal, so each of them is named.
        """
        yield from self.differences(transcript)
        yield from self.refusals

    def differences(self, transcript: Iterable[Entry]) -> Iterator[str]:
        """Where the whole log and the transcript of the game differ, in sentences.

        The transcript may end before the answer to the last request.
        """
        ours: dict[int, AnsweredRequest] = {}
        given: dict[int, bytes] = {}  # heads of the links lines
        for entry in transcript:
            fields = Fields(entry.body, "entry")
            if entry.kind == Genesis.kind:
                yield from self._other_game(Genesis.read(fields), entry.head)
            elif entry.kind == LinksLine.kind:
                given[LinksLine.read(fields).n] = entry.head
            elif entry.kind == Answer.kind:
                answer = Answer.read(fields)
                link = answer.bare.get(DICE_SERVER) or b""
                ours[answer.n] = AnsweredRequest(answer.n, given.get(answer.n, b""), link)
        yield from self._out_of_order()
        theirs = {one.n: one for one in self.answered}
        for n in sorted(ours.keys() | theirs.keys()):
            if n not in theirs:
                yield f"Request {n} is missing in the dice server's log."
            elif n not in ours and n not in given:
                yield f"Request {n} stands in the dice server's log, not in the transcript."
            elif ours.get(n) != theirs[n] and (n in ours or given[n] != theirs[n].head):
                yield f"Request {n} is another one in the dice server's log."

    def _other_game(self, genesis: Genesis, head: bytes) -> Iterator[str]:
        if DICE_SERVER not in genesis.participants:
            yield "No independent dice server stands in the transcript."
        if genesis.table != self.game:
            yield f"The dice server's log is of game {quoted(self.game)}, not of {genesis.table}."
        if head != self.genesis and self.total:
            yield "The dice server has answered for another genesis."

    def _out_of_order(self) -> Iterator[str]:
        """What the log does not show once, in order from request 0 to the last one."""
        last, seen = -1, set()
        for one in self.answered:
            if one.n in seen:
                yield f"Request {one.n} stands twice in the dice server's log."
            elif one.n < last:
                yield f"Request {one.n} stands behind request {last} in the dice server's log."
            seen.add(one.n)
            last = max(last, one.n)
        if len(seen) != self.total:
            yield (
                f"The dice server has answered {self.total:,} requests; its log as it was given"
                f" here has {len(seen):,} of them."
            )


def handed_in(client: DiceClient, link: Mapping[str, Any], receipt: str) -> dict[str, Any]:
    """What a client sends to a dice server behind the table's receipt for its link.

    `link` is the message of `DiceClient.give`, for the request that still waits. From then on the
    dice server refuses a list that hides the link.
    """
    me, pending = client.me, client.transcript.state.pending
    if me is None or pending is None or pending.n != link["n"]:
        raise DiceError("dice/no-request", "No request waits for this link.")
    return {
        "id": me.id,
        "n": pending.n,
        "head": pending.head.hex(),
        "link": link["link"],
        "sig": link["signature"],
        "receipt": receipt,
    }


def _refusals(fields: Fields) -> Iterator[str]:
    for value in fields.items("refusals", MOST_REFUSALS):
        if not isinstance(value, str) or len(value) > LONGEST_REFUSAL:
            expected = f"a text of at most {LONGEST_REFUSAL:,} characters"
            raise BadEntry(
                "wrong-form", "A refusal has not the right form.", expected, quoted(value)
            )
        yield value
