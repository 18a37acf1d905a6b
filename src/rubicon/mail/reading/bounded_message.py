"""Raw bytes to a message of the standard library, within bounds of size, depth and number.

`email` is tolerant but not cautious: its parser recurses once for each nested part, keeps an
object for each part, and its header parsers can raise on input that no standard foresaw.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import EmailPolicy
from functools import lru_cache
from typing import Any

from rubicon.mail.reading.limits import ReadingLimits

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
    # A parser of somebody else, fed by an attacker: whatever it raises, the message is unreadable.
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
    """Where `sought` stands for the `number`th time; -1 where it stands there less often."""
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
