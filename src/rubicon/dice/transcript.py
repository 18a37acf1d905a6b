"""The transcript: the state machine that server, clients and checkers share, its file, and
lost lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, BinaryIO, Protocol

from rubicon.dice.crypto import FORMAT, SIZE, Json, is_signed, parse, same, sign
from rubicon.dice.errors import BadEntry, DiceError, quoted, require, require_same
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.members import Genesis, LaterDeposit, Lost, Presence
from rubicon.dice.lines.opening import End, Opened, Sealed, Shown
from rubicon.dice.lines.request import Answer, LinksLine, Request
from rubicon.dice.lines.state import State

# The state machine.


class LineBody(Protocol):
    """What a line says; each kind has one class, which writes it and checks it."""

    @property
    def kind(self) -> str: ...

    def form(self) -> dict[str, Json]: ...


# The kinds of lines; each is read from its body and a name for errors.
READERS: dict[str, Callable[[Json, str], Any]] = {
    "genesis": Genesis.read_alone,
    "deposit": LaterDeposit.read_alone,
    "joined": partial(Presence.read_alone, kind="joined"),
    "left": partial(Presence.read_alone, kind="left"),
    "lost": Lost.read_alone,
    "request": Request.read_alone,
    "links": LinksLine.read_alone,
    "answer": Answer.read_alone,
    "shown": Shown.read_alone,
    "sealed": Sealed.read_alone,
    "opened": Opened.read_alone,
    "end": End.read_alone,
}


class Transcript:
    """The state after the lines that were appended; it keeps none of them."""

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
        reader = READERS.get(entry.kind)
        if reader is None:
            message = f"There are no lines of the kind {entry.kind[:40]!r}."
            raise BadEntry("wrong-form", message, ", ".join(READERS), entry.kind[:40])
        first = (entry.kind == Genesis.kind) == (self.state.seq == 0)
        message = "The genesis is the first line, and only that."
        require(first, "genesis", message, "genesis first", entry.kind)
        return reader(entry.body, f"entry.{entry.kind}")

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


# The transcript: a text file with one entry a line, the genesis first.

LARGEST_FILE = 64_000_000
FAMILY, _, VERSION = FORMAT.partition("/")


def read_transcript(file: BinaryIO) -> Sequence[Entry]:
    """The entries of an open file.

    DiceError where it is no transcript (`dice/too-large`, `not-utf8`, `empty`, `cut`,
    `not-a-transcript`, `newer`); BadEntry at a line that is no entry.
    """
    data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        message = f"The file is larger than {LARGEST_FILE:,} bytes."
        raise DiceError("dice/too-large", message, "Is it a transcript?")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"The file is not UTF-8 text (byte {error.start:,})."
        raise DiceError("dice/not-utf8", message, "Is it a transcript, or packed?") from error
    return entries_of(text)


def entries_of(text: str) -> Sequence[Entry]:
    """The entries of a transcript's text."""
    if not text.strip():
        raise DiceError("dice/empty", "There is nothing in the file.")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    elif not _is_whole(lines[-1]):
        message = f"The file is cut: line {len(lines):,} ends in the middle."
        raise DiceError("dice/cut", message, "Get the whole file, or remove that line.")
    lines = [line.removesuffix("\r") for line in lines]  # as mail programs write it
    _check_beginning(lines[0])
    return [_parsed(number, line) for number, line in enumerate(lines)]


def _parsed(number: int, line: str) -> Entry:
    try:
        return Entry.parse(line)
    except BadEntry as bad:
        raise BadEntry(
            bad.code.removeprefix("dice/"),
            f"Line {number + 1:,}: {bad.message}",
            bad.expected,
            bad.found,
            number,
        ) from bad


def _is_whole(line: str) -> bool:
    try:
        parse(line)
    except ValueError:
        return False
    return True


def _check_beginning(line: str) -> None:
    said = _format_of(line)
    if said is None:
        message = f"The file begins with {quoted(line[:60])}, not with a genesis entry."
        raise DiceError("dice/not-a-transcript", message, "Try: rubicon verify --example FILE")
    family, _, version = said.partition("/")
    if family == FAMILY and version.isascii() and version.isdigit() and int(version) > int(VERSION):
        message = f"The file is of the format {quoted(said)}; this program knows {FORMAT}."
        raise DiceError("dice/newer", message, "Use a newer Rubicon.")


def _format_of(line: str) -> str | None:
    """The format that a first line names; None if it is no genesis."""
    try:
        value: Json = parse(line)
    except ValueError:
        return None
    body = value.get("body") if isinstance(value, dict) else None
    said = body.get("format") if isinstance(body, dict) else None
    return said if isinstance(said, str) and len(said) < 100 else None


# Lines that a server has signed and no longer has: they prove that its database is older.
#
# The proof is short: the lines from the first that differs up to the next one that the server has
# signed. The hash before them ties them to a game whose earlier lines are stored.

MOST_LINES = 1_000  # of a proof


def proof_of_loss(known: Sequence[str], shown: Sequence[str]) -> list[str]:
    """The proof that a transcript lacks lines; empty where it has all, or none of them is signed.

    `known` are the lines that someone has kept from the first one on, `shown` those that the
    server shows now.
    """
    first = next(
        (n for n, line in enumerate(known) if not still_shown(line, shown[n : n + 1])), None
    )
    if first is None:
        return []
    signed = (n for n in range(first, len(known)) if Entry.stored(known[n]).sig)
    return list(known[first : next(signed, first - 1) + 1])


def still_shown(line: str, shown: Sequence[str]) -> bool:
    """Whether a line is the one that is shown; a line may be shown with its signature or without.

    What is shown but is no line of a transcript is another line.
    """
    if line in shown:
        return True
    try:
        return [Entry.parse(text).head for text in shown] == [Entry.stored(line).head]
    except BadEntry:
        return False


def check_proof(
    texts: Sequence[str], table: str, server_key: bytes, head_of: Callable[[int], bytes | None]
) -> int:
    """Check that lines prove a loss; the number of the first one.

    `head_of` gives the head of a line that is stored, or None. DiceError `dice/no-proof` where the
    lines prove nothing.
    """
    if not 1 <= len(texts) <= MOST_LINES:
        raise _no_proof(f"A proof has 1 to {MOST_LINES:,} lines, not {len(texts):,}.")
    try:
        entries = [Entry.parse(text) for text in texts]
    except BadEntry as bad:
        raise _no_proof(f"One of the lines is no line of a transcript: {bad.message}") from bad
    first, last = entries[0], entries[-1]
    here, before = head_of(first.seq), head_of(first.seq - 1)
    if first.seq == 0:  # another genesis of the same table
        is_genesis = first.kind == Genesis.kind and first.body.get("table") == table
        before = bytes(SIZE) if is_genesis else None
    if before is None or not same(before, first.prev):
        raise _no_proof(f"Line {first.seq} does not follow a stored line of this game.")
    for one, following in pairwise(entries):
        if following.seq != one.seq + 1 or not same(following.prev, one.head):
            raise _no_proof(f"Line {following.seq} does not follow the line before it.")
    if here is not None and same(here, first.head):
        raise _no_proof(f"Line {first.seq} is stored: nothing is lost.")
    if not is_signed(server_key, last.head, last.sig):
        raise _no_proof(f"Line {last.seq}, the last one, is not signed by this server.")
    return first.seq


def _no_proof(message: str) -> DiceError:
    hint = "Send the lines from the first one that the server lacks to the next that it has signed."
    return DiceError("dice/no-proof", message, hint)
