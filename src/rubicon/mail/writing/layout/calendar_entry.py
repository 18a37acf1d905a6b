"""The deadline as an entry for a calendar (RFC 5545)."""

from __future__ import annotations

from datetime import UTC, datetime

FOLD = 73  # bytes of a line, without the space that a line goes on with (RFC 5545, 3.1)
ALARM = "-PT6H"


def calendar_entry(uid: str, summary: str, url: str, due: int, at: int) -> str:
    """One event at the deadline, with an alarm six hours before. Times in ms since 1970.

    Published, not a request: nobody is asked to accept it. `uid` names the entry, so that a later
    e-mail of the same decision replaces it.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Rubicon//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"DTSTAMP:{_utc(at)}",
        f"DTSTART:{_utc(due)}",
        f"DTEND:{_utc(due)}",
        f"SEQUENCE:{at // 1000 % 2_000_000_000}",
        f"SUMMARY:{_escaped(summary)}",
        f"URL:{url}",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{_escaped(summary)}",
        f"TRIGGER:{ALARM}",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _utc(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """Text of a value (RFC 5545, 3.3.11); it cannot begin a line of its own."""
    plain = " ".join(text.split())
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> str:
    """A line of at most 75 bytes; longer ones go on behind a space."""
    parts, part = [], ""
    for sign in line:
        if len((part + sign).encode()) > FOLD:
            parts.append(part)
            part = ""
        part += sign
    return "\r\n ".join([*parts, part])
