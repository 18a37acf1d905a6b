"""A request for dice, the list of given links, and the answer that both lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from rubicon.dice.crypto import SIGNATURE_SIZE, Json, digest, is_signed
from rubicon.dice.errors import require
from rubicon.dice.lines import forms
from rubicon.dice.lines.state import (
    DICE_SERVER,
    REQUIRED,
    SERVER,
    Ask,
    BattleAsk,
    Draw,
    Participant,
    Pending,
    SealedDraw,
    State,
    check_draw,
    given_hash,
    key_of,
    read_ask,
    read_draw,
    roll_key,
)

MOST_ROLLS = 64  # draws of one request


@dataclass(frozen=True, slots=True)
class SignedOrder(forms.Written):
    """A client's signature of the decision that led to a request."""

    id: forms.Name
    head: forms.Hash  # that the client had seen
    sig: forms.Signature

    def fits(self, key: bytes, genesis: bytes, decision: int, words: str) -> bool:
        """Whether it is this key's signature of these words."""
        return is_signed(key, order_message(genesis, decision, self.head, words), self.sig)


ASK = forms.FieldForm(lambda given, name: read_ask(given.inner(name)), forms.written_form)


@dataclass(frozen=True, slots=True)
class Request(forms.Written):
    """At most `rolls` draws for one decision; `order` is the salted hash of its words."""

    kind: ClassVar[str] = "request"
    n: forms.Number
    seat: Annotated[str, forms.text(shortest=0)]
    decision: forms.Number
    order: forms.Hash
    rolls: Annotated[int, forms.whole(1, MOST_ROLLS)]
    ask: Annotated[Ask, ASK]
    signed: Annotated[SignedOrder | None, forms.maybe(forms.inner(SignedOrder))] = None

    def apply(self, state: State, *, trusted: bool, head: bytes) -> None:
        """Wait for the answer; `head` is that of the request's own line."""
        state.require_free()
        n = state.next_request
        require(self.n == n, "wrong-number", "A request is missing or twice.", str(n), str(self.n))
        participants = state.in_request()
        if not trusted:
            self._check(state, participants)
        state.pending = Pending(
            n=n,
            seat=self.seat,
            decision=self.decision,
            rolls=self.rolls,
            ask=self.ask,
            head=head,
            participants=participants,
        )
        state.next_request += 1
        # What is decided out of turn opens no decision again that has asked before.
        state.asked[self.seat] = max(self.decision, state.asked.get(self.seat, -1))
        state.may_ask_again = None

    def _check(self, state: State, participants: Sequence[str]) -> None:
        seats = {self.seat, *_seats_of(self.ask)} - {""}
        known = seats <= state.seats.keys()
        require(known, "seat", "There is no such seat.", ", ".join(state.seats), str(sorted(seats)))
        message = "A request of the set-up follows from no decision."
        numbered = self.seat != "" or self.decision == 0
        require(numbered, "seat", message, "decision 0", str(self.decision))
        for name in REQUIRED:
            there = name not in state.participants or name in participants
            require(there, "chain-used-up", f"The chain of {name} is used up.", "a link", name)
        owed = ", ".join(state.unopened)
        message = "Placements are sealed and not opened: no dice come before they are."
        require(not owed, "placement-owed", message, f"the opening of {owed}", "a request")
        self._check_placed(state)
        self._check_decision(state)
        if self.signed is not None:
            taking_part = self.seat and self.signed.id in participants
            fits = taking_part and state.participants[self.signed.id].seat == self.seat
            message = "Who signed the decision takes no part in its dice."
            require(bool(fits), "signer-left-out", message, ", ".join(participants), self.signed.id)
            message = "The decision was signed for a head that is too old, or of no line here."
            known = self.signed.head in state.recent
            require(known, "stale-head", message, "a recent head", self.signed.head.hex())

    def _check_placed(self, state: State) -> None:
        """No seat plays that has sealed nothing; but picks may follow from its resignation."""
        leaves = not self.decision and not isinstance(self.ask, BattleAsk)
        seats = _seats_of(self.ask) | (set() if leaves else {self.seat})
        gone = {seat for seat in seats & state.placements.keys() if not state.placements[seat].hash}
        message = "A seat that has sealed no placement, as if it were out of the game, plays."
        require(not gone, "placed-nothing", message, "a seat in the game", ", ".join(gone))

    def _check_decision(self, state: State) -> None:
        """Each decision asks once, and those of a seat in their order.

        What a seat decides out of turn has the number 0 and only one draw.
        """
        if self.seat and not self.decision:
            message = "A decision out of turn has one draw only."
            require(self.rolls == 1, "rolls", message, "1", str(self.rolls))
            return
        before = state.asked.get(self.seat, -1)
        again = self.decision == before and state.may_ask_again == self.seat
        message = "This decision has asked already, or is older than the last one of its seat."
        expected = f"a decision after {before}"
        right = again or self.decision > before
        require(right, "asked-again", message, expected, str(self.decision))


