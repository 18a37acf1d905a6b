"""A player's program: its chain, what it signs, and what it checks."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rubicon.dice import crypto
from rubicon.dice.errors import BadEntry, DiceError
from rubicon.dice.lines import members
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.opening import Opened, Sealed, placement_hash, seal_message
from rubicon.dice.lines.request import Answer, Request, order_message
from rubicon.dice.lines.state import Participant
from rubicon.dice.transcript import Transcript, still_shown

# What a client has signed for its seat's decisions, against what the requests say was played.


@dataclass(slots=True)
class OwnOrders:
    """The signatures of one device under its decisions, and which of them the server accepted.

    An honest server can leave out a signature that came too late, for a decision that someone
    else has made meanwhile. It cannot leave out one that it has accepted, play one that it has
    refused, nor invent one.
    """

    # By decision and signature: the participant, and the words.
    signed: dict[int, dict[str, tuple[str, str]]] = field(default_factory=dict)
    accepted: dict[int, set[str]] = field(default_factory=dict)  # words by decision

    def sign(self, decision: int, name: str, signature: str, words: str) -> None:
        """Remember a signature, in hexadecimal digits, of this device's participant `name`."""
        self.signed.setdefault(decision, {})[signature] = name, words

    def accept(self, decision: int, words: str) -> None:
        """Remember that the server has accepted these words."""
        self.accepted.setdefault(decision, set()).add(words)

    def fault(self, request: Request, own: Collection[str], links: Collection[str]) -> str:
        """What is wrong with a request of the own seat, in a sentence; "" for nothing.

        `own` are the participants with this device's key, `links` those of the request.
        """
        mine, under = self.signed.get(request.decision, {}), f"decision {request.decision}"
        accepted = self.accepted.get(request.decision)
        found = None if request.signed is None else mine.get(request.signed.sig.hex())
        if found is not None:
            if accepted is None or found[1] in accepted:
                return ""
            return f"Request {request.n} has an order under {under} that the server has refused."
        if request.signed is not None and request.signed.id in own:
            return f"Request {request.n} has a signature under {under} that this client never gave."
        if accepted is not None and any(name in links for name, _ in mine.values()):
            return (
                f"Request {request.n} follows from {under} without the signature of this client,"
                " although the server accepted its order: it played another order, or someone sent"
                " one for the seat earlier."
            )
        return ""


# What a client has sealed for its seat, against what the transcript says of it.


@dataclass(frozen=True, slots=True)
class OwnPlacement:
    """A placement that was sealed; the salt in hexadecimal digits."""

    decision: int
    salt: str
    text: str


@dataclass(slots=True)
class OwnPlacements:
    """The placements that one device has sealed, by their hash in hexadecimal digits.

    The server may refuse one; what it has accepted must be in the transcript. Once all have
    sealed it is told the text. When it has taken that, it must not say that nothing was opened.
    """

    kept: dict[str, OwnPlacement] = field(default_factory=dict)
    accepted: str = ""  # the hash
    opened: str = ""  # the hash whose text was sent
    opening_accepted: bool = False
    denied: bool = False  # the transcript says that nothing was opened, though it was sent

    def hash_of(self, decision: int, text: str) -> str:
        """The hash of what was sealed before for this decision; "" where it was not."""
        for name, one in self.kept.items():
            if (one.decision, one.text) == (decision, text):
                return name
        return ""

    def fault(self, body: Sealed | Opened) -> str:
        """What is wrong with a line of the own seat, in a sentence; "" for nothing."""
        if isinstance(body, Opened):
            if body.text is None and self.opening_accepted:
                return (
                    "The server says that this client did not open its sealed placement, but it"
                    " accepted the opening: someone else placed for it."
                )
        elif self.accepted and (body.hash is None or body.hash.hex() != self.accepted):
            return (
                f"The transcript's placement of {body.seat} is not the one that this client"
                " sealed and the server accepted."
            )
        return ""

    def doubt(self, body: Sealed | Opened) -> str:
        """What may be a fraud, or the end of its time, in a sentence; "" for nothing."""
        sent = bool(self.opened) and not self.opening_accepted
        if not sent or not isinstance(body, Opened) or body.text is not None:
            return ""
        return (
            "The server says that this client did not open its sealed placement. The opening was"
            " sent; the server did not say that it came in time."
        )


