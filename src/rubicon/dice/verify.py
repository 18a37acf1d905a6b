"""Checks a whole transcript, and says for each participant what it did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rubicon.dice.crypto import forward
from rubicon.dice.errors import (
    BadEntry,
    DiceError,
    DiceFault,
    fault_of,
    quoted,
    require_same,
)
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.forms import LOWER_HEX
from rubicon.dice.lines.members import Genesis, LaterDeposit, Lost, Presence
from rubicon.dice.lines.opening import Asked, End, Opened, Sealed, Secrets, check_opened
from rubicon.dice.lines.request import Answer, Request, SignedOrder
from rubicon.dice.lines.state import (
    DICE_SERVER,
    REQUIRED,
    BattleDraw,
    Draw,
    Participant,
    Pending,
    PickDraw,
    SealedDraw,
    SeatsDraw,
    battle,
    key_of,
    roll_key,
)
from rubicon.dice.transcript import Transcript


@dataclass(slots=True)
class Silence:
    """A request in which a client gave no link; the roll that would have been, once it is known."""

    n: int
    id: str
    roll: str = "withheld"


@dataclass(slots=True)
class SeatSummary:
    """What one seat's clients did."""

    seat: str
    took_part: int = 0  # requests, with a certified key
    took_part_uncertified: int = 0  # with a key that no one has vouched for: perhaps not his
    left: int = 0
    lost: int = 0  # on the server's word
    silent: int = 0
    chains: int = 0
    uncertified: int = 0  # chains whose key no earlier key of the seat has certified
    signed: int = 0  # requests whose order it has signed
    unsigned: int = 0  # requests of its decisions without a signature, though it had a key
    keys: set[str] = field(default_factory=set)


@dataclass(slots=True)
class PlacementSummary:
    """Who has sealed the placements of the set-up, and whether they were opened."""

    by_clients: list[str] = field(default_factory=list)  # seats
    by_server: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    not_opened: list[str] = field(default_factory=list)  # by a client that did not open in time
    out: list[str] = field(default_factory=list)  # seats that are out of the game, by the server


@dataclass(slots=True)
class Verdict:
    """The result of a check; `fault` is the first bad line, and then nothing else counts."""

    table: str = ""
    lines: int = 0
    requests: int = 0
    draws: int = 0
    dice: int = 0
    picks: int = 0
    answered: int = 0  # requests; those that follow are counted among them
    without_clients: int = 0  # no player's client took part
    dice_server: int = 0  # an independent dice server took part
    known_to_operator: int = 0  # neither did: he could know their dice in advance
    with_key: int = 0  # the client with the reader's own key took part
    seats: dict[str, SeatSummary] = field(default_factory=dict)
    silences: list[Silence] = field(default_factory=list)
    placements: PlacementSummary = field(default_factory=PlacementSummary)
    earlier: Sequence[tuple[str, bytes]] = ()
    opened: bool = False
    broken: bool = False
    waiting: bool = False  # for an answer
    trailing: int = 0  # lines after the last one that the server has signed
    key_found: bool | None = None  # None where no key was given
    known_up_to: int | None = None  # the last line whose head the reader knew; None for none
    witness: str = ""
    fault: DiceFault | None = None

    @property
    def ok(self) -> bool:
        """Whether every line is right."""
        return self.fault is None

    @property
    def with_clients(self) -> int:
        """Answered requests in which a player's client took part."""
        return self.answered - self.without_clients

    def as_dict(self) -> dict[str, Any]:
        """As programs get it."""
        result = asdict(self)
        for seat in result["seats"].values():
            seat["keys"] = sorted(seat["keys"])
        result["earlier"] = [[table, head.hex()] for table, head in self.earlier]
        result["fault"] = self.fault.as_dict() if self.fault is not None else None
        return result | {"ok": self.ok, "with_clients": self.with_clients}


def verify(
    entries: Iterable[Entry], *, known_heads: Sequence[str] = (), key: str | None = None
) -> Verdict:
    """Check entries from the first one on.

    `known_heads` are `SEQ:HEX` from e-mails or a client's journal, `key` is the reader's own public
    key in hexadecimal digits. DiceError where a head is no head.
    """
    known = [_known_head(head) for head in known_heads]
    checker = _Checker(known, key)
    return checker.run(entries)


