"""Values of headers: addresses, message ids, dates, decoded text; bounded, and never an error."""

from __future__ import annotations

import re
from datetime import UTC
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime

from rubicon.mail.reading.bounded_message import printable
from rubicon.mail.reading.charsets import decode_bytes
from rubicon.mail.reading.limits import ReadingLimits

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
