"""Raw bytes to a message of the standard library within bounds: never an error."""

from __future__ import annotations

import codecs
import re
from codecs import BOM_UTF8
from dataclasses import dataclass
from datetime import UTC
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import getaddresses, parsedate_to_datetime
from functools import lru_cache
from typing import Any

# How much of an e-mail is read. A sender decides every byte, so every size has a bound.


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """Bounds for one message; what lies beyond them is cut off and noted, never an error."""

    bytes: int = 2 * 1024 * 1024  # a larger message is refused: MailKind.TOO_LARGE
    header_bytes: int = 64 * 1024  # the header of the whole message
    lines: int = 60_000  # of the raw message
    boundary_lines: int = 400  # lines that may begin a part of a multipart message
    nesting: int = 30  # declarations of a multipart or an enclosed message
    parts: int = 100  # visited in search of the text
    text_characters: int = 200_000  # of the text that is searched for orders
    text_lines: int = 4_000
    line_characters: int = 2_000
    header_value: int = 4_000  # characters of one header; longer ones are cut
    addresses: int = 50  # of one header
    references: int = 50  # the newest are kept
    tokens: int = 8  # different tokens in one message


# Bytes to text where the declared charset may be missing, wrong or invented.

# What senders write, and what they mean. ISO 8859-1 is read as Windows-1252, as browsers do:
# the two differ only in characters that no e-mail has.
ALIASES = {
    "ansi": "cp1252",
    "ansi_x3.110-1983": "latin-1",
    "default": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso-8859-1": "cp1252",
    "iso-8859-6-i": "iso-8859-6",
    "iso-8859-8-e": "iso-8859-8",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-9": "cp1254",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "unicode": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
    "utf8mb4": "utf-8",
    "x-gbk": "gb18030",
    "x-mac-roman": "mac-roman",
    "x-sjis": "cp932",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
}
# Charsets of text only: Python also has codecs like `zlib` and `unicode_escape`.
_TEXT = re.compile(
    r"utf[-_]?(7|8|8-sig|16|16le|16be|16-le|16-be|32)|(us-)?ascii|ansi_x3[\w.-]+|latin[-_]?\d+"
    r"|iso[-_]?(8859|2022|646|ir)[\w-]*|(windows|cp|ibm|dos)[-_]?\d+|koi8[-_][rut]|big5(-hkscs)?"
    r"|gb18030|hz(-gb-2312)?|euc[-_](jp|kr|jis\w*)|mac[-_]\w+|tis-?620|johab|viscii|kz1048"
)
# As for 7-bit text, where a declared charset says nothing about the bytes above 127.
_VAGUE = frozenset({"", "ascii", "us-ascii", "cp1252", "unknown-8bit", "8bit", "x-unknown"})
_INVISIBLE = (0xAD, 0x200B, 0x2060, 0xFEFF)  # soft hyphen, and spaces without a width
_CONTROLS = dict.fromkeys([*range(9), 11, *range(14, 32), 127, *_INVISIBLE]) | {12: "\n"}
_SURROGATES = re.compile("[\ud800-\udfff]")


def decode_bytes(data: bytes, charset: str) -> str:
    """The text of `data`; control characters are left out, what is no text becomes U+FFFD."""
    text = _decoded(data, _codec(charset))
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    return _SURROGATES.sub("\ufffd", text.replace("\u2028", "\n").replace("\u2029", "\n\n"))