# A player's own part in the dice: it follows the transcript, gives links, and raises alarms.
#
# It does no input or output: its caller stores `saved()` durably before it sends a link.

FEW_LINKS = 64  # below that a new chain is deposited


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that an honest server does not do."""

    code: str
    message: str
    seq: int

    def __str__(self) -> str:
        return f"line {self.seq}: {self.message} [{self.code}]"


class DiceClient:
    """One device of one seat in one game. After an alarm it gives no more links."""

    def __init__(
        self,
        table: str,
        seat: str,
        private_key: bytes | None = None,
        length: int = crypto.LONGEST,
    ) -> None:
        key = secrets.token_bytes(crypto.SIZE) if private_key is None else private_key
        self.own = members.OwnChain(
            table=table,
            seat=seat,
            private_key=key,
            secret=secrets.token_bytes(crypto.SIZE),
            nonce=secrets.token_bytes(crypto.NONCE_SIZE),
            length=length,
        )
        self.transcript = Transcript()
        self.lines: list[str] = []  # of the transcript, those that were found right
        self.connected = True  # whether being left out is a reason for an alarm
        self.alarms: list[Alarm] = []
        self.journal: list[str] = []
        self.in_lobby = False  # whether it has deposited before the game began
        # Whether its seat has had another device, whose key may be in the genesis.
        self.further_device = False
        self.answered = -1  # the highest request that it has given a link for
        self.receipts: dict[int, object] = {}  # of its links, by request
        self.orders = OwnOrders()
        self.placements = OwnPlacements()
        # The requests that its seat's decisions led to, each with its participants.
        self._asked: list[tuple[Request, Sequence[str]]] = []
        self._given: dict[int, tuple[bytes, bytes]] = {}  # link and head by request
        self._genesis = b""

    @property
    def deposit(self) -> members.Deposit:
        """What is published of its chain."""
        return self.own.deposit()

    @property
    def me(self) -> Participant | None:
        """Itself in the transcript."""
        for one in self.transcript.state.participants.values():
            if one.chain_id == self.own.chain.chain_id:
                return one
        return None

    @property
    def takes_part(self) -> bool:
        """Whether it is in."""
        return self.me is not None and self.me.present

    def follow(self, lines: Iterable[str]) -> Sequence[Alarm]:
        """Check the next lines of the transcript; the alarms that they raise."""
        before = len(self.alarms)
        for text in lines:
            if self.alarms:
                break
            self._line(text)
        return self.alarms[before:]

    def stands(self, shown: Sequence[str]) -> bool:
        """Whether the last line that it knows is the first of those that the server shows."""
        return not self.lines or still_shown(self.lines[-1], shown[:1])

    def lines_lost(self, first: int) -> None:
        """Raise an alarm: the server has shown and signed a line that it no longer has."""
        self._alarm(
            "lines-lost",
            f"The server has signed this line and later ones up to {len(self.lines) - 1}, and does"
            " no longer have them, or has others: an older backup was restored, or a roll is about"
            " to be made a second time.",
            first,
        )

    def compare(self, witness: str) -> None:
        """An alarm where the server names a line, as `seq:head`, that it does not show.

        To be called when all lines that it shows were followed.
        """
        seq, _, head = witness.partition(":")
        if self.alarms or not seq.isdecimal():
            return
        known = len(self.transcript)
        if int(seq) >= known:
            message = f"The server asks for a link at line {seq}, but shows only {known} lines."
            self._alarm("hidden-lines", message)
        elif int(seq) == known - 1 and head != self.transcript.state.head.hex():
            self._alarm(
                "two-histories", f"The server names a different line {seq} than the one it shows."
            )

    def wanted(self) -> int | None:
        """The request that waits for its link."""
        pending, me = self.transcript.state.pending, self.me
        if pending is None or me is None or self.alarms or pending.n <= self.answered:
            return None
        return pending.n if me.id in pending.participants and pending.given is None else None

    def give(self) -> dict[str, Any] | None:
        """The message with its link for the request that waits; store `saved()` before it goes out.

        A repeated call for the same request gives the same message.
        """
        state, me = self.transcript.state, self.me
        pending = state.pending
        if pending is None or me is None or self.alarms or me.id not in pending.participants:
            return None
        if pending.n not in self._given:
            if pending.given is not None:
                return None  # the list of links is closed: this one would only be known too early
            if pending.n <= self.answered:
                self._alarm("answered", f"Request {pending.n} was answered before the restart.")
                return None
            if self.transcript.unsigned:
                self._alarm("unsigned", f"The server has not signed request {pending.n}.")
                return None
            link = self.own.link(me, pending.n)
            self._given[pending.n] = link, pending.head
            self.answered = pending.n
            self.note(f"gave its link for request {pending.n} behind {pending.head.hex()}")
        link, _ = self._given[pending.n]
        sig = crypto.sign(self.own.private_key, pending.message(state.genesis, link))
        return {"n": pending.n, "link": link.hex(), "signature": sig.hex()}

    def check_receipt(self, n: int, signature: str) -> None:
        """Note the server's receipt for a link; an alarm where it is not signed."""
        state, me = self.transcript.state, self.me
        assert me is not None
        self.receipts[n] = signature
        message = receipt_message(self._genesis, n, me.id, self._given[n][0])
        if crypto.is_signed(state.server_key, message, _bytes_of(signature)):
            self.note(f"receipt for request {n}: {signature}")
        else:
            self._alarm("no-receipt", f"The receipt for request {n} is not signed by the server.")

    def presence(self, kind: str) -> dict[str, Any]:
        """The message with which it joins again, or leaves; for a participant that is known."""
        state, me = self.transcript.state, self.me
        assert me is not None
        sig = crypto.sign(
            self.own.private_key, members.presence_message(kind, state.genesis, me.id, state.head)
        )
        presence = members.Presence(kind, me.id, state.seq - 1, state.head, sig)
        self.connected = kind == "joined"
        return {"presence": kind} | presence.form()

    def signed(self, decision: int, words: str) -> dict[str, str] | None:
        """Its signature of a decision; None where it takes no part."""
        state, me = self.transcript.state, self.me
        if me is None or not me.present or self.alarms:
            return None
        message = order_message(state.genesis, decision, state.head, words)
        signature = crypto.sign(self.own.private_key, message).hex()
        self.orders.sign(decision, me.id, signature, words)
        self.note(f"signed decision {decision}: {words}")
        return {"id": me.id, "head": state.head.hex(), "signature": signature}

    def accepted(self, decision: int, words: str) -> None:
        """The server has accepted what was signed; an alarm where it has played something else."""
        self.orders.accept(decision, words)
        for request, participants in self._asked:
            if request.decision == decision:
                self._check_order(request, participants)

    @property
    def places(self) -> bool:
        """Whether its seat may still have a placement to seal: no one has decided with dice yet."""
        state = self.transcript.state
        return (
            self.takes_part and self.own.seat not in state.placements and state.asked.keys() <= {""}
        )

    def seal(self, decision: int, text: str) -> dict[str, Any]:
        """The message with the salted hash of its placement; keep `placements` before it goes out.

        A repeated call for the same placement has the same hash.
        """
        state, me = self.transcript.state, self.me
        assert me is not None
        name = self.placements.hash_of(decision, text)
        if not name:
            salt = secrets.token_bytes(crypto.SIZE)
            name = placement_hash(self.own.seat, salt, text).hex()
            self.placements.kept[name] = OwnPlacement(decision, salt.hex(), text)
        message = seal_message(state.genesis, decision, state.head, bytes.fromhex(name))
        signature = crypto.sign(self.own.private_key, message).hex()
        signed = {"id": me.id, "head": state.head.hex(), "signature": signature}
        return {"decision": decision, "hash": name} | signed

    def seal_accepted(self, name: str) -> None:
        """The server has taken the hash; an alarm where the transcript does not have it."""
        self.placements.accepted = name
        one = self.transcript.state.placements.get(self.own.seat)
        if not self.alarms and (one is None or one.hash is None or one.hash.hex() != name):
            message = "The server has taken what this client sealed, and has not written it."
            self._alarm("other-placement", message)

    def opening(self) -> dict[str, str] | None:
        """The message that opens its placement; None before all have sealed, or for none of its.

        Keep `placements` before it goes out.
        """
        state = self.transcript.state
        one = state.placements.get(self.own.seat)
        if self.alarms or one is None or one.hash is None or one.opened:
            return None
        if self.transcript.unsigned:  # what no one has signed may be denied later
            return None
        own = self.placements.kept.get(one.hash.hex())
        if own is None or len(state.placements) < len(state.seats):
            return None
        self.placements.opened = one.hash.hex()
        return {"text": own.text, "salt": own.salt}

    def opening_accepted(self) -> None:
        """The server has taken the opening; an alarm where the transcript denies it."""
        self.placements.opening_accepted = True
        fault = self.placements.fault(Opened(self.own.seat)) if self.placements.denied else ""
        if fault and not self.alarms:
            self._alarm("other-placement", fault)

    @property
    def recovery_code(self) -> str:
        """Its private key as text to write down; with it a further device is certified.

        DiceError where the key itself is not certified, so that the code would be worth nothing.
        """
        own, seat = self.own, self.transcript.state.seats.get(self.own.seat)
        if seat is not None and own.key not in seat.keys:
            message = f"This device's key for {own.seat} is not certified."
            hint = "Ask the first device of the seat for its recovery code."
            raise DiceError("dice/uncertified", message, hint)
        return crypto.recovery_code(own.table, own.seat, own.private_key)

    def certify(self, private_key: bytes) -> bytes:
        """The certificate of its key by an earlier one of its seat, which it must know already.

        DiceError `dice/other-recovery-code` where the earlier key is not certified in this game.
        """
        own, seat = self.own, self.transcript.state.seats[self.own.seat]
        if crypto.public_key(private_key) not in seat.keys:
            message = f"The recovery code is that of no certified device of {own.seat}."
            hint = "Use the code of the seat's first device, or leave it out: then your key is"
            raise DiceError("dice/other-recovery-code", message, f"{hint} not certified.")
        return crypto.sign(private_key, members.certificate_message(own.table, own.seat, own.key))

    def next_chain(self) -> DiceClient:
        """A new chain of the same device, which follows the same transcript."""
        new = DiceClient(self.own.table, self.own.seat, self.own.private_key, self.own.length)
        new.transcript, new.lines, new.journal = self.transcript, self.lines, self.journal
        new.answered, new._genesis = self.answered, self._genesis
        new.receipts, new.connected = self.receipts, self.connected
        new.orders, new._asked = self.orders, self._asked
        new.placements = self.placements
        new.in_lobby, new.further_device = self.in_lobby, self.further_device
        return new

    def saved(self) -> dict[str, Any]:
        """Everything that it must know after a restart, as JSON; it holds secrets."""
        own = self.own
        return {
            "table": own.table,
            "seat": own.seat,
            "private_key": own.private_key.hex(),
            "secret": own.secret.hex(),
            "nonce": own.nonce.hex(),
            "length": own.length,
            "genesis": self._genesis.hex(),
            "in_lobby": self.in_lobby,
            "further_device": self.further_device,
            "answered": self.answered,
            "given": {str(n): [link.hex(), head.hex()] for n, (link, head) in self._given.items()},
            "signed": [
                [decision, name, signature, words]
                for decision, mine in self.orders.signed.items()
                for signature, (name, words) in mine.items()
            ],
            "accepted": [[n, words] for n, own in self.orders.accepted.items() for words in own],
            "journal": list(self.journal),
        }

    @staticmethod
    def restored(saved: dict[str, Any]) -> DiceClient:
        """A client as it was stored; it follows the transcript again from its first line."""
        client = DiceClient(saved["table"], saved["seat"], bytes.fromhex(saved["private_key"]))
        client.own = replace(
            client.own,
            secret=bytes.fromhex(saved["secret"]),
            nonce=bytes.fromhex(saved["nonce"]),
            length=saved["length"],
        )
        client._genesis = bytes.fromhex(saved["genesis"])
        client.in_lobby = saved["in_lobby"]
        client.further_device = saved["further_device"]
        client.answered = saved["answered"]
        client._given = {
            int(n): (bytes.fromhex(link), bytes.fromhex(head))
            for n, (link, head) in saved["given"].items()
        }
        for signed in saved["signed"]:
            client.orders.sign(*signed)
        for accepted in saved["accepted"]:
            client.orders.accept(*accepted)
        client.journal = list(saved["journal"])
        return client

    def _line(self, text: str) -> None:
        seq = len(self.transcript)
        try:
            entry = Entry.parse(text)
            body = self.transcript.append(entry)
        except BadEntry as bad:
            self._alarm("bad-line", f"The server has written a bad line: {bad}", seq)
            return
        self.lines.append(text)
        match body:
            case members.Genesis():
                self._check_genesis(entry, body)
            case Request():
                self._check_request(entry, body)
            case Answer():
                self._check_answer(body)
            case members.LaterDeposit() if body.deposit.seat == self.own.seat:
                self._check_deposit(body)
            case Sealed() | Opened() if body.seat == self.own.seat:
                self._check_placement(body)
            case members.Lost() if self.me is not None and body.id == self.me.id and self.connected:
                self._alarm("left-out", f"Line {entry.seq} says that your connection is gone.")
            case _:
                pass

    def _check_placement(self, body: Sealed | Opened) -> None:
        fault, doubt = self.placements.fault(body), self.placements.doubt(body)
        if fault:
            self._alarm("other-placement", fault)
        elif doubt:
            self.placements.denied = True
            self.note(doubt)

    def _check_genesis(self, entry: Entry, genesis: members.Genesis) -> None:
        if genesis.table != self.own.table:
            self._alarm("other-table", "This is the transcript of another table.")
        if self._genesis and self._genesis != entry.head:
            self._alarm("two-geneses", "The table began earlier with another first line.")
        if not entry.sig:
            self._alarm("unsigned", "The server has not signed the first line.")
        self._genesis = entry.head
        mine = genesis.participants.get(self.own.seat)
        if mine is not None and mine.key != self.own.key and not self.further_device:
            self._alarm("other-key", f"Someone else's key represents {self.own.seat}.")
        elif self.answered < 0 and self.in_lobby and mine != self.deposit:
            self._alarm("left-out", "Your deposit was left out of the first line.")

    def _check_deposit(self, body: members.LaterDeposit) -> None:
        """A chain of its own seat that it did not deposit.

        Where no key of the seat has certified it, and this client knows the game already, someone
        else may play for the seat.
        """
        if body.deposit.key == self.own.key:
            return
        certified = self.transcript.state.participants[body.id].certified
        if certified or self.me is None:
            self.note(f"another device of {self.own.seat} has deposited a chain: {body.id}")
        else:
            self._alarm("other-key", f"Someone else has deposited a chain for {self.own.seat}.")

    def _check_order(self, request: Request, participants: Sequence[str]) -> None:
        known = self.transcript.state.participants.values()
        own = [one.id for one in known if one.key == self.own.key]
        fault = self.orders.fault(request, own, participants)
        if fault and not self.alarms:
            self._alarm("other-order", fault)

    def _check_request(self, entry: Entry, request: Request) -> None:
        pending, me = self.transcript.state.pending, self.me
        assert pending is not None
        if request.seat == self.own.seat and request.decision:
            self._asked.append((request, tuple(pending.participants)))
            self._check_order(request, pending.participants)
        if me is None:
            return
        if me.id not in pending.participants:
            if self.connected:
                why = "its chain is used up" if me.present else "not in"
                self.note(f"not in request {pending.n}: {why}")
        elif pending.n in self._given and self._given[pending.n][1] != entry.head:
            self._alarm("two-histories", f"Request {pending.n} stood in another history before.")

    def _check_answer(self, answer: Answer) -> None:
        me = self.me
        if me is None or me.id not in answer.links:
            return
        if answer.links[me.id] is not None:
            return
        if answer.n not in self._given:
            if self.connected:
                self.note(f"silent in request {answer.n}, which it was shown with its answer only")
        elif answer.n in self.receipts:
            self._alarm("false-silence", f"You gave a link for request {answer.n}; it is missing.")
        else:  # it may have been on its way for too long
            self.note(f"silent in request {answer.n}, for which it has no receipt")

    def _alarm(self, code: str, message: str, seq: int | None = None) -> None:
        """Note an alarm at a line, by default at the last one."""
        self.alarms.append(Alarm(code, message, len(self.transcript) - 1 if seq is None else seq))
        self.note(f"alarm: {message}")

    def note(self, text: str) -> None:
        """Add a note to the journal."""
        self.journal.append(f"{self.transcript.state.seq}: {text}")


def _bytes_of(text: str) -> bytes:
    """The bytes of hexadecimal digits; none where they are no such digits."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def receipt_message(genesis: bytes, n: int, name: str, link: bytes) -> bytes:
    """What the server signs when it has stored a link."""
    return crypto.digest("receipt", genesis, n, name, link)
