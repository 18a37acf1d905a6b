"""One line of a transcript: its number, the head before it, what it says, a signature."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from rubicon.dice.crypto import LARGEST, SIGNATURE_SIZE, Json, canonical, digest, parse
from rubicon.dice.errors import BadEntry, quoted
from rubicon.dice.lines.forms import Fields

LONGEST_LINE = 2_000_000


@dataclass(frozen=True)
class Entry:
    """A line; `body` is JSON that the kind's own reader understands, `sig` signs the head."""

    seq: int
    prev: bytes
    kind: str
    body: dict[str, Json]
    sig: bytes = b""

    @property
    def head(self) -> bytes:
        """The hash of everything up to here; it is what an e-mail to the players quotes."""
        # Not `cached_property`, which takes a lock in Python 3.11.
        head: bytes | None = self.__dict__.get("_head")
        if head is None:
            head = self.__dict__["_head"] = digest("entry", self._unsigned)
        return head

    @property
    def _unsigned(self) -> str:
        """The line without its signature."""
        text: str | None = self.__dict__.get("_text")
        if text is None:
            form: dict[str, Json] = {"seq": self.seq, "prev": self.prev.hex(), "kind": self.kind}
            text = self.__dict__["_text"] = canonical(form | {"body": self.body})
        return text

    def text(self) -> str:
        """The line of the transcript; `Entry.parse` gives the same entry back."""
        if not self.sig:
            return self._unsigned
        # "sig" is the last name in the alphabet of an entry.
        return f'{self._unsigned[:-1]},"sig":"{self.sig.hex()}"}}'

    def signed(self, sig: bytes) -> Entry:
        """The same entry with the server's signature."""
        entry = Entry(self.seq, self.prev, self.kind, self.body, sig)
        entry.__dict__.update(_text=self._unsigned, _head=self.head)
        return entry

    @staticmethod
    def parse(text: str) -> Entry:
        """The entry of a line; BadEntry where it is none."""
        try:
            value = parse(text)
        except ValueError as error:
            raise BadEntry("not-json", f"The line is not JSON: {error}.") from error
        fields = Fields(value, "entry")
        seq, prev, kind = fields.whole("seq", 0, LARGEST), fields.hash("prev"), fields.text("kind")
        body = fields.take("body")
        if not isinstance(body, dict):
            raise fields.wrong("an object", body, "body")
        sig = fields.hash("sig", SIGNATURE_SIZE) if "sig" in fields.left else b""
        fields.end()
        entry = Entry(seq, prev, kind, body, sig)
        written = _written(entry)
        if written != text:
            message = "The line is not written canonically."
            raise BadEntry("not-canonical", message, quoted(written), quoted(text))
        return entry

    @staticmethod
    def stored(text: str) -> Entry:
        """The entry of a line that this server has written itself, read without the checks."""
        value: Any = json.loads(text)
        sig = bytes.fromhex(value.get("sig", ""))
        prev = bytes.fromhex(value["prev"])
        return Entry(value["seq"], prev, value["kind"], value["body"], sig)


def _written(entry: Entry) -> str:
    try:
        return entry.text()
    except (ValueError, RecursionError) as error:
        raise BadEntry("not-canonical", f"The line cannot be written again: {error}.") from error