HASHES = forms.FieldForm(
    forms.Fields.hashes_by_name,
    lambda given: {name: None if one is None else one.hex() for name, one in given.items()},
)


@dataclass(frozen=True, slots=True)
class LinksLine(forms.Written):
    """What the server shows to an independent dice server: a hash of each link that was given."""

    kind: ClassVar[str] = "links"
    n: forms.Number
    given: Annotated[Mapping[str, bytes | None], HASHES, "list"]

    def apply(self, state: State, *, trusted: bool, head: bytes) -> None:
        """Fix the links of the request that waits."""
        pending = _pending(state, self.n)
        first = DICE_SERVER in pending.participants and pending.given is None
        message = "A links line is needed once, where an independent dice server takes part."
        require(first, "links", message, "the answer", "links")
        expected = set(pending.participants) - {DICE_SERVER}
        _require_set(expected, self.given)
        _require_present(self.given)
        state.pending = replace(pending, given=dict(self.given), links_head=head)


@dataclass(frozen=True, slots=True)
class GivenLink:
    """A link, signed by a seat's client or the dice server; the server signs its whole line."""

    link: bytes
    sig: bytes = b""

    def form(self) -> dict[str, Json]:
        """As JSON."""
        form: dict[str, Json] = {"link": self.link.hex()}
        return form | {"sig": self.sig.hex()} if self.sig else form

    @staticmethod
    def read(name: str, fields: forms.Fields) -> GivenLink:
        """From JSON."""
        # The server's link is in a line that the server signs as a whole.
        sig = b"" if name == SERVER else fields.hash("sig", SIGNATURE_SIZE)
        given = GivenLink(fields.hash("link"), sig)
        fields.end()
        return given


def _links(given: forms.Fields, field: str) -> dict[str, GivenLink | None]:
    links = given.inners_by_name(field)
    return {name: None if one is None else GivenLink.read(name, one) for name, one in links.items()}


LINKS = forms.FieldForm(
    _links,
    lambda links: {name: None if one is None else one.form() for name, one in links.items()},
)
DRAWS = forms.FieldForm(
    lambda given, name: [read_draw(one) for one in given.inners(name, MOST_ROLLS)],
    lambda draws: [draw.form() for draw in draws],
)


