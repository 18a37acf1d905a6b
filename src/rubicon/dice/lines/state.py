"""What follows from the lines of a transcript: who takes part, which chains, what is asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from rubicon.dice.errors import require
from rubicon.dice.hash_chain import forward
from rubicon.dice.hashing import digest
from rubicon.dice.lines.draw import Ask

SERVER, DICE_SERVER = "server", "dice"  # ids of the required participants
REQUIRED = (SERVER, DICE_SERVER)
MOST_SILENCES = 2  # of a seat; then its part in this game's dice is over
LOOK_BACK = 256  # a presence line is signed with a head that is at most so many lines old


@dataclass(slots=True)
class Participant:
    """One hash chain and its owner: a required participant, or a client of a seat."""

    id: str
    seat: str  # "" for the server and the dice server
    key: bytes
    chain_id: bytes
    length: int
    first: int  # the first request that it may take part in
    known: int  # the number of the last link that is known; `length` at first
    link: bytes  # that link
    present: bool = True
    changed: int = 0  # the line of its last change of presence
    withheld: int | None = None  # the last request in which it was silent, until the link is known
    certified: bool = True

    def number(self, request: int) -> int:
        """The number of its link for a request; below 0 where the chain is used up."""
        return self.length - 1 - (request - self.first)

    def takes_part(self, request: int) -> bool:
        """Whether it gives a link for this request."""
        return self.present and self.number(request) >= 0

    def check_link(self, request: int, link: bytes) -> bool:
        """Whether this is its link for a request."""
        number = self.number(request)
        if number < 0:
            return False
        return forward(self.chain_id, link, number, self.known - number) == self.link


@dataclass(slots=True)
class SeatState:
    """What the transcript says of a seat."""

    keys: set[bytes] = field(default_factory=set)  # the certified ones
    chains: int = 0  # how many it has deposited after the genesis
    silences: int = 0

    @property
    def out(self) -> bool:
        """Whether its part in this game's dice is over."""
        return self.silences >= MOST_SILENCES


@dataclass(frozen=True, slots=True)
class Pending:
    """The request that waits for its answer."""

    n: int
    seat: str
    decision: int
    rolls: int
    ask: Ask
    head: bytes
    participants: tuple[str, ...]  # sorted
    given: Mapping[str, bytes | None] | None = None  # what the links line lists, if there is one
    links_head: bytes = b""

    def message(self, genesis: bytes, link: bytes) -> bytes:
        """What a seat's client signs with its link."""
        return link_message(genesis, self.n, self.head, link)


@dataclass(frozen=True, slots=True)
class Placement:
    """What a seat has sealed."""

    hash: bytes | None  # None: the seat is out of the game
    id: str  # the client that sealed it; "" for the server
    opened: bool = False


@dataclass(slots=True)
class State:
    """The state behind the last line."""

    seq: int = 0  # of the next line
    head: bytes = bytes(32)
    recent: deque[bytes] = field(default_factory=lambda: deque(maxlen=LOOK_BACK))  # heads
    table: str = ""
    earlier: int = 0  # how many tables this one continues
    genesis: bytes = b""  # its head
    rules: bytes = b""
    seats: dict[str, SeatState] = field(default_factory=dict)
    server_key: bytes = b""
    participants: dict[str, Participant] = field(default_factory=dict)
    roll_wait: int = 0
    setup_wait: int = 0
    commitment: bytes = b""
    next_request: int = 0
    pending: Pending | None = None
    # The last decision that asked, by seat; and the seat whose decision may ask once more, because
    # its request has used all its draws, or a participant was silent.
    asked: dict[str, int] = field(default_factory=dict)
    may_ask_again: str | None = None
    sealed: dict[tuple[int, int], bytes] = field(default_factory=dict)  # not shown yet, by (n, i)
    placements: dict[str, Placement] = field(default_factory=dict)  # by seat
    closed: bool = False

    @property
    def unopened(self) -> tuple[str, ...]:
        """The seats whose sealed placement is not opened."""
        placements = self.placements.items()
        return tuple(seat for seat, one in placements if one.hash is not None and not one.opened)

    def in_request(self) -> tuple[str, ...]:
        """Who takes part in the next request, sorted."""
        n = self.next_request
        return tuple(sorted(one.id for one in self.participants.values() if one.takes_part(n)))

    def of_seat(self, seat: str) -> Participant | None:
        """The participant of a seat that is in."""
        for one in self.participants.values():
            if one.seat == seat and one.present:
                return one
        return None

    def displace(self, participant: Participant, seq: int) -> None:
        """Make a participant the only one of its seat that is in."""
        for one in self.participants.values():
            if one.seat == participant.seat and one.present and one is not participant:
                one.present, one.changed = False, seq
        participant.present, participant.changed = True, seq

    def require_free(self) -> None:
        """BadEntry while a request waits: between request and answer stands nothing else."""
        pending = self.pending
        require(
            pending is None,
            "answer-owed",
            "A request waits for its answer: nothing may stand between them.",
            f"the answer to request {pending.n if pending else 0}",
            "another line",
        )


def key_of(genesis: bytes, n: int, links: Mapping[str, bytes | None]) -> bytes:
    """The key of a request's draws; a silent participant counts with no bytes."""
    parts: list[bytes | str] = []
    for one in sorted(links):
        parts += one, links[one] or b""
    return digest("key", genesis, n, *parts)


def link_message(genesis: bytes, n: int, head: bytes, link: bytes) -> bytes:
    """What is signed with a link."""
    return digest("link", genesis, n, head, link)


def given_hash(link: bytes) -> bytes:
    """What a links line shows of a link."""
    return digest("given", link)
