"""Who takes part: the genesis, deposits of hash chains, joining and leaving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, ClassVar

from rubicon.dice import crypto
from rubicon.dice.errors import require
from rubicon.dice.lines import forms
from rubicon.dice.lines.state import (
    LOOK_BACK,
    REQUIRED,
    SERVER,
    Participant,
    SeatState,
    State,
)

# The deposit of a hash chain: who owns it, its end, and the owner's signature.


@dataclass(frozen=True)
class Deposit(forms.Written):
    """A chain of `length` links that ends with `end`; `seat` is "" for a required participant."""

    seat: Annotated[str, forms.text(shortest=0)]
    key: forms.Hash
    nonce: Annotated[bytes, forms.hexadecimal(crypto.NONCE_SIZE)]
    end: forms.Hash
    length: Annotated[int, forms.whole(1, crypto.REQUIRED_LENGTH)]
    sig: forms.Signature

    def check(self, table: str) -> None:
        """BadEntry where the length, key or signature is not right."""
        required = not self.seat
        right = (
            self.length == crypto.REQUIRED_LENGTH
            if required
            else crypto.SHORTEST <= self.length <= crypto.LONGEST
        )
        wanted = (
            f"{crypto.REQUIRED_LENGTH:,}"
            if required
            else f"{crypto.SHORTEST} to {crypto.LONGEST:,}"
        )
        require(right, "chain-length", "The chain has a wrong length.", wanted, str(self.length))
        require(
            crypto.is_usable(self.key),
            "weak-key",
            "The key is no usable Ed25519 key.",
            "",
            self.key.hex(),
        )
        require(
            crypto.is_signed(self.key, self._message(table), self.sig),
            "wrong-signature",
            "The deposit is not signed by its key for this table.",
            "a signature of the deposit",
            self.sig.hex()[:32],
        )

    def participant(self, table: str, name: str, first: int, seq: int) -> Participant:
        """The participant that the deposit makes."""
        return Participant(
            id=name,
            seat=self.seat,
            key=self.key,
            chain_id=crypto.chain_id_of(table, self.key, self.nonce),
            length=self.length,
            first=first,
            known=self.length,
            link=self.end,
            changed=seq,
        )

    def _message(self, table: str) -> bytes:
        parts = self.seat, self.key, self.nonce, self.end, self.length
        return crypto.digest("deposit", table, *parts)


@dataclass(frozen=True)
class OwnChain:
    """A chain as its owner holds it: 32 bytes of secret, private key, 16 bytes of nonce."""

    table: str
    seat: str
    private_key: bytes = field(repr=False)
    secret: bytes = field(repr=False)
    nonce: bytes
    length: int
    checkpoints: Sequence[bytes] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        assert len(self.private_key) == len(self.secret) == crypto.SIZE
        assert len(self.nonce) == crypto.NONCE_SIZE

    @cached_property
    def key(self) -> bytes:
        """The public key."""
        return crypto.public_key(self.private_key)

    @cached_property
    def chain(self) -> crypto.HashChain:
        """The links."""
        chain_id = crypto.chain_id_of(self.table, self.key, self.nonce)
        return crypto.HashChain(self.secret, chain_id, self.length, self.checkpoints)

    def deposit(self) -> Deposit:
        """What is published of it, signed."""
        bare = Deposit(
            seat=self.seat,
            key=self.key,
            nonce=self.nonce,
            end=self.chain.end,
            length=self.length,
            sig=b"",
        )
        return replace(bare, sig=crypto.sign(self.private_key, bare._message(self.table)))

    def link(self, participant: Participant, request: int) -> bytes:
        """Its link for a request."""
        return self.chain.link(participant.number(request))


def certificate_message(table: str, seat: str, key: bytes) -> bytes:
    """What an earlier key of a seat signs to certify a new one."""
    return crypto.digest("device", table, seat, key)


# The first line: the table, its seats, the participants with their chains, the commitment.

MOST_SEATS = 16
MOST_EARLIER = 1000
LONGEST_ROLL_WAIT, LONGEST_SETUP_WAIT = 3_600, 86_400  # seconds


def _format(given: forms.Fields, name: str) -> str:
    said = given.text(name)
    require(said == crypto.FORMAT, "genesis", "The format is another one.", crypto.FORMAT, said)
    return said


def _earlier(given: forms.Fields, name: str) -> list[tuple[str, bytes]]:
    found = []
    for one in given.inners(name, MOST_EARLIER):
        found.append((one.text("table"), one.hash("head")))
        one.end()
    return found


def _deposits(given: forms.Fields, name: str) -> dict[str, Deposit]:
    found: dict[str, Deposit] = {}
    for seat, one in given.inners_by_name(name).items():
        if one is None or len(seat) > forms.LONGEST_NAME:
            raise given.wrong("a deposit each", seat, name)
        found[seat] = Deposit.read(one)
        one.end()
    return found


FORMAT = forms.FieldForm(_format)
SEATS = forms.FieldForm(lambda given, name: given.texts(name, MOST_SEATS), list)
EARLIER = forms.FieldForm(
    _earlier,
    lambda tables: [{"table": table, "head": head.hex()} for table, head in tables],
)
DEPOSITS = forms.FieldForm(
    _deposits, lambda deposits: {name: one.form() for name, one in deposits.items()}
)


@dataclass(frozen=True, kw_only=True)
class Genesis(forms.Written):
    """What is fixed before the first roll; `earlier` are the tables that this one continues."""

    kind: ClassVar[str] = "genesis"
    format: Annotated[str, FORMAT] = crypto.FORMAT
    table: forms.Name
    earlier: Annotated[Sequence[tuple[str, bytes]], EARLIER] = ()
    rules: forms.Hash
    seats: Annotated[Sequence[str], SEATS]
    key: forms.Hash  # the server's
    participants: Annotated[Mapping[str, Deposit], DEPOSITS]
    roll_wait: Annotated[int, forms.whole(0, LONGEST_ROLL_WAIT), "waits.roll"]
    setup_wait: Annotated[int, forms.whole(0, LONGEST_SETUP_WAIT), "waits.setup"]
    commitment: forms.Hash

    def apply(self, state: State, *, trusted: bool) -> None:
        """Begin; BadEntry where something does not fit."""
        if not trusted:
            self.check()
        state.table, state.rules, state.server_key = self.table, self.rules, self.key
        state.roll_wait, state.setup_wait = self.roll_wait, self.setup_wait
        state.commitment = self.commitment
        state.earlier = len(self.earlier)
        state.seats = {seat: SeatState() for seat in self.seats}
        for name, deposit in self.participants.items():
            state.participants[name] = deposit.participant(self.table, name, 0, 0)
            if deposit.seat:
                state.seats[deposit.seat].keys.add(deposit.key)

    def check(self) -> None:
        """BadEntry for a participant that may not be there, or whose deposit does not fit."""
        tables = [self.table, *(table for table, _ in self.earlier)]
        message = "A table is listed twice among those that this one continues."
        require(len(set(tables)) == len(tables), "genesis", message, "each once", str(tables))
        plain = all(seat and "." not in seat for seat in self.seats)
        message = "A seat has a name that an id of a participant could be."
        require(plain, "seat", message, "names without dots", str(list(self.seats)))
        names = self.participants.keys()
        allowed = {*REQUIRED, *self.seats}
        right = SERVER in names and names <= allowed and not {*REQUIRED} & {*self.seats}
        message = "The participants are the server, a dice server, and one client a seat."
        require(right, "participants", message, ", ".join(sorted(allowed)), str(sorted(names)))
        keys = [one.key for one in self.participants.values()]
        message = "Two participants have the same key."
        require(len(set(keys)) == len(keys), "participants", message, "a key each", "")
        for name, one in self.participants.items():
            seat = "" if name in REQUIRED else name
            message = f"The deposit of {name} is for another seat."
            require(one.seat == seat, "participants", message, seat, one.seat)
            one.check(self.table)
        server = self.participants[SERVER].key
        message = "The server's chain is not that of its key."
        require(server == self.key, "participants", message, self.key.hex(), server.hex())


# Who takes part: a later deposit, and the lines with which a client joins, leaves or is lost.


@dataclass(frozen=True)
class LaterDeposit(forms.Written):
    """A chain that a seat deposits in the running game; it takes part from the next request on."""

    kind: ClassVar[str] = "deposit"
    id: forms.Name
    deposit: Annotated[Deposit, forms.beside(Deposit)]
    # By an earlier certified key of the seat.
    certificate: Annotated[bytes | None, forms.maybe(forms.hexadecimal(crypto.SIGNATURE_SIZE))] = (
        None
    )

    def apply(self, state: State, *, trusted: bool) -> None:
        """Add the participant; BadEntry where the seat may not deposit this chain now."""
        state.require_free()
        deposit = self.deposit
        seat = _seat(state, deposit.seat)
        expected = next_id(state, deposit.seat)
        require(self.id == expected, "wrong-id", "The chain has another number.", expected, self.id)
        participant = deposit.participant(state.table, self.id, state.next_request, state.seq)
        # What this server has checked and stored itself is not checked again when it restarts.
        if not trusted:
            deposit.check(state.table)
            _require_not_out(seat, deposit.seat)
            others = [one for one in state.participants.values() if one.seat != deposit.seat]
            message = "The key is that of another participant."
            free = deposit.key not in [one.key for one in others]
            require(free, "participants", message, "a key of its own", deposit.key.hex())
            known = {one.chain_id for one in state.participants.values()}
            message = "This chain was deposited before."
            fresh = participant.chain_id not in known
            require(fresh, "chain-known", message, "a new chain", participant.chain_id.hex())
            self._check_certificate(state, seat)
            vouched = deposit.key in seat.keys or self.certificate is not None
            _require_vouched(state, deposit.seat, vouched=vouched)
        participant.certified = deposit.key in seat.keys or self.certificate is not None
        seat.chains += 1
        if participant.certified:
            seat.keys.add(deposit.key)
        state.participants[self.id] = participant
        state.displace(participant, state.seq)

    def _check_certificate(self, state: State, seat: SeatState) -> None:
        if self.certificate is None:
            return
        message = certificate_message(state.table, self.deposit.seat, self.deposit.key)
        right = any(crypto.is_signed(key, message, self.certificate) for key in seat.keys)
        said = "The certificate is not signed by an earlier certified key of the seat."
        require(right, "wrong-signature", said, "a certificate of the seat", "")


@dataclass(frozen=True)
class Presence(forms.Written):
    """A client's own word that it takes part (`joined`) or does so no longer (`left`)."""

    kind: str
    id: forms.Name
    seen: forms.Number  # of the line whose head it has signed
    head: forms.Hash
    sig: forms.Signature

    def apply(self, state: State, *, trusted: bool) -> None:
        """Change the presence; BadEntry where it is no change, too old, or not signed."""
        state.require_free()
        participant = _client(state, self.id)
        if not trusted:
            self._check(state, participant)
        if self.kind == "left":
            _require_in(participant)
            participant.present, participant.changed = False, state.seq
            return
        _require_not_out(_seat(state, participant.seat), participant.seat)
        able = not participant.present and participant.number(state.next_request) >= 0
        message = f"{self.id} is in already, or its chain is used up."
        require(able, "presence", message, "a participant that is not in", self.id)
        if not trusted:
            _require_vouched(state, participant.seat, vouched=participant.certified)
        state.displace(participant, state.seq)

    def _check(self, state: State, participant: Participant) -> None:
        back = state.seq - self.seen
        # A word for an old head could be kept back and used later, when it suits the server.
        inside = 1 <= back <= min(LOOK_BACK, len(state.recent)) and self.seen >= participant.changed
        message = "The head that was signed is too old, or not of this history."
        require(inside, "stale-head", message, "a recent line", str(self.seen))
        known = state.recent[-back]
        require(known == self.head, "stale-head", message, known.hex(), self.head.hex())
        signed = crypto.is_signed(
            participant.key,
            presence_message(self.kind, state.genesis, self.id, self.head),
            self.sig,
        )
        require(signed, "wrong-signature", f"{self.id} has not signed this.", "a signature", "")


