"""One entry of the chain: its number, the head before it, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rubicon.dice.bodies import Body, read_body
from rubicon.dice.canonical import LARGEST, Json, canonical, parse
from rubicon.dice.errors import BadEntry, quoted
from rubicon.dice.hashing import digest
from rubicon.dice.reading import Fields

LONGEST_SIGNATURE = 1000


@dataclass(frozen=True)
class Entry:
    """An entry; `sig` is room for a signature of its canonical text, which is not checked here."""

    seq: int
    prev: bytes
    body: Body
    sig: str = ""

    @property
    def kind(self) -> str:
        """What sort of entry it is."""
        return self.body.kind

    def form(self) -> dict[str, Json]:
        """As JSON, without the signature."""
        return {
            "seq": self.seq,
            "prev": self.prev.hex(),
            "kind": self.kind,
            "body": self.body.form(),
        }

    @cached_property
    def head(self) -> bytes:
        """The hash of everything up to here; it is what a letter to the players quotes."""
        return digest("entry", self._unsigned)

    @cached_property
    def _unsigned(self) -> str:
        return canonical(self.form())

    def text(self) -> str:
        """The line of the transcript; `Entry.parse` gives the same entry back."""
        return canonical(self.form() | {"sig": self.sig}) if self.sig else self._unsigned

    @staticmethod
    def parse(text: str) -> Entry:
        """The entry of a line; BadEntry where it is none."""
        try:
            value = parse(text)
        except ValueError as error:
            raise BadEntry("not-json", f"The line is not JSON: {error}.") from error
        entry = _read(Fields(value, "entry"))
        written = entry.text()
        if written != text:
            message = "The line is not written canonically."
            raise BadEntry("not-canonical", message, quoted(written), quoted(text))
        return entry


def _read(fields: Fields) -> Entry:
    seq, prev = fields.whole("seq", 0, LARGEST), fields.hash("prev")
    body = read_body(fields.text("kind"), fields.take("body"))
    sig = fields.text("sig", LONGEST_SIGNATURE) if "sig" in fields.left else ""
    fields.end()
    return Entry(seq, prev, body, sig)
