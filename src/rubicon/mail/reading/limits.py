"""How much of an e-mail is read. A sender decides every byte, so every size has a bound."""

from __future__ import annotations

from dataclasses import dataclass


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
