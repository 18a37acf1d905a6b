"""The one state machine of a transcript, which server, clients and checkers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from rubicon.dice.canonical import Json
from rubicon.dice.errors import BadEntry, require, require_same
from rubicon.dice.keys import is_signed, sign
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.genesis import Genesis
from rubicon.dice.lines.opening import End, Shown
from rubicon.dice.lines.placement import Opened, Sealed
from rubicon.dice.lines.presence import LaterDeposit, Lost, Presence
from rubicon.dice.lines.reading import Fields
from rubicon.dice.lines.request import Answer, LinksLine, Request
from rubicon.dice.lines.state import State


class LineBody(Protocol):
    """What a line says; each kind has one class, which writes it and checks it."""

    @property
    def kind(self) -> str: ...

    def form(self) -> dict[str, Json]: ...


_READERS: dict[str, Callable[[Fields], Any]] = {
    "genesis": Genesis.read,
    "deposit": LaterDeposit.read,
    "joined": lambda fields: Presence.read_as("joined", fields),
    "left": lambda fields: Presence.read_as("left", fields),
    "lost": Lost.read,
    "request": Request.read,
    "links": LinksLine.read,
    "answer": Answer.read,
    "shown": Shown.read,
    "sealed": Sealed.read,
    "opened": Opened.read,
    "end": End.read,
}


class Transcript:
    """The state behind the lines that were appended; it keeps none of them."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.state = State()
        self.unsigned = 0  # lines since the last one that the server has signed
        for entry in entries:
            self.append(entry)

    def __len__(self) -> int:
        return self.state.seq

    @property
    def witness(self) -> str:
        """Number and head of the last line, as mails and clients keep it."""
        return f"{self.state.seq - 1}:{self.state.head.hex()}"

    def append(self, entry: Entry) -> Any:
        """Check the next line and take it in; its body. BadEntry where it may not come next.

        After an error the transcript must not be used any more.
        """
        state = self.state
        require(not state.closed, "closed", "The transcript has ended.", "no line", entry.kind)
        message = "A line is missing or out of place."
        require(entry.seq == state.seq, "wrong-seq", message, str(state.seq), str(entry.seq))
        require_same("wrong-prev", "Another history.", state.head, entry.prev)
        body = self._read(entry)
        self._take(body, entry, trusted=False)
        if entry.sig or entry.seq == 0:
            signed = is_signed(state.server_key, entry.head, entry.sig)
            message = "The server has not signed this line."
            require(signed, "wrong-signature", message, "its signature", entry.sig.hex()[:32])
        return body

    def write(
        self, body: LineBody, private_key: bytes | None = None, *, check: bool = False
    ) -> Entry:
        """Append a body as the server's next line, signed where a key is given.

        `check`: the body comes from a client; BadEntry where it may not stand here, and then
        nothing has changed.
        """
        entry = Entry(self.state.seq, self.state.head, body.kind, body.form())
        if private_key is not None:
            entry = entry.signed(sign(private_key, entry.head))
        self._take(body, entry, trusted=not check)
        return entry

    def resume(self, texts: Iterable[str]) -> None:
        """Take in lines that this server has checked and stored itself."""
        for text in texts:
            entry = Entry.stored(text)
            self._take(self._read(entry), entry, trusted=True)

    def _read(self, entry: Entry) -> Any:
        reader = _READERS.get(entry.kind)
        if reader is None:
            message = f"There are no lines of the kind {entry.kind[:40]!r}."
            raise BadEntry("wrong-form", message, ", ".join(_READERS), entry.kind[:40])
        first = (entry.kind == Genesis.kind) == (self.state.seq == 0)
        message = "The genesis is the first line, and only that."
        require(first, "genesis", message, "genesis first", entry.kind)
        fields = Fields(entry.body, f"entry.{entry.kind}")
        body = reader(fields)
        fields.end()
        return body

    def _take(self, body: Any, entry: Entry, *, trusted: bool) -> None:
        state, head = self.state, entry.head
        if isinstance(body, Request | LinksLine):
            body.apply(state, trusted=trusted, head=head)
        else:
            body.apply(state, trusted=trusted)
        if isinstance(body, Genesis):
            state.genesis = head
        state.seq += 1
        state.head = head
        state.recent.append(head)
        self.unsigned = 0 if entry.sig else self.unsigned + 1
