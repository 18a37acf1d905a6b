"""What somebody asks for who has no seat yet: `JOIN NAME`, `yes` or `LEAVE`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

JOIN, LEAVE = "JOIN", "LEAVE"
FALLBACK_NAME = "Player"
MOST_NAME = 24  # letters of a name that we propose
_ASKED = re.compile(rf"\s*({JOIN}|{LEAVE})\b[ \t:]*(.*)", re.IGNORECASE)
# The question is "Do you want to play?", so people answer it.
_YES = re.compile(r"\s*(?:yes|yeah|yep|ok|okay|sure)\b.*", re.IGNORECASE)
# Only letters: an address or a sentence of somebody else must not reach a mailbox through us.
_NAME = re.compile(r"[^\W\d_]+(?:[ '-][^\W\d_]+){0,2}")


class JoinVerb(Enum):
    """The two things that can be asked for."""

    JOIN = JOIN
    LEAVE = LEAVE


@dataclass(frozen=True, slots=True)
class JoinWish:
    """What a message asks for; `name` is "" where none is given."""

    verb: JoinVerb
    name: str = ""


def read_wish(own_text: str) -> JoinWish | None:
    """The wish of the first line that has one; None where nobody asks for anything."""
    for line in own_text.splitlines():
        found = _ASKED.fullmatch(line)
        if found is not None:
            name = " ".join(found[2].split()).rstrip(".,;:!")
            return JoinWish(JoinVerb(found[1].upper()), name)
    lines = [line for line in own_text.splitlines() if line.strip()]
    if lines and _YES.fullmatch(lines[0]):
        return JoinWish(JoinVerb.JOIN)
    return None


def proposed_name(sender_name: str, address: str) -> str:
    """A name for a stranger, from their own e-mail: their first name, or that of the mailbox."""
    for text in (sender_name, re.sub(r"[._+-]+", " ", address.partition("@")[0]).title()):
        found = _NAME.match(text.strip())
        if found is not None and len(found[0]) <= MOST_NAME:
            return found[0].split()[0]
    return FALLBACK_NAME