def _decoded(data: bytes, codec: str) -> str:
    for mark, marked in (
        (codecs.BOM_UTF8, "utf-8"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(marked, "replace")
    if codec in _VAGUE:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")
    try:
        return data.decode(codec, "replace")
    except (LookupError, UnicodeError):
        return data.decode("utf-8", "replace")


def _codec(charset: str) -> str:
    """The name of a codec of Python for a declared charset; "" for an unknown one."""
    label = charset.strip().strip("\"'").lower()[:40]
    label = ALIASES.get(label, label)
    label = re.sub(r"^(cp|windows|dos|ibm)[-_]?(?=\d)", "cp", label)
    return label if label in _VAGUE or _TEXT.fullmatch(label) else ""


# Raw bytes to a message of the standard library, within bounds of size, depth and number.
#
# `email` is tolerant but not cautious: its parser recurses once for each nested part, keeps an
# object for each part, and its header parsers can raise on input that no standard foresaw.

_NESTING = re.compile(rb"boundary\*?\d*\*?=|message/|multipart/digest", re.IGNORECASE)
_BLANK_LINE = re.compile(rb"\r?\n[ \t]*\r?\n|\r[ \t]*\r(?!\n)")
_SURROGATE = re.compile("[\ud800-\udfff]")


class BoundedPolicy(EmailPolicy):
    """The default policy, except that header values are cut, and that no header is an error."""

    longest = ReadingLimits().header_value

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Name and value of a header; EmailPolicy joins the lines, this cuts the result."""
        name, value = super().header_source_parse(sourcelines)
        return name[: self.longest], value[: self.longest]

    def header_fetch_parse(self, name: str, value: Any) -> Any:
        """The parsed header, or its plain text where the parser of `email` fails on it."""
        return _parsed_header(name.lower(), value) if isinstance(value, str) else value


# The parser of `email` asks for the Content-Type of a part about ten times, and parses it anew
# each time: without the cache that is two thirds of the time of reading.
@lru_cache(maxsize=64)
def _parsed_header(name: str, value: str) -> Any:
    try:
        return EmailPolicy.header_fetch_parse(POLICY, name, value)
    # The header parsers raise IndexError, RecursionError and others on hostile values.
    except Exception:
        return printable(value)


POLICY = BoundedPolicy()


class UnreadableMessageError(Exception):
    """The structure cannot be followed; `code` says why."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


def parse_message(raw: bytes, limits: ReadingLimits) -> tuple[EmailMessage, list[str]]:
    """The message, and the codes of what was cut off; UnreadableMessageError where nothing is
    readable."""
    raw, notes = _within_bounds(raw, limits)
    if len(_NESTING.findall(raw)) > limits.nesting:
        raise UnreadableMessageError("nesting")
    try:
        message = message_from_bytes(raw, policy=POLICY)
    # A parser of someone else, fed by an attacker: whatever it raises, the message is unreadable.
    except Exception as error:
        raise UnreadableMessageError("parser") from error
    assert isinstance(message, EmailMessage)  # the policy makes no others
    return message, notes


def parse_header(raw: bytes, limits: ReadingLimits) -> EmailMessage:
    """The header alone, of a message that is too large to read."""
    start = raw[: limits.header_bytes]
    blank = _BLANK_LINE.search(start)
    return parse_message(start[: blank.start()] if blank else start, limits)[0]


def _within_bounds(raw: bytes, limits: ReadingLimits) -> tuple[bytes, list[str]]:
    notes = []
    raw = raw.removeprefix(BOM_UTF8).lstrip(b"\r\n").replace(b"\r\r\n", b"\r\n")
    blank = _BLANK_LINE.search(raw, 0, limits.header_bytes)
    if blank is None and len(raw) > limits.header_bytes:
        raw, notes = raw[: limits.header_bytes], ["header-cut"]
    if raw.count(b"\r") - raw.count(b"\r\n") > raw.count(b"\n"):
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")  # line ends of old Macs
    cuts = [_nth(raw, b"\n", limits.lines), _nth(raw, b"\n--", limits.boundary_lines)]
    found = [cut for cut in cuts if cut >= 0]
    if found:
        raw = raw[: min(found)]
        notes.append("body-cut")
    return raw, notes


def _nth(raw: bytes, sought: bytes, number: int) -> int:
    """Where `sought` is found for the `number`th time; -1 where it is found less often."""
    at = -1
    for _ in range(number):
        at = raw.find(sought, at + 1)
        if at < 0:
            return -1
    return at


def printable(text: str) -> str:
    """The text in one line, without control characters and undecodable bytes."""
    clean = _SURROGATE.sub("\ufffd", text)
    return " ".join("".join(sign if sign.isprintable() else " " for sign in clean).split())


# Values of headers: addresses, message ids, dates, decoded text; bounded, and never an error.

MESSAGE_ID = re.compile(r"<([^<>\s@]{1,250}@[^<>\s]{1,250})>")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ADDRESS = re.compile(r"[^\s@<>\"(),;:]{1,64}@[^\s@<>\"(),;:]{1,253}")


def raw_values(message: EmailMessage, name: str) -> list[str]:
    """All values of a header as they were sent, in their order, unfolded."""
    wanted = name.lower()
    found = (str(value) for key, value in message.raw_items() if key.lower() == wanted)
    return [" ".join(value.split()) for value in found]


def raw_value(message: EmailMessage, name: str) -> str:
    """The first value of a header as it was sent; "" where it is missing."""
    values = raw_values(message, name)
    return values[0] if values else ""


def text_of(value: str) -> str:
    """A value with its encoded words (RFC 2047) decoded, as one printable line."""
    value = _undecoded(value)
    if "=?" not in value:
        return printable(value)
    try:
        words = decode_header(value)
    except (HeaderParseError, ValueError, LookupError):
        return printable(value)
    decoded = [
        decode_bytes(word, charset or "us-ascii") if isinstance(word, bytes) else word
        for word, charset in words
    ]
    return printable("".join(decoded))


def _undecoded(value: str) -> str:
    """Raw bytes above 127, which the parser keeps as surrogates, decoded (RFC 6532 says UTF-8)."""
    if value.isascii():
        return value
    return decode_bytes(value.encode("utf-8", "surrogateescape"), "unknown-8bit")


def header_text(message: EmailMessage, name: str) -> str:
    """The first value of a header, decoded; "" where it is missing."""
    return text_of(raw_value(message, name))


def addresses(message: EmailMessage, name: str, limits: ReadingLimits) -> list[tuple[str, str]]:
    """Display names and addresses (lower case) of all headers of that name.

    Names that only look like an address are names: `"ann@example.org" <eve@example.net>` is Eve.
    """
    values = [_undecoded(value) for value in raw_values(message, name)]
    try:
        parsed = getaddresses(values)
    # Its recursive parser was not written for hostile values.
    except Exception:
        parsed = []
    found = [(text_of(label), address.lower()) for label, address in parsed]
    return [pair for pair in found if is_address(pair[1])][: limits.addresses]


def senders(message: EmailMessage, limits: ReadingLimits) -> list[tuple[str, str]]:
    """Names and addresses of From. More than one where readers could disagree which one counts.

    Outside of quoted strings everything with an @ is an address here, comments included.
    """
    found = addresses(message, "From", limits)
    unquoted = _QUOTED.sub("", _undecoded(" ".join(raw_values(message, "From"))))
    others = {each.lower() for each in _ADDRESS.findall(unquoted)} - {pair[1] for pair in found}
    return [*found, *(("", other) for other in sorted(others))]


def is_address(text: str) -> bool:
    """Whether a text has the shape local@domain, without spaces or quoting."""
    return _ADDRESS.fullmatch(text) is not None


def address_in(text: str) -> str:
    """The first address in a text like `rfc822; <ann@example.org>`, in lower case, or ""."""
    found = _ADDRESS.search(text)
    return found.group().lower() if found else ""


def message_ids(message: EmailMessage, name: str, limits: ReadingLimits) -> tuple[str, ...]:
    """The message ids of a header without their brackets; the newest where there are too many."""
    found = MESSAGE_ID.findall(" ".join(raw_values(message, name)))
    return tuple(found[-limits.references :])


def date_of(message: EmailMessage) -> int | None:
    """The Date header in milliseconds since 1970; None where it is missing or no date.

    The sender chose it: it is fit for showing, not for deciding what came first.
    """
    try:
        moment = parsedate_to_datetime(raw_value(message, "Date"))
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return int(moment.timestamp() * 1000)
    # Years and offsets out of range raise several kinds of errors, by version of Python.
    except Exception:
        return None
