"""Messages that nobody sends by accident: reading them ends, in bounded time and memory."""

import random
import re
import time
import tracemalloc
from collections.abc import Callable

import pytest

from rubicon.mail.authority import sender_alignment
from rubicon.mail.mail_commands import read_commands
from rubicon.mail.reading.incoming_mail import IncomingMail, MailEnvelope, MailKind, answer_address
from rubicon.mail.reading.reader import read_mail
from tests.conftest import FULL
from tests.mail.corpus_messages import FORM, REGISTERED, SETTINGS, messages, order_reader

MIB = 1024 * 1024
SIZE = MIB if FULL else MIB // 4  # of most messages
MUTATED = 1_000 if FULL else 150  # messages
HEAD = b"From: ann@example.net\r\nTo: play@risk.example.org\r\n"
TEXT = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
MIXED = HEAD + b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
HTML = HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n"
# Of this process, so other work on the machine counts little; most take a fraction of a second.
MOST_CPU_SECONDS = 4.0
MOST_MEMORY = 60 * MIB


def filled(piece: bytes, size: int = SIZE) -> bytes:
    """The piece again and again."""
    return piece * (size // len(piece))


def nested(count: int) -> bytes:
    """Messages inside messages."""
    return HEAD + b"Content-Type: message/rfc822\r\n\r\n" * count + b"\r\nDEPLOY 3 alaska"


HOSTILE = {
    "nothing": b"",
    "nul": b"\0" * SIZE,
    "noise": random.Random(1).randbytes(SIZE),
    "one line": TEXT + filled(b"a"),
    "one word of prose": TEXT + filled(b"deploy "),
    "empty lines": TEXT + filled(b"\n"),
    "quotation marks": TEXT + filled(b">"),
    "marked lines": TEXT + filled(b"> > a\n"),
    "introductions": TEXT + filled(b"On 1 Jan 2026 a@b.example wrote\n"),
    "half introductions": TEXT + filled(b"On wrote wrote wrote "),
    "wrote and colons": TEXT + filled(b"on 1 " + b"wrote :" * 50 + b"\n"),
    "headers in the text": TEXT + filled(b"From:\nTo:\n"),
    "greetings without an end": TEXT + filled(b"xkq zwv jjk qqx wwz,\n"),
    "telephone numbers": TEXT + b"deploy 1 alaska\r\n\r\n" + filled(b"+1 () 234567\n"),
    "lines that go on for ever": TEXT + filled(b"a" * 57 + b",\n"),
    "underscores": TEXT + filled(b"_"),
    "stars": TEXT + filled(b"*" * 1900 + b"\n"),
    "tokens": TEXT + filled(b"Token: "),
    "half tokens": TEXT + filled(b"Token: aaaaaaaaaaaaaaaaaaaaaaaaa1 "),
    "plus signs": TEXT + filled(b"+aaaaaaaaaaaaaaaaaaaaaaaaaa"),
    "postscripts": TEXT
    + b"deploy 1 alaska\r\n"
    + (b"P.S. " + b"attakc alsaka kamchakta; " * 35 + b"\r\n") * 41,
    "orders": TEXT + filled(b"ATTACK alaska -> kamchatka\n"),
    "messages without an end": TEXT + filled(b"PRESS TO red\nFrom:\n"),
    "flowed": TEXT.replace(b"utf-8", b"utf-8; format=flowed") + filled(b"> a \n"),
    "open tags": HTML + filled(b"<a "),
    "open comments": HTML + filled(b"<!--"),
    "open declarations": HTML + filled(b"<![if "),
    "open quotes": HTML + filled(b'<a b="'),
    "entities": HTML + filled(b"&"),
    "many entities": HTML + filled(b"&lt;&#1114112;&#0;"),
    "nested elements": HTML + filled(b"<div>"),
    "nested quotations": HTML + filled(b"<blockquote>"),
    "closing tags": HTML + filled(b"<div>" * 300 + b"</b>" * 3000),
    "scripts": HTML + filled(b"<script>"),
    "comments of comments": b"From: " + filled(b"(", 60_000) + b"\r\n\r\n",
    "commas": b"From: " + filled(b",a@b.example", 60_000) + b"\r\n\r\n",
    "brackets": b"From: " + filled(b"<[", 60_000) + b"\r\n\r\n",
    "quotes": b"From: " + filled(b'"\\', 60_000) + b"\r\n\r\n",
    "encoded words": HEAD + b"Subject: " + filled(b"=?utf-8?q?=", 60_000) + b"\r\n\r\n",
    "encoded words in pieces": HEAD + b"Subject: " + filled(b"=?x?b?4?= ", 60_000) + b"\r\n\r\n",
    "references": HEAD + b"References: " + filled(b"<a@b>", 60_000) + b"\r\n\r\n",
    "headers": HEAD + filled(b"a: b\r\n") + b"\r\n",
    "received": filled(b"Received: from a\r\n", 60_000) + HEAD + b"\r\n",
    "results": b"Authentication-Results: mx.risk.example.org"
    + filled(b"; spf=(", 60_000)
    + b"\r\n"
    + HEAD
    + b"\r\n",
    "parameters": HEAD + b"Content-Type: text/plain" + filled(b'; a="', 60_000) + b"\r\n\r\nx",
    "parameters in pieces": HEAD + b"Content-Type: text/plain" + filled(b"; a*1*=b''%", 60_000),
    "boundaries": MIXED + filled(b"--b\r\n\r\n"),
    "empty boundary": MIXED.replace(b'"b"', b'""') + filled(b"--\r\n"),
    "digests": HEAD
    + b'Content-Type: multipart/digest; boundary="b"\r\n\r\n'
    + filled(b"--b\r\n\r\n\r\n"),
    "messages in messages": nested(25),
    "too many messages in messages": nested(20_000),
    "base64": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + filled(b"QUFB\r\n"),
    "quoted-printable": HEAD
    + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    + filled(b"=\r\n=3"),
    "uuencode": HEAD
    + b"Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 1 a\r\n"
    + filled(b"#0V%T\r\n"),
    "utf-7": TEXT.replace(b"utf-8", b"utf-7") + filled(b"+AGEAYQBh-"),
    "codec of no text": TEXT.replace(b"utf-8", b"zlib") + b"x",
    "codec that escapes": TEXT.replace(b"utf-8", b"unicode_escape") + b"\\N{BELL}",
    "codec with a path": TEXT.replace(b"utf-8", b"../../etc") + b"x",
    "surrogates": TEXT.replace(b"utf-8", b"utf-16le") + filled(b"\xd8\x00"),
    "direction marks": TEXT + filled("\u202e".encode()),
    "ligatures": TEXT + filled("\ufdfa".encode()),
    "carriage returns": HEAD.replace(b"\r\n", b"\r") + b"\r" + filled(b"a\r"),
    "too large": TEXT + b"a" * (3 * MIB),
    "too large without an end of the header": b"a" * (3 * MIB),
    "bounce of prose": HEAD.replace(b"ann", b"mailer-daemon") + b"\r\n" + filled(b"failed @ 55 "),
}


def read_whole(raw: bytes) -> IncomingMail:
    """All that is ever done with a message before the table knows of it."""
    mail = read_mail(raw, SETTINGS, MailEnvelope("ann@example.net", ("play@risk.example.org",)))
    read_commands(mail, order_reader(), FORM)
    sender_alignment(mail, REGISTERED)
    answer_address(mail)
    return mail


def is_bounded(mail: IncomingMail) -> bool:
    """Whether nothing in a message exceeds the limits."""
    limits = SETTINGS.limits
    longest = max((len(line.text) for line in mail.lines), default=0)
    return (
        longest <= limits.line_characters + 10  # marks of a quotation in a message
        and len(mail.lines) <= limits.text_lines
        and len(mail.tokens) <= limits.tokens
        and len(mail.recipients) <= limits.addresses
        and len(mail.subject) <= 300
        and len(mail.references) <= limits.references
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_messages_are_read_within_bounds(name: str) -> None:
    order_reader()
    tracemalloc.start()
    try:
        start = time.process_time()
        mail = read_whole(HOSTILE[name])
        seconds = time.process_time() - start
        memory = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(mail.kind, MailKind)
    assert is_bounded(mail)
    assert seconds < MOST_CPU_SECONDS
    assert memory < MOST_MEMORY


def test_too_large_messages_keep_sender_and_token() -> None:
    raw = b"From: ann@example.net\r\nTo: play+" + b"a" * 26 + b"@risk.example.org\r\n\r\n"
    mail = read_mail(raw + b"a" * (3 * MIB), SETTINGS)
    assert mail.kind is MailKind.TOO_LARGE
    assert (mail.sender, mail.tokens[0].token, mail.own_text) == ("ann@example.net", "a" * 26, "")


def test_a_large_automatic_answer_is_not_answered() -> None:
    raw = HEAD + b"Auto-Submitted: auto-replied\r\n\r\n" + b"a" * (3 * MIB)
    mail = read_mail(raw, SETTINGS)
    assert (mail.kind, answer_address(mail)) == (MailKind.AUTO_REPLY, None)


Mutation = Callable[[random.Random, bytes], bytes]
PIECES = [
    b"\r\n",
    b"\n\n",
    b"\0",
    b"--",
    b"boundary=",
    b"=?utf-8?b?",
    b"?=",
    b"Content-Type: ",
    b"\xff\xfe",
    b"multipart/mixed",
    b"message/rfc822",
    b"Content-Transfer-Encoding: base64\r\n",
    b"<blockquote>",
    b"charset=utf-16",
    b"<!--",
    b"> ",
    b"From: ",
    b"(",
    b'"',
    b"=\r\n",
    b"\xc3",
    b"RESIGN CONFIRM\r\n",
]


def flip(chance: random.Random, raw: bytes) -> bytes:
    """Change one byte."""
    at = chance.randrange(len(raw))
    return raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :]


def cut(chance: random.Random, raw: bytes) -> bytes:
    """Leave out a stretch."""
    start = chance.randrange(len(raw))
    return raw[:start] + raw[start + chance.randrange(1, 200) :] or b"\n"


def double(chance: random.Random, raw: bytes) -> bytes:
    """Repeat a stretch."""
    start = chance.randrange(len(raw))
    stretch = raw[start : start + chance.randrange(1, 400)]
    return raw[:start] + stretch * chance.randrange(2, 5) + raw[start:]


def insert(chance: random.Random, raw: bytes) -> bytes:
    """Put in something with a meaning."""
    at = chance.randrange(len(raw))
    return raw[:at] + chance.choice(PIECES) + raw[at:]


def splice(chance: random.Random, raw: bytes) -> bytes:
    """Go on with another message."""
    other = chance.choice(list(messages().values())).raw
    return raw[: chance.randrange(1, len(raw))] + other[chance.randrange(len(other)) :]


MUTATIONS: list[Mutation] = [flip, cut, double, insert, splice]


def mutated(seed: int) -> bytes:
    """A message of the corpus with a few changes; the same for the same number."""
    chance = random.Random(seed)
    raw = chance.choice(list(messages().values())).raw
    for _ in range(chance.randrange(1, 12)):
        raw = chance.choice(MUTATIONS)(chance, raw)
    return raw


def test_mutated_messages_are_read_without_an_exception() -> None:
    for seed in range(MUTATED):
        start = time.process_time()
        mail = read_whole(mutated(seed))
        assert is_bounded(mail), seed
        assert time.process_time() - start < MOST_CPU_SECONDS, seed


def test_what_may_be_answered_was_not_sent_by_this_server() -> None:
    ours = re.compile(r"play(\+.*)?@risk\.example\.org")
    for seed in range(MUTATED):
        address = answer_address(read_mail(mutated(seed), SETTINGS))
        assert address is None or not ours.fullmatch(address), seed
