"""The dice server's core: a question without names or positions, and the key that answers it.

It runs inside the table's process, or in a process, on a machine and under an operator of its own:
what it needs is one seed and one `Question`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rubicon.dice.asks import Ask, BattleRequest, PickRequest, SeatDice
from rubicon.dice.bodies import MOST_LINKS
from rubicon.dice.draws import BYTE, FACES, below, stream
from rubicon.dice.errors import DiceError
from rubicon.dice.hashing import digest, keyed, same
from rubicon.dice.seeds import commitment, kept_links

MOST_DRAWS = 10_000


@dataclass(frozen=True, slots=True)
class Promise:
    """What the dice side promises before a game: the hash of its seed, and the end of a chain of
    `length` links that it keeps for each seat."""

    commit: bytes
    links: Mapping[str, bytes]
    length: int = MOST_LINKS


@dataclass(frozen=True, slots=True)
class KeptLink:
    """Which link of a chain that the dice side keeps: the deposit's number and the link's."""

    epoch: int
    length: int
    number: int


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the dice side: `n` draws of `sides`, for the request whose head is `prev`.

    `links` are what the seats opened (None: silent); `kept` are to be opened by the dice side.
    """

    game: str
    seq: int
    prev: bytes
    rid: bytes
    n: int
    sides: int
    links: Mapping[str, bytes | None] = field(default_factory=dict)
    kept: Mapping[str, KeptLink] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of the dice side: the key, all links, and the draws that follow from the key."""

    rid: bytes
    prev: bytes
    key: bytes
    links: Mapping[str, bytes | None]
    values: tuple[int, ...]


def promise(seed: bytes, game: str, seats: Sequence[str]) -> Promise:
    """What a dice server says before a game; the same for ever, as its seed leaves no choice."""
    links = {seat: kept_links(seed, game, seat, 1, MOST_LINKS)[0] for seat in seats}
    return Promise(commitment(seed), links)


def roll_key(
    seed: bytes, game: str, seq: int, prev: bytes, rid: bytes, links: Mapping[str, bytes | None]
) -> bytes:
    """The key of an answer: nothing enters it that the dice side or the mover could choose.

    `seq` is the answer's number, `prev` the head of the request; links come in the order of the
    seats' names, a silent one as nothing.
    """
    entropy = (links[seat] or b"" for seat in sorted(links))
    return keyed(seed, digest("key", game, seq, prev, rid, *entropy))


def serve(seed: bytes, question: Question, earlier: Reply | None = None) -> Reply:
    """Answer a question; `earlier` is the reply given for the same game's `rid` or `seq`, if any.

    The same request gets the same reply for ever. DiceError `dice/other-question` where the number
    or the request id was used for something else: whoever could ask twice could choose.
    """
    if earlier is not None:
        if same(earlier.rid, question.rid) and same(earlier.prev, question.prev):
            return earlier
        raise DiceError("dice/other-question", "Another question was answered in this one's place.")
    _check_size(question)
    links = dict(question.links)
    for seat, kept in question.kept.items():
        chain = kept_links(seed, question.game, seat, kept.epoch, kept.length)
        links[seat] = chain[kept.number]
    key = roll_key(seed, question.game, question.seq, question.prev, question.rid, links)
    numbers = stream(key)
    values = tuple(below(question.sides, numbers) for _ in range(question.n))
    return Reply(question.rid, question.prev, key, links, values)


def size_of(ask: Ask) -> tuple[int, int]:
    """How many draws of how many sides a request needs; none where the answer must not tell."""
    match ask:
        case BattleRequest(attack, defence):
            return attack + defence, FACES
        case SeatDice(seats):
            return len(seats), FACES
        case PickRequest(things):
            return 1, len(things)
        case _:
            return 0, FACES


def _check_size(question: Question) -> None:
    if not (0 <= question.n <= MOST_DRAWS and 1 <= question.sides <= BYTE):
        message = f"{question.n} draws of {question.sides} sides are too many."
        raise DiceError("dice/too-many", message, f"At most {MOST_DRAWS:,} of {BYTE}.")
    for kept in question.kept.values():
        if not 1 <= kept.number <= kept.length <= MOST_LINKS:
            message = f"There is no link {kept.number} in a chain of {kept.length}."
            raise DiceError("dice/too-many", message, f"A chain has at most {MOST_LINKS:,}.")
