"""The raw messages of `corpus/`, each with a file that says what is expected of it.

The expectations (TOML): `client` and `shows` are for people; `failure` names a row of FAILURES.
`kind` is always checked, the other keys where they are there: `own` (text), `token` (the place of
the seat's token; "" for none), `alignment`, `place` and `orders`, or `question`, or `mistakes`
(codes), `verdicts` (for `pending`, the decision that is asked), `passed_over`, `new_address`,
`same_as` (another message that is the same), and the table `bounce`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rubicon.mail.authority import KnownToken, MailVerdict, acts_of, judge, sender_alignment
from rubicon.mail.mail_commands import MailCommands, SentForm, read_commands
from rubicon.mail.order_lines import OrderReader
from rubicon.mail.reading.incoming_mail import IncomingMail
from rubicon.mail.reading.reader import ReadingSettings, read_mail
from rubicon.mail.tokens import TokenScope
from rubicon.rules.board.board import Board

FOLDER = Path(__file__).parent / "corpus"
TOKEN = "k4wq7ntm2vxh5rjpzc3byd6fga"
REGISTERED = "ann@example.net"
DECISION = 640
NOW = 1_795_380_000_000
SETTINGS = ReadingSettings(
    addresses=frozenset({"play@risk.example.org"}),
    authentication_servers=("mx.risk.example.org",),
)
FORM = SentForm(
    lines=(
        "TRADE BEST",
        "DEPLOY 18 ontario",
        "// ATTACK ontario -> western_united_states UNTIL LEFT 3",
        "// FORTIFY alaska -> alberta ALL",
        "END",
    ),
    before="use it.",
    after="In words: trade the best set, put all 18 armies on Ontario, end the",
)
# The rows of the catalogue of failures that reading an e-mail can avoid.
FAILURES = {
    "formats": "HTML alone, multipart, base64, quoted-printable, format=flowed, odd charsets",
    "old-orders": "quoted old orders are executed again",
    "inline": "answers below the quotation or inside it are not found",
    "signature": "a signature is parsed as an order",
    "prose": "prose is parsed as a command",
    "auto-reply": "loops with automatic answers",
    "list": "e-mail of lists and to many",
    "bounce": "messages that come back",
    "duplicate": "a message comes twice",
    "late": "a message comes late, or out of order",
    "spoofed": "somebody else writes in the name of a player",
    "leaked-token": "a token gets to an opponent",
    "plus-eaten": "the tag of the address is lost",
    "size": "messages that are too large, deep or long",
    "clock": "dates and deadlines",
}


@dataclass(frozen=True)
class CorpusMessage:
    """One raw message and what is expected of it."""

    name: str
    raw: bytes
    expected: dict[str, Any]

    def mail(self) -> IncomingMail:
        """The message as it is read."""
        return _mail(self.raw)

    def commands(self) -> MailCommands:
        """What it asks for."""
        return _commands(self.raw)

    def verdicts(self) -> list[MailVerdict]:
        """What it may do, for each kind of act in it."""
        mail, orders = self.mail(), self.commands().orders
        alignment = sender_alignment(mail, REGISTERED)
        scope = TokenScope(game="lyon", seat="blue", decision=DECISION, notification=1)
        known = any(found.token == TOKEN for found in mail.tokens)
        token = KnownToken(scope=scope, expires_at=NOW + 1) if known else None
        pending = self.expected.get("pending", DECISION)
        return [
            judge(act, token, alignment, pending=pending, now=NOW)
            for act in sorted(acts_of(orders) if orders else ())
        ]


@cache
def _mail(raw: bytes) -> IncomingMail:
    return read_mail(raw, SETTINGS)


@cache
def _commands(raw: bytes) -> MailCommands:
    return read_commands(_mail(raw), order_reader(), FORM)


@cache
def order_reader() -> OrderReader:
    """The game of the corpus: the world, Ann plays blue."""
    colours = ["red", "blue", "green", "yellow", "grey", "black"]
    return OrderReader(Board.load("world"), colours, {"Ann": "blue", "Otto": "black"})


@cache
def messages() -> dict[str, CorpusMessage]:
    """All messages by name."""
    found = {}
    for file in sorted(FOLDER.glob("*.eml")):
        expected = tomllib.loads(file.with_suffix(".toml").read_text("utf-8"))
        found[file.stem] = CorpusMessage(file.stem, file.read_bytes(), expected)
    return found
