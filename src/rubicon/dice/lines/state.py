"""What follows from the lines so far, and the draws of chance."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from rubicon.dice.crypto import BYTE, FACES, Json, below, digest, faces, forward, keyed, stream
from rubicon.dice.errors import require
from rubicon.dice.lines.entry import Fields

# What chance is asked for, and what it gives: battle dice, a die a seat, a pick, a sealed pick.

MOST_DICE = 16  # of one side in one roll
MOST_SEATS = 16


@dataclass(frozen=True, slots=True)
class BattleAsk:
    """One roll: so many dice for the attack and so many for the defence."""

    attack: int
    defence: int

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"battle": [self.attack, self.defence]}


@dataclass(frozen=True, slots=True)
class SeatsAsk:
    """One die for each of these seats."""

    seats: tuple[str, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"seats": list(self.seats)}


@dataclass(frozen=True, slots=True)
class PickAsk:
    """One of so many things, for all to see."""

    of: int

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"pick": self.of}


@dataclass(frozen=True, slots=True)
class SealedAsk:
    """One of so many things, for its owner's eyes."""

    of: int
    owner: str

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"owner": self.owner, "secret": self.of}


Ask = BattleAsk | SeatsAsk | PickAsk | SealedAsk


@dataclass(frozen=True, slots=True)
class BattleDraw:
    """The dice of one roll, in the order they fell."""

    what: ClassVar[str] = "battle"
    attack: tuple[int, ...]
    defence: tuple[int, ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"battle": [list(self.attack), list(self.defence)]}

    @property
    def ask(self) -> Ask:
        """What this is the answer to."""
        return BattleAsk(len(self.attack), len(self.defence))


@dataclass(frozen=True, slots=True)
class SeatsDraw:
    """One die for each seat, in the order in which they were named."""

    what: ClassVar[str] = "seats"
    faces: tuple[tuple[str, int], ...]

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"seats": [[seat, face] for seat, face in self.faces]}

    @property
    def ask(self) -> Ask:
        """What this is the answer to."""
        return SeatsAsk(tuple(seat for seat, _ in self.faces))


@dataclass(frozen=True, slots=True)
class PickDraw:
    """The thing that was picked, and its place among `of`, from 0."""

    what: ClassVar[str] = "pick"
    index: int
    of: int
    thing: str

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"pick": {"index": self.index, "of": self.of, "thing": self.thing}}

    @property
    def ask(self) -> Ask:
        """What this is the answer to."""
        return PickAsk(self.of)


@dataclass(frozen=True, slots=True)
class SealedDraw:
    """A secret pick: a salted hash of the place and the thing."""

    what: ClassVar[str] = "sealed"
    hash: bytes
    of: int
    owner: str

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"sealed": {"hash": self.hash.hex(), "of": self.of, "owner": self.owner}}

    @property
    def ask(self) -> Ask:
        """What this is the answer to."""
        return SealedAsk(self.of, self.owner)


Draw = BattleDraw | SeatsDraw | PickDraw | SealedDraw


def roll_key(key: bytes, number: int) -> bytes:
    """The key of draw `number`, from 0, of a request with this key."""
    return keyed(key, digest("roll", number))


def battle(key: bytes, attack: int, defence: int) -> BattleDraw:
    """The dice of a draw's key: those of the attack first."""
    numbers = stream(key)
    thrown = faces(attack, numbers)
    return BattleDraw(thrown, faces(defence, numbers))


def seat_dice(key: bytes, seats: Sequence[str]) -> SeatsDraw:
    """A die for each seat."""
    return SeatsDraw(tuple(zip(seats, faces(len(seats), stream(key)), strict=True)))


def pick(key: bytes, of: int) -> int:
    """The place of the thing that a draw's key picks."""
    return below(of, stream(key))


def card_hash(salt: bytes, index: int, thing: str) -> bytes:
    """What all see of a secret pick."""
    return digest("card", salt, index, thing)


