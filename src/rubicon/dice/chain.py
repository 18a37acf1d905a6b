"""The chain: entries in order, each checked as it is appended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from rubicon.dice.asks import BattleRequest, read_ask
from rubicon.dice.bodies import AnswerBody, Body, Genesis, Request, Reveal
from rubicon.dice.checks import check_body, check_made
from rubicon.dice.entry import Entry, head_of, read_quickly
from rubicon.dice.errors import BadEntry, require_same
from rubicon.dice.hashing import digest
from rubicon.dice.opening import check_opening, check_promises
from rubicon.dice.reading import Fields
from rubicon.dice.state import DiceState


class Chain:
    """Entries in order; `append` takes only what may stand there and raises BadEntry otherwise.

    It holds no seed and stores nothing: a table writes each entry's text in the transaction that
    appends it, and rebuilds the chain with `Chain(map(Entry.parse, texts))`.

    A chain that does not keep its entries is for a game that is played: it knows what may come next
    and the last answer. Its reveal is compared with the promises only; `verify` checks the rest.
    """

    def __init__(self, entries: Iterable[Entry] = (), *, keeps_entries: bool = True) -> None:
        self.entries: list[Entry] = []  # empty where they are not kept
        self.state = DiceState(forgets=not keeps_entries)
        self._length = 0
        self._head = b""
        self._next: Entry | None = None  # made here, and so checked already
        for entry in entries:
            self.append(entry)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    @property
    def head(self) -> bytes:
        """The hash of everything so far."""
        return self._head

    @property
    def witness(self) -> str:
        """The head as it is quoted in letters: the last entry's number, a colon, the hash."""
        return f"{len(self) - 1}:{self.head.hex()}"

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.state.begun.game

    @property
    def owed(self) -> Request | None:
        """The request that waits for its answer."""
        return self.state.owed

    @property
    def closed(self) -> bool:
        """Whether the seeds are open and nothing follows."""
        return self.state.closed

    def request(self, rid: bytes) -> Request | None:
        """What was asked under this id."""
        return self.state.requests.get(rid)

    def answer(self, rid: bytes) -> AnswerBody | None:
        """What was answered under this id, for ever the same."""
        return self.state.answers.get(rid)

    def contributors(self) -> tuple[str, ...]:
        """The seats whose next link the owed answer needs."""
        return self.state.contributors(self.state.owed.seat) if self.state.owed else ()

    def entry(self, body: Body, *, made: bool = False) -> Entry:
        """The entry that this would be; BadEntry where it may not come next.

        `made` says that the body was computed from this chain: its hashes and dice are not computed
        once more to compare them.
        """
        entry = Entry(self._length, self._prev(body), body)
        try:
            text = entry.text()
        except ValueError as error:
            raise BadEntry("wrong-form", f"The {body.kind} cannot be written: {error}.") from error
        if not _is_readable(body):
            entry = Entry.parse(text)  # so that whatever was made can be read again
        if made:
            check_made(self.state, body)
        else:
            self.check(entry)
        self._next = entry
        return entry

    def check(self, entry: Entry) -> None:
        """See that the entry may come next."""
        if entry.seq != self._length:
            message = "An entry is missing, or stands in another's place."
            raise BadEntry("wrong-seq", message, f"entry {self._length}", f"entry {entry.seq}")
        message = "The entry follows on another history: this one or one before it was changed."
        require_same("wrong-prev", message, self._prev(entry.body), entry.prev)
        check_body(self.state, entry.body)
        if isinstance(entry.body, Reveal):
            if self.state.forgets:
                check_promises(self.state.begun, entry.body)
            else:
                check_opening(self.entries, entry.body)

    def append(self, entry: Entry) -> None:
        """Take the entry; where it is refused, the chain is as it was."""
        if entry is not self._next:
            self.check(entry)
        self._next = None
        self._take(entry.body, entry.head)
        if not self.state.forgets:
            self.entries.append(entry)

    def resume(self, texts: Sequence[str]) -> None:
        """Take entries that this table has stored itself, one text each; BadEntry at a damaged one.

        Of requests and answers only the hashes are compared that join them to a chain, and the last
        entry is checked whole: dice and links are left to `verify`. The chain must not keep its
        entries.
        """
        assert self.state.forgets
        last = len(texts) - 1
        for number, text in enumerate(texts):
            if number == last or not self._resume_quickly(text):
                self.append(Entry.parse(text))

    def _resume_quickly(self, text: str) -> bool:
        """Take a request for dice or its answer without the checks of `append`; False otherwise."""
        state = self.state
        body = read_quickly(text, self._length, self._head)
        if isinstance(body, AnswerBody):
            if state.owed is None or state.owed.rid != body.rid:
                return False
            if not body.links.keys() <= state.links.keys():
                return False
        elif body is None or state.owed is not None or state.unrolled is not None:
            return False
        if state.genesis is None or state.closed:
            return False
        self._take(body, head_of(text))
        return True

    def _take(self, body: Body, head: bytes) -> None:
        self.state.take(body)
        self._head = head
        self._length += 1

    def _prev(self, body: Body) -> bytes:
        if self._length:
            return self._head
        if isinstance(body, Genesis):
            return digest("genesis", body.game, body.commit, body.table)
        raise BadEntry("genesis", "A chain begins with its genesis.", Genesis.kind, body.kind)


def _is_readable(body: Body) -> bool:
    """Whether it surely can be read again: it is an answer, or a battle's request."""
    if isinstance(body, Request) and isinstance(body.ask, BattleRequest):
        return body.duty >= 0 and body.entry >= 0 and _is_battle(body.ask)
    return isinstance(body, AnswerBody)


@lru_cache(maxsize=64)
def _is_battle(ask: BattleRequest) -> bool:
    return read_ask(Fields(ask.form(), "ask")) == ask
