"""What follows from the lines so far, and the draws of chance."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from rubicon.dice.crypto import BYTE, FACES, Json, below, digest, faces, forward, keyed, stream
from rubicon.dice.errors import require
from rubicon.dice.lines import forms

# What chance is asked for, and what it gives: battle dice, a die a seat, a pick, a sealed pick.

MOST_DICE = 16  # of one side in one roll
MOST_SEATS = 16


def _seats(given: forms.Fields, name: str) -> tuple[str, ...]:
    found = given.texts(name, MOST_SEATS)
    if not found:
        raise given.wrong("at least one", [], name)
    return found


def _seat_dice(given: forms.Fields, name: str) -> tuple[tuple[str, int], ...]:
    found: tuple[tuple[str, int], ...] = _ROWS.read(given, name)
    if not found or len({seat for seat, _ in found}) < len(found):
        raise given.wrong("each seat once", [seat for seat, _ in found], name)
    return found


_ROWS = forms.rows("a seat and its die", MOST_SEATS, seat=forms.text(), face=forms.whole(1, FACES))
SEATS = forms.FieldForm(_seats, list)
SEAT_DICE = forms.FieldForm(_seat_dice, _ROWS.write)


@dataclass(frozen=True, slots=True)
class BattleAsk:
    """One roll: so many dice for the attack and so many for the defence."""

    attack: int
    defence: int

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"battle": [self.attack, self.defence]}


@dataclass(frozen=True, slots=True)
class SeatsAsk(forms.Written):
    """One die for each of these seats."""

    seats: Annotated[tuple[str, ...], SEATS]


@dataclass(frozen=True, slots=True)
class PickAsk(forms.Written):
    """One of so many things, for all to see."""

    of: Annotated[int, forms.whole(1, BYTE), "pick"]


@dataclass(frozen=True, slots=True)
class SealedAsk(forms.Written):
    """One of so many things, for its owner's eyes."""

    of: Annotated[int, forms.whole(1, BYTE), "secret"]
    owner: forms.Name


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
class SeatsDraw(forms.Written):
    """One die for each seat, in the order in which they were named."""

    what: ClassVar[str] = "seats"
    faces: Annotated[tuple[tuple[str, int], ...], SEAT_DICE, "seats"]

    @property
    def ask(self) -> Ask:
        """What this is the answer to."""
        return SeatsAsk(tuple(seat for seat, _ in self.faces))


@dataclass(frozen=True, slots=True)
class PickDraw(forms.Written):
    """The thing that was picked, and its place among `of`, from 0."""

    what: ClassVar[str] = "pick"
    index: Annotated[int, forms.whole(0, BYTE - 1), "pick.index"]
    of: Annotated[int, forms.whole(1, BYTE), "pick.of"]
    thing: Annotated[str, forms.text(), "pick.thing"]

    @property
    def ask(self) -> Ask:
        """What this is the answer to."""
        return PickAsk(self.of)


@dataclass(frozen=True, slots=True)
class SealedDraw(forms.Written):
    """A secret pick: a salted hash of the place and the thing."""

    what: ClassVar[str] = "sealed"
    hash: Annotated[bytes, forms.hexadecimal(), "sealed.hash"]
    of: Annotated[int, forms.whole(1, BYTE), "sealed.of"]
    owner: Annotated[str, forms.text(), "sealed.owner"]

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


def read_ask(fields: forms.Fields) -> Ask:
    """What is asked, from JSON."""
    ask: Ask
    if "battle" in fields.left:
        sizes = fields.wholes("battle", 1, MOST_DICE, 2)
        if len(sizes) != 2:
            raise fields.wrong("two numbers of dice", list(sizes), "battle")
        ask = BattleAsk(*sizes)
    elif "seats" in fields.left:
        ask = SeatsAsk.read(fields)
    elif "pick" in fields.left:
        ask = PickAsk.read(fields)
    else:
        ask = SealedAsk.read(fields)
    fields.end()
    return ask


def read_draw(fields: forms.Fields) -> Draw:
    """What chance gave, from JSON."""
    what = next(iter(fields.left), "")
    if what not in _READERS:
        raise fields.wrong(" or ".join(_READERS), sorted(fields.left))
    draw = _READERS[what](fields)
    fields.end()
    return draw


def _read_battle(fields: forms.Fields) -> Draw:
    sides = fields.items("battle", 2)
    if len(sides) != 2:
        raise fields.wrong("the dice of two sides", sides, "battle")
    dice = forms.Fields({"attack": sides[0], "defence": sides[1]}, f"{fields.where}.battle")
    attack = dice.wholes("attack", 1, FACES, MOST_DICE)
    defence = dice.wholes("defence", 1, FACES, MOST_DICE)
    if not attack or not defence:
        raise fields.wrong("dice of both sides", sides, "battle")
    return BattleDraw(attack, defence)


def _read_pick(fields: forms.Fields) -> Draw:
    draw = PickDraw.read(fields)
    if draw.index >= draw.of:
        raise fields.wrong(f"a whole number from 0 to {draw.of - 1:,}", draw.index, "pick.index")
    return draw


_READERS: dict[str, Callable[[forms.Fields], Draw]] = {
    "battle": _read_battle,
    "seats": SeatsDraw.read,
    "pick": _read_pick,
    "sealed": SealedDraw.read,
}


# What follows from the lines of a transcript: who takes part, which chains, what is asked.

SERVER, DICE_SERVER = "server", "dice"  # ids of the required participants
REQUIRED = (SERVER, DICE_SERVER)
# A seat that plays together with the operator can be silent after it has seen all links, and so
# choose between two rolls. Once it may be an accident; a vote to readmit a seat could be bought.
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
        # Links of requests in which it was silent were never shown: they are hashed over here.
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
    """The state after the last line."""

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
        # With two links in a roll a seat could choose which of them to withhold.
        for one in self.participants.values():
            if one.seat == participant.seat and one.present and one is not participant:
                one.present, one.changed = False, seq
        participant.present, participant.changed = True, seq

    def require_free(self) -> None:
        """BadEntry while a request waits: nothing else comes between request and answer."""
        pending = self.pending
        require(
            pending is None,
            "answer-owed",
            "A request waits for its answer: nothing may come between them.",
            f"the answer to request {pending.n if pending else 0}",
            "another line",
        )


def key_of(genesis: bytes, n: int, links: Mapping[str, bytes | None]) -> bytes:
    """The key of a request's draws; a silent participant counts with no bytes."""
    # Sorted, so that no order in which links arrive is one more thing that someone could choose.
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
