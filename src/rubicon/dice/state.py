"""What a chain amounts to: what is owed, whose links are open, what was asked and answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from rubicon.dice.asks import Batch
from rubicon.dice.bodies import (
    AnswerBody,
    Body,
    Deposit,
    Genesis,
    Keeper,
    Request,
    Reveal,
    RolledDice,
    Shown,
)


class SeatLinks(NamedTuple):
    """Where a seat's hash chain stands: `epoch` counts its deposits, `link` was opened last."""

    keeper: Keeper
    epoch: int
    length: int
    link: bytes
    used: int = 0
    silent: bool = False

    @property
    def live(self) -> bool:
        """Whether another link can be opened."""
        return not self.silent and self.used < self.length


@dataclass(slots=True)
class DiceState:
    """The state behind the last entry; `take` goes on with an entry that was checked.

    Where it `forgets`, it holds of the requests and answers only the last, and those answers that a
    seat's own link entered: the memory of a long game is a tenth.
    """

    forgets: bool = False

    genesis: Genesis | None = None
    links: dict[str, SeatLinks] = field(default_factory=dict)
    known_links: bytearray = field(default_factory=bytearray)  # one behind the other
    requests: dict[bytes, Request] = field(default_factory=dict)
    answers: dict[bytes, AnswerBody] = field(default_factory=dict)
    shown: set[bytes] = field(default_factory=set)
    owed: Request | None = None
    unrolled: Request | None = None
    last_entry: int = -1
    closed: bool = False
    _passing: bytes = b""  # the last answer's request, where the answer may be forgotten

    @property
    def begun(self) -> Genesis:
        """The genesis, where there is one."""
        assert self.genesis is not None
        return self.genesis

    def contributors(self, seat: str) -> tuple[str, ...]:
        """The seats whose next link enters a roll of this seat: all others, never its own."""
        return tuple(
            other
            for other in self.begun.seats
            if other != seat and other in self.links and self.links[other].live
        )

    def take(self, body: Body) -> None:
        """Go on with an entry."""
        match body:
            case Genesis():
                self.genesis = body
            case Deposit():
                self._deposit(body)
            case Request():
                if self.forgets:
                    self.requests.clear()
                self.requests[body.rid] = self.owed = body
                self.last_entry = body.entry
            case AnswerBody():
                self._answer(body)
            case RolledDice():
                self.unrolled = None
            case Shown():
                self.shown.add(body.rid)
            case Reveal():
                self.closed = True

    def _deposit(self, body: Deposit) -> None:
        epoch = self.links[body.seat].epoch + 1 if body.seat in self.links else 1
        self.links[body.seat] = SeatLinks(body.keeper, epoch, body.length, body.link)
        self.known_links += body.link

    def _answer(self, body: AnswerBody) -> None:
        assert self.owed is not None
        if self.forgets:
            self.answers.pop(self._passing, None)
            # A seat may send its own link again after the dice fell: that answer stays.
            own = any(self.links[seat].keeper is Keeper.SEAT for seat in body.links)
            self._passing = b"" if own else body.rid
        self.answers[body.rid] = body
        self.unrolled = self.owed if isinstance(self.owed.ask, Batch) else None
        self.owed = None
        for seat, link in body.links.items():
            before = self.links[seat]
            if link is None:
                self.links[seat] = before._replace(silent=True)
            else:
                keeper, epoch, length = before.keeper, before.epoch, before.length
                self.links[seat] = SeatLinks(keeper, epoch, length, link, before.used + 1)
                self.known_links += link
