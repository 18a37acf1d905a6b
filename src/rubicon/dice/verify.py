"""Checks a whole chain, also against the heads that letters quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields

from rubicon.dice.asks import Faces, Picked, Sealed, Throw
from rubicon.dice.bodies import AnswerBody, Deposit, Keeper, RolledDice
from rubicon.dice.chain import Chain
from rubicon.dice.entry import Entry
from rubicon.dice.errors import BadEntry, DiceError, DiceFault, quoted
from rubicon.dice.hashing import SIZE
from rubicon.dice.reading import LOWER_HEX

NUMBER = re.compile(r"[0-9]{1,15}")
SHORTEST_HEAD = 16  # hexadecimal digits: nobody finds another history with the same ones


@dataclass(frozen=True, slots=True)
class KnownHead:
    """A head that somebody kept: its game and the number of its entry, if known, and its digits."""

    game: str
    seq: int | None
    digits: str

    @staticmethod
    def parse(text: str) -> KnownHead:
        """From `12:41c38037…` or the digits alone, at least 16 of them, or as letters quote it."""
        place, _, digits = text.strip().rpartition(":")
        game, _, number = place.rpartition(":")
        digits = digits.lower()
        right = set(digits) <= LOWER_HEX and SHORTEST_HEAD <= len(digits) <= 2 * SIZE
        if not right or not (place == "" or NUMBER.fullmatch(number)):
            message = f"{quoted(text)} is not a head."
            wanted = f"Write it as 12:41c38037fc662430, with {SHORTEST_HEAD} to {2 * SIZE} digits, "
            wanted += "or as a letter quotes it, the game before it."
            raise DiceError("dice/bad-head", message, wanted)
        return KnownHead(game, int(number) if number else None, digits)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found: how much was right, what is not yet proven, and the first bad entry."""

    entries: int
    dice: int = 0
    picks: int = 0
    answers: int = 0
    mixed: int = 0  # answers with a link that a seat kept itself
    silent: int = 0  # answers without a link that a seat should have opened
    signatures: int = 0  # there, but not checked here
    opened: bool = False
    owes: bool = False
    witness: str = ""
    fault: DiceFault | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong as far as the chain goes."""
        return self.fault is None

    def as_dict(self) -> dict[str, object]:
        """The verdict as programs get it."""
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        return {"ok": self.ok, **told, "fault": self.fault and self.fault.as_dict()}


def verify(entries: Iterable[Entry], *, known_heads: Iterable[str] = ()) -> Verdict:
    """Check a chain from its genesis; it never raises for what the entries say.

    Raises DiceError `dice/bad-head` where a known head is none, and what reading the entries
    raises. An iterable that reads while it is consumed may raise BadEntry: that is a fault.
    """
    heads = [KnownHead.parse(text) for text in known_heads]
    chain = Chain()
    fault: DiceFault | None = None
    try:
        for entry in entries:
            chain.append(entry)
    except BadEntry as error:
        seq = len(chain) if error.seq is None else error.seq
        fault = DiceFault(seq, error.code, error.message, error.expected, error.found)
    return _verdict(chain, fault or _head_fault(chain, heads))


def _verdict(chain: Chain, fault: DiceFault | None) -> Verdict:
    answers = [entry.body for entry in chain if isinstance(entry.body, AnswerBody)]
    keepers = _keepers(chain)
    return Verdict(
        entries=len(chain),
        dice=sum(_dice(entry) for entry in chain),
        picks=sum(isinstance(body.gives, Picked | Sealed) for body in answers),
        answers=len(answers),
        mixed=sum(mixed for mixed, _ in keepers),
        silent=sum(silent for _, silent in keepers),
        signatures=sum(bool(entry.sig) for entry in chain),
        opened=chain.closed,
        owes=chain.state.owed is not None or chain.state.unrolled is not None,
        witness=chain.witness if len(chain) else "",
        fault=fault,
    )


def _keepers(chain: Chain) -> list[tuple[bool, bool]]:
    """For each answer: whether a seat's own link entered it, and whether a seat was silent."""
    keepers: dict[str, Keeper] = {}
    found = []
    for entry in chain:
        match entry.body:
            case Deposit(seat, keeper):
                keepers[seat] = keeper
            case AnswerBody(links=links):
                own = any(keepers[seat] == Keeper.SEAT for seat, link in links.items() if link)
                found.append((own, None in links.values()))
    return found


def _dice(entry: Entry) -> int:
    """How many dice an entry tells of."""
    match entry.body:
        case AnswerBody(gives=Throw(attack, defence)):
            return len(attack) + len(defence)
        case AnswerBody(gives=Faces(faces)):
            return len(faces)
        case RolledDice(rolls=rolls):
            return sum(len(thrown.attack) + len(thrown.defence) for thrown in rolls)
        case _:
            return 0


def _head_fault(chain: Chain, heads: Iterable[KnownHead]) -> DiceFault | None:
    """The first place where a head that somebody kept is not this chain's."""
    game = chain.game if len(chain) else ""
    found = [entry.head.hex() for entry in chain]
    faults = [fault for head in heads if (fault := _compared(game, found, head))]
    return min(faults, key=lambda fault: fault.seq, default=None)


def _compared(game: str, found: list[str], head: KnownHead) -> DiceFault | None:
    if head.game not in ("", game):
        return DiceFault(
            0, "dice/other-game", "The known head is of another game.", head.game, game
        )
    if head.seq is None:
        if any(other.startswith(head.digits) for other in found):
            return None
        message = "No entry has the known head: the log was cut, or its history made anew."
        return DiceFault(len(found), "dice/unknown-head", message, head.digits, "no such head")
    if head.seq >= len(found):
        message = "The log was cut: a head of a later entry is known."
        return DiceFault(len(found), "dice/cut-log", message, f"entry {head.seq}", "the end")
    if found[head.seq].startswith(head.digits):
        return None
    message = "The known head is another one: this entry, or one before it, was made anew."
    return DiceFault(head.seq, "dice/other-history", message, head.digits, found[head.seq])
