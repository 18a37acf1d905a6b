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
        """Where the whole log and the transcript of the game differ, in sentences.

        The transcript may end before the answer to the last request. An honest table gives no
        reason for a refusal, so each of them is named.
        """
        ours: dict[int, AnsweredRequest] = {}
        given: dict[int, bytes] = {}  # heads of the links lines
        for entry in transcript:
            fields = Fields(entry.body, "entry")
            if entry.kind == Genesis.kind and entry.head != self.genesis and self.total:
                yield "The dice server has answered for another genesis."
            elif entry.kind == LinksLine.kind:
                given[LinksLine.read(fields).n] = entry.head
            elif entry.kind == Answer.kind:
                answer = Answer.read(fields)
                link = answer.bare.get(DICE_SERVER) or b""
                ours[answer.n] = AnsweredRequest(answer.n, given.get(answer.n, b""), link)
        theirs = {one.n: one for one in self.answered}
        for n in sorted(ours.keys() | theirs.keys()):
            pending = n not in ours and n in theirs and given.get(n) == theirs[n].head
            if not pending and ours.get(n) != theirs.get(n):
                yield f"Request {n} is another one in the dice server's log."
        yield from self.refusals


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
