"""One entry of the chain: its number, the head before it, and what it says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from json.encoder import encode_basestring

from rubicon.dice.asks import BattleRequest, Throw
from rubicon.dice.bodies import AnswerBody, Body, Request, read_body
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

    @property
    def head(self) -> bytes:
        """The hash of everything up to here; it is what a letter to the players quotes."""
        # Not `cached_property`, which takes a lock in Python 3.11.
        head: bytes | None = self.__dict__.get("_head")
        if head is None:
            head = self.__dict__["_head"] = head_of(self._unsigned)
        return head

    @property
    def _unsigned(self) -> str:
        text: str | None = self.__dict__.get("_text")
        if text is None:
            text = _battle_text(self) or canonical(self.form())
            self.__dict__["_text"] = text
        return text

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


def read_quickly(text: str, seq: int, prev: bytes) -> Request | AnswerBody | None:
    """The body of a stored entry that is a battle's request or answer, without strict checks.

    None where it is another entry, is signed, or does not follow on `prev`.
    """
    try:
        entry = json.loads(text)
        if len(entry) != 4 or entry["seq"] != seq or entry["prev"] != prev.hex():
            return None
        body, kind = entry["body"], entry["kind"]
        if kind == Request.kind and body["ask"]["what"] == BattleRequest.what:
            ask = BattleRequest(body["ask"]["attack"], body["ask"]["defence"])
            rid, order = bytes.fromhex(body["rid"]), bytes.fromhex(body["order"])
            return Request(rid, body["seat"], body["duty"], body["entry"], order, ask)
        if kind == AnswerBody.kind and "attack" in body["gives"]:
            gives = Throw(tuple(body["gives"]["attack"]), tuple(body["gives"]["defence"]))
            links = {
                seat: None if link is None else bytes.fromhex(link)
                for seat, link in body["links"].items()
            }
            return AnswerBody(bytes.fromhex(body["rid"]), bytes.fromhex(body["key"]), links, gives)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass  # the strict reading says what is wrong
    return None


def head_of(unsigned: str) -> bytes:
    """The head of an entry without a signature, from its canonical text."""
    return digest("entry", unsigned)


def _battle_text(entry: Entry) -> str:
    """The canonical text of a battle's request or answer, written five times as fast as the others.

    "" for every other entry, and where a text or number needs the checks of `canonical`.
    """
    body, text = entry.body, ""
    if isinstance(body, Request) and isinstance(body.ask, BattleRequest):
        if body.duty <= LARGEST and body.entry <= LARGEST:
            text = (
                f'{{"body":{{"ask":{{"attack":{body.ask.attack},"defence":{body.ask.defence},'
                f'"what":"battle"}},"duty":{body.duty},"entry":{body.entry},'
                f'"order":"{body.order.hex()}","rid":"{body.rid.hex()}",'
                f'"seat":{encode_basestring(body.seat)}}},"kind":"request"'
            )
    elif isinstance(body, AnswerBody) and isinstance(body.gives, Throw):
        links = ",".join(
            f"{encode_basestring(seat)}:null"
            if link is None
            else f'{encode_basestring(seat)}:"{link.hex()}"'
            for seat, link in sorted(body.links.items())
        )
        attack, defence = body.gives.attack, body.gives.defence
        text = (
            f'{{"body":{{"gives":{{"attack":[{_listed(attack)}],"defence":[{_listed(defence)}]}},'
            f'"key":"{body.key.hex()}","links":{{{links}}},"rid":"{body.rid.hex()}"}},'
            '"kind":"answer"'
        )
    if not text.isascii() or entry.seq > LARGEST:
        return ""
    return f'{text},"prev":"{entry.prev.hex()}","seq":{entry.seq}}}' if text else ""


def _listed(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _read(fields: Fields) -> Entry:
    seq, prev = fields.whole("seq", 0, LARGEST), fields.hash("prev")
    body = read_body(fields.text("kind"), fields.take("body"))
    sig = fields.text("sig", LONGEST_SIGNATURE) if "sig" in fields.left else ""
    fields.end()
    return Entry(seq, prev, body, sig)
