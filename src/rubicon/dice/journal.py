"""What a client has kept of one game: its chains, what it gave, the receipts, its alarms.

A journal is text, one JSON object a line, and only ever grows; a last line that is cut off was
never acted upon. It holds the client's secrets until the game is over.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from rubicon.dice.client import (
    Alarm,
    DiceClient,
    OwnOrders,
    OwnPlacement,
    OwnPlacements,
    receipt_message,
)
from rubicon.dice.crypto import is_signed
from rubicon.dice.errors import DiceError
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.members import Deposit, Genesis, LaterDeposit
from rubicon.dice.lines.opening import Opened, Sealed
from rubicon.dice.lines.request import Answer, Request


@dataclass(frozen=True, slots=True)
class KeptReceipt:
    """The server's signed word that it has a link."""

    n: int
    id: str
    link: str
    signature: str


@dataclass(slots=True)
class Journal:
    """The lines of a journal, read; hashes are hexadecimal digits as they are there."""

    chain: dict[str, Any]  # the last one: what `DiceClient.saved` says of it
    deposits: list[Deposit] = field(default_factory=list)  # of all its chains
    genesis: str = ""
    given: dict[int, tuple[int, str, str]] = field(default_factory=dict)  # n: seq, head, link
    receipts: dict[int, KeptReceipt] = field(default_factory=dict)
    orders: OwnOrders = field(default_factory=OwnOrders)
    placements: OwnPlacements = field(default_factory=OwnPlacements)
    alarms: list[Alarm] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)  # of the transcript, as they were shown
    last: str = ""  # number and head of the last one

    @property
    def key(self) -> str:
        """The public key of its client."""
        return self.deposits[-1].key.hex()

    @property
    def heads(self) -> list[str]:
        """The heads for which it gave links and the last that it saw, as `verify` knows them."""
        heads = [f"{seq}:{head}" for seq, head, _ in self.given.values()]
        heads += [self.last] if self.last else []
        return [f"0:{self.genesis}", *heads] if self.genesis else heads

    @staticmethod
    def read(text: str) -> Journal:
        """The journal of a file; DiceError `dice/no-journal` where it is none."""
        try:
            return _read([json.loads(line) for line in text.split("\n")[:-1]])
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            message = "The file is no journal of a dice client."
            hint = "Name the file that the program kept: dice/GAME-SEAT.jsonl."
            raise DiceError("dice/no-journal", message, hint) from error

    def client(self) -> DiceClient:
        """The client as it was."""
        given = {str(n): [link, head] for n, (_, head, link) in self.given.items()}
        more = {"genesis": self.genesis, "given": given, "journal": self.notes}
        answered = {"answered": max(self.given, default=-1)}
        client = DiceClient.restored(self.chain | more | answered | {"signed": [], "accepted": []})
        client.orders, client.placements = self.orders, self.placements
        client.receipts.update(self.receipts)
        client.alarms = list(self.alarms)
        return client


def chain_line(client: DiceClient) -> dict[str, Any]:
    """The line with a client's chain and keys, which must be kept before it is deposited."""
    saved = client.saved()
    names = (
        "table",
        "seat",
        "private_key",
        "secret",
        "nonce",
        "length",
        "in_lobby",
        "further_device",
    )
    return {"chain": {name: saved[name] for name in names} | {"deposit": client.deposit.form()}}


def given_line(n: int, seq: int, head: bytes, link: str) -> dict[str, Any]:
    """The line that must be kept before a link is sent."""
    return {"given": [n, seq, head.hex(), link]}


def receipt_line(receipt: KeptReceipt) -> dict[str, Any]:
    """The line with a receipt."""
    return {"receipt": [receipt.n, receipt.id, receipt.link, receipt.signature]}


def signed_line(decision: int, name: str, signature: str, words: str) -> dict[str, Any]:
    """The line that must be kept before a signed decision is sent."""
    return {"signed": [decision, name, signature, words]}


def accepted_line(decision: int, words: str) -> dict[str, Any]:
    """The line that the server has accepted a signed decision."""
    return {"accepted": [decision, words]}


def sealed_line(name: str, own: OwnPlacement) -> dict[str, Any]:
    """The line that must be kept before the hash of a placement is sent."""
    return {"sealed": [name, own.decision, own.salt, own.text]}


def seal_accepted_line(name: str) -> dict[str, Any]:
    """The line that the server has accepted a sealed placement, by its hash."""
    return {"seal-accepted": name}


def opened_line(name: str) -> dict[str, Any]:
    """The line that must be kept before a placement is opened."""
    return {"opened": name}


def opening_accepted_line(name: str) -> dict[str, Any]:
    """The line that the server has taken the opening, by the hash."""
    return {"opening-accepted": name}


def shown_line(text: str) -> dict[str, Any]:
    """The line with one of the transcript that was found right: the proof that it was shown."""
    return {"line": text}


def alarm_line(alarm: Alarm) -> dict[str, Any]:
    """The line with an alarm."""
    return {"alarm": [alarm.code, alarm.message, alarm.seq]}