class _Checker:
    def __init__(self, known: Sequence[tuple[str, int, str]], key: str | None) -> None:
        self._known = known
        self._key = key.lower() if key is not None else None
        self._transcript = Transcript()
        self._asked: list[Asked] = []
        self._signed: list[SignedOrder | None] = []
        self._heads: list[str] = []
        self._salts: list[tuple[int, Opened]] = []  # of placements that the server sealed
        self._missing: dict[str, list[tuple[Silence, Pending, Answer]]] = {}
        self.verdict = Verdict()

    def run(self, entries: Iterable[Entry]) -> Verdict:
        verdict = self.verdict
        try:
            for entry in entries:
                self._line(entry)
            self._check_heads()
        except BadEntry as bad:
            verdict.fault = fault_of(bad, verdict.lines)
            return verdict
        self._conclude()
        return verdict

    def _line(self, entry: Entry) -> None:
        state = self._transcript.state
        before = state.pending
        body = self._transcript.append(entry)
        self._heads.append(entry.head.hex())
        self._check_known(entry.seq)
        if isinstance(body, Genesis):
            self._genesis(body)
        elif isinstance(body, LaterDeposit):
            self._chain(body.deposit.seat, body.id, body.deposit.key)
        elif isinstance(body, Presence | Lost):
            seat = self.verdict.seats[state.participants[body.id].seat]
            seat.left += body.kind == "left"
            seat.lost += body.kind == "lost"
        elif isinstance(body, Sealed | Opened):
            self._placement(entry, body)
        elif isinstance(body, Request):
            self._request(entry, body)
        elif isinstance(body, Answer):
            assert before is not None
            self._answer(body, before)
        elif isinstance(body, End):
            self._end(body)
        self.verdict.lines += 1

    def _genesis(self, body: Genesis) -> None:
        verdict = self.verdict
        for table, _, _ in self._known:
            if table not in ("", body.table):
                message = "A head that you know belongs to another game."
                raise BadEntry("other-game", message, table, body.table)
        verdict.table, verdict.earlier = body.table, body.earlier
        verdict.seats = {seat: SeatSummary(seat) for seat in body.seats}
        for name, deposit in body.participants.items():
            if name not in REQUIRED:
                self._chain(deposit.seat, name, deposit.key)

    def _chain(self, seat: str, name: str, key: bytes) -> None:
        summary = self.verdict.seats[seat]
        summary.chains += 1
        summary.keys.add(key.hex())
        summary.uncertified += not self._transcript.state.participants[name].certified

    def _placement(self, entry: Entry, body: Sealed | Opened) -> None:
        placements = self.verdict.placements
        if isinstance(body, Opened):
            (placements.not_opened if body.text is None else placements.opened).append(body.seat)
            if body.seat in placements.by_server:
                self._salts.append((entry.seq, body))
        elif body.hash is None:
            placements.out.append(body.seat)
        else:
            by_client = body.signed is not None
            (placements.by_clients if by_client else placements.by_server).append(body.seat)

    def _request(self, entry: Entry, body: Request) -> None:
        self._asked.append(Asked(entry.seq, body.order, body.decision, b"", ()))
        self._signed.append(body.signed)
        self.verdict.requests += 1
        seat = self.verdict.seats.get(body.seat)
        if seat is not None and seat.keys:
            seat.signed += body.signed is not None
            seat.unsigned += body.signed is None

    def _answer(self, body: Answer, pending: Pending) -> None:
        verdict, state = self.verdict, self._transcript.state
        sealed = [(i, one) for i, one in enumerate(body.draws) if isinstance(one, SealedDraw)]
        key = key_of(state.genesis, body.n, body.bare)
        asked = self._asked[-1]
        self._asked[-1] = replace(asked, key=key, sealed=sealed, answer_seq=verdict.lines)
        verdict.draws += len(body.draws)
        verdict.dice += sum(map(_dice, body.draws))
        verdict.picks += sum(isinstance(one, PickDraw | SealedDraw) for one in body.draws)
        clients = [name for name in body.links if name not in REQUIRED]
        participants = self._transcript.state.participants
        vouched = [name for name in clients if participants[name].certified]
        alone = not any(body.links[name] for name in vouched)
        verdict.answered += 1
        verdict.without_clients += alone
        verdict.dice_server += DICE_SERVER in body.links
        verdict.known_to_operator += alone and DICE_SERVER not in body.links
        own = [name for name in clients if participants[name].key.hex() == self._key]
        verdict.with_key += any(body.links[name] for name in own)
        for name in clients:
            self._client(name, body, pending)

    def _client(self, name: str, body: Answer, pending: Pending) -> None:
        participant = self._transcript.state.participants[name]
        summary = self.verdict.seats[participant.seat]
        given = body.links[name]
        if given is None:
            silence = Silence(body.n, name)
            summary.silent += 1
            self.verdict.silences.append(silence)
            self._missing.setdefault(name, []).append((silence, pending, body))
            return
        if participant.certified:
            summary.took_part += 1
        else:
            summary.took_part_uncertified += 1
        for silence, earlier, answer in self._missing.pop(name, []):
            silence.roll = self._would_have_been(participant, given.link, earlier, answer, body.n)

    def _would_have_been(
        self, participant: Participant, link: bytes, earlier: Pending, answer: Answer, n: int
    ) -> str:
        """The roll of an earlier request with the link that was withheld then."""
        withheld = forward(participant.chain_id, link, participant.number(n), n - earlier.n)
        links = answer.bare | {participant.id: withheld}
        key = roll_key(key_of(self._transcript.state.genesis, earlier.n, links), 0)
        first = answer.draws[0]
        if isinstance(first, BattleDraw):
            draw = battle(key, len(first.attack), len(first.defence))
            return f"{_spaced(draw.attack)} v {_spaced(draw.defence)}"
        return "another pick"

    def _end(self, body: End) -> None:
        self.verdict.opened, self.verdict.broken = True, body.broken
        state = self._transcript.state
        check_opened(body, state.genesis, self._asked)
        secrets = Secrets(body.seed, state.genesis)
        for seq, opened in self._salts:
            message = f"The server has chosen the salt of {opened.seat}'s placement."
            salt = secrets.placement_salt(opened.seat)
            require_same("wrong-sealed", message, salt, opened.salt or b"", seq)
        for signed, words, one in zip(self._signed, body.orders, self._asked, strict=True):
            if signed is None:
                continue
            key = state.participants[signed.id].key
            if not signed.fits(key, state.genesis, one.decision, words):
                message = f"The order is not signed by {signed.id}."
                raise BadEntry("wrong-signature", message, seq=one.seq)

    def _check_known(self, seq: int) -> None:
        wanted = [head for _, number, head in self._known if number == seq]
        for head in wanted:
            if not self._heads[seq].startswith(head):
                message = "This line has another head than the one that you know."
                raise BadEntry("other-history", message, head, self._heads[seq][:16])

    def _check_heads(self) -> None:
        if not self._heads:
            raise BadEntry("genesis", "There is no line: nothing was checked.", "a genesis", "")
        for _, seq, head in self._known:
            if seq >= len(self._heads):
                message = f"Line {seq} is known to you, but the transcript ends before it."
                raise BadEntry("cut-log", message, head, "nothing")

    def _conclude(self) -> None:
        verdict, state = self.verdict, self._transcript.state
        verdict.known_up_to = max((seq for _, seq, _ in self._known), default=None)
        verdict.waiting = state.pending is not None and not state.closed
        verdict.trailing = self._transcript.unsigned
        verdict.witness = self._transcript.witness
        if self._key is not None:
            keys = {one.key.hex() for one in state.participants.values()}
            verdict.key_found = self._key in keys


def _dice(draw: Draw) -> int:
    match draw:
        case BattleDraw(attack, defence):
            return len(attack) + len(defence)
        case SeatsDraw(faces):
            return len(faces)
        case _:
            return 0


def _spaced(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))


def _known_head(text: str) -> tuple[str, int, str]:
    """A head from an e-mail: `SEQ:HEX`, perhaps with a game before it."""
    number, _, head = text.strip().rpartition(":")
    table, _, seq = number.rpartition(":")
    head = head.lower()
    if not (seq.isascii() and seq.isdigit() and len(head) >= 8 and set(head) <= LOWER_HEX):
        message = f"{quoted(text)} is no head."
        raise DiceError("dice/bad-head", message, "Write it as in an e-mail: 10:2a97e40bf213a62b")
    return table, int(seq), head
