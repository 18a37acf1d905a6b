"""Who takes part: a later deposit, and the lines with which a client joins, leaves or is lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rubicon.dice.canonical import LARGEST, Json
from rubicon.dice.errors import require
from rubicon.dice.hashing import digest
from rubicon.dice.keys import SIGNATURE_SIZE, is_signed
from rubicon.dice.lines.deposit import Deposit, certificate_message
from rubicon.dice.lines.reading import Fields
from rubicon.dice.lines.state import LOOK_BACK, REQUIRED, Participant, SeatState, State


@dataclass(frozen=True)
class LaterDeposit:
    """A chain that a seat deposits in the running game; it takes part from the next request on."""

    kind: ClassVar[str] = "deposit"
    id: str
    deposit: Deposit
    certificate: bytes | None = None  # by an earlier certified key of the seat

    def form(self) -> dict[str, Json]:
        """As JSON."""
        certificate = None if self.certificate is None else self.certificate.hex()
        return self.deposit.form() | {"id": self.id, "certificate": certificate}

    @staticmethod
    def read(fields: Fields) -> LaterDeposit:
        """From JSON."""
        certificate = (
            fields.hash("certificate", SIGNATURE_SIZE) if fields.maybe("certificate") else None
        )
        return LaterDeposit(fields.text("id"), Deposit.read(fields), certificate)

    def apply(self, state: State, *, trusted: bool) -> None:
        """Add the participant; BadEntry where the seat may not deposit this chain now."""
        state.require_free()
        deposit = self.deposit
        seat = _seat(state, deposit.seat)
        expected = next_id(state, deposit.seat)
        require(self.id == expected, "wrong-id", "The chain has another number.", expected, self.id)
        participant = deposit.participant(state.table, self.id, state.next_request, state.seq)
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
        right = any(is_signed(key, message, self.certificate) for key in seat.keys)
        said = "The certificate is not signed by an earlier certified key of the seat."
        require(right, "wrong-signature", said, "a certificate of the seat", "")


@dataclass(frozen=True)
class Presence:
    """A client's own word that it takes part (`joined`) or does so no longer (`left`)."""

    kind: str
    id: str
    seen: int  # the number of the line whose head it has signed
    head: bytes
    sig: bytes

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "id": self.id,
            "seen": self.seen,
            "head": self.head.hex(),
            "sig": self.sig.hex(),
        }

    @staticmethod
    def read_as(kind: str, fields: Fields) -> Presence:
        """From JSON."""
        return Presence(
            kind,
            fields.text("id"),
            fields.whole("seen", 0, LARGEST),
            fields.hash("head"),
            fields.hash("sig", SIGNATURE_SIZE),
        )

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
        inside = 1 <= back <= min(LOOK_BACK, len(state.recent)) and self.seen >= participant.changed
        message = "The head that was signed is too old, or not of this history."
        require(inside, "stale-head", message, "a recent line", str(self.seen))
        known = state.recent[-back]
        require(known == self.head, "stale-head", message, known.hex(), self.head.hex())
        signed = is_signed(
            participant.key,
            presence_message(self.kind, state.genesis, self.id, self.head),
            self.sig,
        )
        require(signed, "wrong-signature", f"{self.id} has not signed this.", "a signature", "")


@dataclass(frozen=True)
class Lost:
    """The server's word that a client's connection is gone."""

    kind: ClassVar[str] = "lost"
    id: str

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {"id": self.id}

    @staticmethod
    def read(fields: Fields) -> Lost:
        """From JSON."""
        return Lost(fields.text("id"))

    def apply(self, state: State, *, trusted: bool) -> None:
        """Take the client out; BadEntry where it is not in."""
        state.require_free()
        participant = _client(state, self.id)
        _require_in(participant)
        participant.present, participant.changed = False, state.seq


def presence_message(kind: str, genesis: bytes, name: str, head: bytes) -> bytes:
    """What a client signs that joins or leaves."""
    return digest(kind, genesis, name, head)


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
    """A chain that nobody vouches for never takes the place of a certified one."""
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