def _read(lines: Sequence[dict[str, Any]]) -> Journal:
    journal = Journal(lines[0]["chain"])
    for line in lines:
        [(kind, value)] = line.items()
        match kind:
            case "chain":
                journal.chain = value
                journal.deposits.append(Deposit.read(Fields(value["deposit"], "deposit")))
            case "genesis":
                journal.genesis = value
            case "given":
                journal.given[value[0]] = value[1], value[2], value[3]
            case "receipt":
                journal.receipts[value[0]] = KeptReceipt(*value)
            case "signed":
                journal.orders.sign(*value)
            case "accepted":
                journal.orders.accept(*value)
            case "sealed":
                journal.placements.kept[value[0]] = OwnPlacement(*value[1:])
            case "seal-accepted":
                journal.placements.accepted = value
            case "opened":
                journal.placements.opened = value
            case "opening-accepted":
                journal.placements.opening_accepted = True
            case "line":
                journal.lines.append(str(value))
            case "alarm":
                journal.alarms.append(Alarm(*value))
            case _:
                journal.notes.append(str(value))
    if journal.lines:
        last = Entry.stored(journal.lines[-1])
        journal.last = f"{last.seq}:{last.head.hex()}"
    return journal


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in which a transcript and a journal differ; `proof`: signed by the server."""

    code: str
    message: str
    proof: bool = False


@dataclass(slots=True)
class JournalVerdict:
    """A journal compared with a transcript of the same game that was found right."""

    seat: str = ""
    given: int = 0  # links
    used: int = 0  # of them, in answers
    receipts: int = 0
    signed: int = 0  # decisions
    accepted: int = 0  # of them, by the server
    findings: list[Finding] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)  # that the client raised itself

    @property
    def ok(self) -> bool:
        """Whether nothing differs, and the client has raised no alarm."""
        return not self.findings and not self.alarms


def compare(journal: Journal, entries: Sequence[Entry]) -> JournalVerdict:
    """Compare a journal with the lines of a transcript; whether its heads are is not looked at.

    `verify(entries, known_heads=journal.heads)` does that.
    """
    seat = str(journal.chain["seat"])
    verdict = JournalVerdict(seat, len(journal.given), receipts=len(journal.receipts))
    verdict.signed, verdict.accepted = len(journal.orders.signed), len(journal.orders.accepted)
    verdict.alarms = [str(alarm) for alarm in journal.alarms]
    genesis = Genesis.read(Fields(entries[0].body, "entry.genesis"))
    if genesis.table != journal.chain["table"]:
        message = f"The journal is of table {journal.chain['table']}, not of {genesis.table}."
        verdict.findings.append(Finding("other-table", message))
        return verdict
    ends = {deposit.end for deposit in journal.deposits}
    names = _own(genesis, entries, ends)
    if not names:
        verdict.findings.append(Finding("left-out", "None of its chains is in the transcript."))
    asked: Request | None = None
    for entry in entries:
        _compare_placement(journal, entry, verdict)
        if entry.kind == Request.kind:
            asked = Request.read(Fields(entry.body, "entry.request"))
        elif entry.kind == Answer.kind:
            answer = Answer.read(Fields(entry.body, "entry.answer"))
            _compare_order(journal, asked, names, answer.links, verdict)
            asked = None
            for name in names & answer.links.keys():
                _compare_answer(journal, answer, name, (genesis.key, entries[0].head), verdict)
    _compare_order(journal, asked, names, (), verdict)  # who is in the one that waits, is not said
    return verdict


def _compare_order(
    journal: Journal,
    request: Request | None,
    own: set[str],
    participants: Collection[str],
    to: JournalVerdict,
) -> None:
    if request is not None and request.seat == to.seat and request.decision:
        fault = journal.orders.fault(request, own, participants)
        to.findings += [Finding("other-order", fault)] if fault else []


def _compare_placement(journal: Journal, entry: Entry, to: JournalVerdict) -> None:
    if entry.kind in (Sealed.kind, Opened.kind) and entry.body.get("seat") == to.seat:
        reader = Sealed.read if entry.kind == Sealed.kind else Opened.read
        body = reader(Fields(entry.body, f"entry.{entry.kind}"))
        fault, doubt = journal.placements.fault(body), journal.placements.doubt(body)
        to.findings += [Finding("other-placement", fault)] if fault else []
        to.findings += [Finding("no-receipt", doubt)] if doubt else []


def _own(genesis: Genesis, entries: Sequence[Entry], ends: set[bytes]) -> set[str]:
    """The participants of the transcript whose chains are the journal's."""
    names = {name for name, one in genesis.participants.items() if one.end in ends}
    for entry in entries:
        if entry.kind == LaterDeposit.kind:
            later = LaterDeposit.read(Fields(entry.body, "entry.deposit"))
            names |= {later.id} if later.deposit.end in ends else set()
    return names


def _compare_answer(
    journal: Journal, answer: Answer, name: str, server: tuple[bytes, bytes], to: JournalVerdict
) -> None:
    """Compare one answer; `server` is its key and the head of the genesis."""
    n, shown, given = answer.n, answer.links[name], journal.given.get(answer.n)
    if shown is not None:
        to.used += given is not None
        if given is None:
            message = f"Request {n} has a link of {name} that this client did not give."
            to.findings.append(Finding("not-given", message))
        elif shown.link.hex() != given[2]:
            message = f"Request {n} has another link of {name} than the one that was given."
            to.findings.append(Finding("other-link", message))
    elif given is not None:
        receipt = journal.receipts.get(n)
        if receipt is not None and _is_right(receipt, name, *server):
            message = (
                f"Request {n} calls {name} silent, but the server has signed a receipt for its link"
                f" {receipt.link[:16]}…: keep the journal, it is the proof of a fraud."
            )
            to.findings.append(Finding("false-silence", message, proof=True))
        else:
            message = f"Request {n} calls {name} silent; its link was sent, without a receipt."
            to.findings.append(Finding("no-receipt", message))


def _is_right(receipt: KeptReceipt, name: str, key: bytes, genesis: bytes) -> bool:
    try:
        message = receipt_message(genesis, receipt.n, name, bytes.fromhex(receipt.link))
        return receipt.id == name and is_signed(key, message, bytes.fromhex(receipt.signature))
    except ValueError:
        return False
