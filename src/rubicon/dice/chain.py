"""The chain: entries in order, each checked as it is appended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from rubicon.dice.asks import Battle, read_ask
from rubicon.dice.bodies import Answer, Body, Genesis, Request, Reveal
from rubicon.dice.checks import check_body
from rubicon.dice.entry import Entry
from rubicon.dice.errors import BadEntry, require, require_same
from rubicon.dice.hashing import digest
from rubicon.dice.opening import check_opening
from rubicon.dice.reading import Fields
from rubicon.dice.state import State


class Chain:
    """Entries in order; `append` takes only what may stand there and raises BadEntry otherwise.

    It holds no seed and stores nothing: a table writes each entry's text in the transaction that
    appends it, and rebuilds the chain with `Chain(map(Entry.parse, texts))`.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries: list[Entry] = []
        self.state = State()
        self._head = b""
        self._next: Entry | None = None  # made here, and so checked already
        for entry in entries:
            self.append(entry)

    def __len__(self) -> int:
        return len(self.entries)

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

    def answer(self, rid: bytes) -> Answer | None:
        """What was answered under this id, for ever the same."""
        return self.state.answers.get(rid)

    def contributors(self) -> tuple[str, ...]:
        """The seats whose next link the owed answer needs."""
        return self.state.contributors(self.state.owed.seat) if self.state.owed else ()

    def entry(self, body: Body) -> Entry:
        """The entry that this would be; BadEntry where it may not come next."""
        entry = Entry(len(self), self._prev(body), body)
        try:
            text = entry.text()
        except ValueError as error:
            raise BadEntry("wrong-form", f"The {body.kind} cannot be written: {error}.") from error
        if not _is_readable(body):
            entry = Entry.parse(text)  # so that whatever was made can be read again
        self.check(entry)
        self._next = entry
        return entry

    def check(self, entry: Entry) -> None:
        """See that the entry may come next."""
        message = "An entry is missing, or stands in another's place."
        wanted, found = f"entry {len(self)}", f"entry {entry.seq}"
        require(entry.seq == len(self), "wrong-seq", message, wanted, found)
        message = "The entry follows on another history: this one or one before it was changed."
        require_same("wrong-prev", message, self._prev(entry.body), entry.prev)
        check_body(self.state, entry.body)
        if isinstance(entry.body, Reveal):
            check_opening(self.entries, entry.body)

    def append(self, entry: Entry) -> None:
        """Take the entry; where it is refused, the chain is as it was."""
        if entry is not self._next:
            self.check(entry)
        self._next = None
        self.state.take(entry.body)
        self.entries.append(entry)
        self._head = entry.head

    def _prev(self, body: Body) -> bytes:
        if self.entries:
            return self.head
        if isinstance(body, Genesis):
            return digest("genesis", body.game, body.commit, body.table)
        raise BadEntry("genesis", "A chain begins with its genesis.", Genesis.kind, body.kind)


def _is_readable(body: Body) -> bool:
    """Whether it surely can be read again: it is an answer, or a battle's request."""
    if isinstance(body, Request) and isinstance(body.ask, Battle):
        return body.duty >= 0 and body.entry >= 0 and _is_battle(body.ask)
    return isinstance(body, Answer)


@lru_cache(maxsize=64)
def _is_battle(ask: Battle) -> bool:
    return read_ask(Fields(ask.form(), "ask")) == ask