@dataclass(frozen=True, slots=True)
class Answer(forms.Written):
    """The links of all participants (None: silent), and the draws that follow from them."""

    kind: ClassVar[str] = "answer"
    n: forms.Number
    links: Annotated[Mapping[str, GivenLink | None], LINKS]
    draws: Annotated[Sequence[Draw], DRAWS] = ()

    @property
    def bare(self) -> dict[str, bytes | None]:
        """The links without their signatures."""
        return {name: None if one is None else one.link for name, one in self.links.items()}

    @property
    def silent(self) -> bool:
        """Whether a participant gave no link."""
        return None in self.links.values()

    def apply(self, state: State, *, trusted: bool) -> bytes:
        """Note the links and silences; the key of the draws."""
        pending = _pending(state, self.n)
        key = key_of(state.genesis, self.n, self.bare)
        if not trusted:
            self._check(state, pending)
            for number, draw in enumerate(self.draws):
                check_draw(draw, roll_key(key, number))
        for name, one in self.links.items():
            participant = state.participants[name]
            if one is None:
                _fall_silent(state, participant, pending.n)
            else:
                participant.known, participant.link = participant.number(pending.n), one.link
                participant.withheld = None
        for number, draw in enumerate(self.draws):
            if isinstance(draw, SealedDraw):
                state.sealed[pending.n, number] = draw.hash
        last = pending.decision == state.asked.get(pending.seat)
        done = last and (self.silent or len(self.draws) == pending.rolls)
        state.may_ask_again = pending.seat if done else None
        state.pending = None
        return key

    def _check(self, state: State, pending: Pending) -> None:
        _require_set(set(pending.participants), self.links)
        _require_present(self.links)
        if DICE_SERVER in pending.participants:
            listed = pending.given is not None
            require(listed, "links", "The links line is missing.", "links", "answer")
        for name, one in self.links.items():
            if one is not None:
                check_given(state, pending, name, one)
            self._check_listed(pending, name, one)
        # One silence is a choice between two rolls, not between two courses of a whole order: the
        # order asks again before its next roll, with the links of those who are left.
        most = 1 if self.silent else pending.rolls
        right = 1 <= len(self.draws) <= most
        message = "Too few or too many draws; with a silent participant there is exactly one."
        require(right, "rolls", message, f"1 to {most}", str(len(self.draws)))
        first = self.draws[0].ask
        message = "The first draw is not what was asked for."
        require(
            first == pending.ask, "other-draw", message, str(pending.ask.form()), str(first.form())
        )

    def _check_listed(self, pending: Pending, name: str, one: GivenLink | None) -> None:
        if pending.given is None or name == DICE_SERVER:
            return
        found = None if one is None else given_hash(one.link)
        message = f"The link of {name} is not the one that the links line lists."
        expected = pending.given[name]
        require(found == expected, "other-link", message, str(expected), str(found))


def check_given(state: State, pending: Pending, name: str, one: GivenLink) -> None:
    """BadEntry where this is not the participant's link for the pending request, signed."""
    participant = state.participants[name]
    fits = participant.check_link(pending.n, one.link)
    # The chain shows whose link it is; the signature, for which history it was given.
    message = f"The link of {name} does not belong to its chain."
    require(fits, "wrong-link", message, f"link {participant.number(pending.n)}", one.link.hex())
    if name == SERVER:
        return
    # An independent dice server answers the list of links, so it signs the head of that line.
    head = pending.links_head if name == DICE_SERVER else pending.head
    signed = is_signed(
        participant.key, digest("link", state.genesis, pending.n, head, one.link), one.sig
    )
    message = f"The link of {name} is not signed for this request and history."
    require(signed, "wrong-signature", message, "a signature of the link", one.sig.hex()[:32])


def order_message(genesis: bytes, decision: int, head: bytes, words: str) -> bytes:
    """What a client signs with a decision."""
    return digest("order", genesis, decision, head, words)


def order_hash(salt: bytes, words: str) -> bytes:
    """The words of a decision as all see them until the end."""
    return digest("order-hash", salt, words)


def _fall_silent(state: State, participant: Participant, n: int) -> None:
    participant.present, participant.changed = False, state.seq
    participant.withheld = n
    state.seats[participant.seat].silences += 1


def _pending(state: State, n: int) -> Pending:
    pending = state.pending
    require(pending is not None, "nothing-owed", "No request waits.", "another line", f"n {n}")
    assert pending is not None
    message = "This belongs to another request."
    require(pending.n == n, "other-request", message, str(pending.n), str(n))
    return pending


def _require_set(expected: set[str], found: Mapping[str, object]) -> None:
    message = "Links of other participants than take part."
    right = expected == found.keys()
    require(right, "participants", message, ", ".join(sorted(expected)), str(sorted(found)))


def _require_present(found: Mapping[str, object]) -> None:
    for name in REQUIRED:
        there = name not in found or found[name] is not None
        require(there, "links", f"{name} is never silent.", "its link", "null")


def _seats_of(ask: Ask) -> set[str]:
    return {getattr(ask, "owner", ""), *getattr(ask, "seats", ())}
