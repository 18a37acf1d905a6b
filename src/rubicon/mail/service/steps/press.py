"""Messages of an e-mail to other players, as lines of the table's chat."""

from __future__ import annotations

import textwrap

from rubicon.table.errors import TableError
from rubicon.table.service.chat import MAX_LINE_LENGTH

MOST_PIECES = 5


def pieces_of(text: str) -> tuple[str, ...]:
    """A message in pieces that each fit into a line of the chat, cut between words.

    TableError `mail/long-message` where there would be too many, or none.
    """
    pieces: list[str] = []
    for line in text.strip().splitlines():
        for piece in textwrap.wrap(line, MAX_LINE_LENGTH) or [""]:
            if pieces and len(pieces[-1]) + 1 + len(piece) <= MAX_LINE_LENGTH:
                pieces[-1] += f"\n{piece}"
            else:
                pieces.append(piece)
    if not any(piece.strip() for piece in pieces):
        raise TableError("mail/empty-message", "The message is empty.", "Write it before ENDPRESS.")
    if len(pieces) > MOST_PIECES:
        most = MOST_PIECES * MAX_LINE_LENGTH
        message = f"The message has more than about {most:,} characters."
        raise TableError("mail/long-message", message, "Send it in two e-mails, or shorter.")
    return tuple(pieces)