def check_draw(draw: Draw, key: bytes) -> None:
    """BadEntry where a draw does not follow from its key; a sealed one is checked at the end."""
    match draw:
        case BattleDraw(attack, defence):
            expected: Draw = battle(key, len(attack), len(defence))
        case SeatsDraw(found):
            expected = seat_dice(key, [seat for seat, _ in found])
        case PickDraw(_, of, thing):
            expected = PickDraw(pick(key, of), of, thing)
        case SealedDraw():
            return
    require(
        draw == expected,
        "wrong-dice",
        "The dice do not follow from the links.",
        str(expected.form()),
        str(draw.form()),
    )


def read_ask(fields: Fields) -> Ask:
    """What is asked, from JSON."""
    ask: Ask
    if "battle" in fields.left:
        sizes = fields.wholes("battle", 1, MOST_DICE, 2)
        if len(sizes) != 2:
            raise fields.wrong("two numbers of dice", list(sizes), "battle")
        ask = BattleAsk(*sizes)
    elif "seats" in fields.left:
        ask = SeatsAsk(_some(fields, "seats", MOST_SEATS))
    elif "pick" in fields.left:
        ask = PickAsk(fields.whole("pick", 1, BYTE))
    else:
        ask = SealedAsk(fields.whole("secret", 1, BYTE), fields.text("owner"))
    fields.end()
    return ask


def read_draw(fields: Fields) -> Draw:
    """What chance gave, from JSON."""
    what = next(iter(fields.left), "")
    if what not in _READERS:
        raise fields.wrong(" or ".join(_READERS), sorted(fields.left))
    draw = _READERS[what](fields)
    fields.end()
    return draw


def _read_battle(fields: Fields) -> Draw:
    sides = fields.items("battle", 2)
    if len(sides) != 2:
        raise fields.wrong("the dice of two sides", sides, "battle")
    dice = Fields({"attack": sides[0], "defence": sides[1]}, f"{fields.where}.battle")
    attack = dice.wholes("attack", 1, FACES, MOST_DICE)
    defence = dice.wholes("defence", 1, FACES, MOST_DICE)
    if not attack or not defence:
        raise fields.wrong("dice of both sides", sides, "battle")
    return BattleDraw(attack, defence)


def _read_seats(fields: Fields) -> Draw:
    faces: list[tuple[str, int]] = []
    for pair in fields.items("seats", MOST_SEATS):
        if not isinstance(pair, list) or len(pair) != 2:
            raise fields.wrong("a seat and its die", pair, "seats")
        read = Fields({"seat": pair[0], "face": pair[1]}, f"{fields.where}.seats")
        faces.append((read.text("seat"), read.whole("face", 1, FACES)))
    if not faces or len({seat for seat, _ in faces}) < len(faces):
        raise fields.wrong("each seat once", [seat for seat, _ in faces], "seats")
    return SeatsDraw(tuple(faces))


def _read_pick(fields: Fields) -> Draw:
    inner = fields.inner("pick")
    of = inner.whole("of", 1, BYTE)
    draw = PickDraw(inner.whole("index", 0, of - 1), of, inner.text("thing"))
    inner.end()
    return draw


def _read_sealed(fields: Fields) -> Draw:
    inner = fields.inner("sealed")
    draw = SealedDraw(inner.hash("hash"), inner.whole("of", 1, BYTE), inner.text("owner"))
    inner.end()
    return draw


_READERS: dict[str, Callable[[Fields], Draw]] = {
    "battle": _read_battle,
    "seats": _read_seats,
    "pick": _read_pick,
    "sealed": _read_sealed,
}


def _some(fields: Fields, name: str, most: int) -> tuple[str, ...]:
    found = fields.texts(name, most)
    if not found:
        raise fields.wrong("at least one", [], name)
    return found


# What follows from the lines of a transcript: who takes part, which chains, what is asked.

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