@dataclass(frozen=True)
class Lost(forms.Written):
    """The server's word that a client's connection is gone."""

    kind: ClassVar[str] = "lost"
    id: forms.Name

    def apply(self, state: State, *, trusted: bool) -> None:
        """Take the client out; BadEntry where it is not in."""
        state.require_free()
        participant = _client(state, self.id)
        _require_in(participant)
        participant.present, participant.changed = False, state.seq


def presence_message(kind: str, genesis: bytes, name: str, head: bytes) -> bytes:
    """What a client signs that joins or leaves."""
    return crypto.digest(kind, genesis, name, head)


def next_id(state: State, seat: str) -> str:
    """The id of a seat's next chain."""
    return f"{seat}.{_seat(state, seat).chains + 1}"


def _seat(state: State, seat: str) -> SeatState:
    known = ", ".join(state.seats)
    require(seat in state.seats, "seat", "There is no such seat.", known, seat)
    return state.seats[seat]


def _client(state: State, name: str) -> Participant:
    known = name in state.participants and name not in REQUIRED
    require(known, "presence", "There is no such client.", "a client of a seat", name)
    return state.participants[name]


def _require_vouched(state: State, seat: str, *, vouched: bool) -> None:
    """A chain that no one vouches for never takes the place of a certified one."""
    present = state.of_seat(seat)
    free = vouched or present is None or not present.certified
    message = "A certified client of this seat takes part: only it can certify another one."
    require(free, "uncertified", message, "a certificate", "none")


def _require_in(participant: Participant) -> None:
    message = f"{participant.id} does not take part."
    require(participant.present, "presence", message, "a participant that is in", participant.id)


def _require_not_out(seat: SeatState, name: str) -> None:
    message = f"{name} was silent {seat.silences} times: its part in these dice is over."
    require(not seat.out, "out", message, "a seat with fewer silences", name)
