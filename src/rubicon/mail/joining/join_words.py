"""What somebody asks for before the game: `JOIN NAME`, `yes`, `COLOUR red` or `LEAVE`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

JOIN, LEAVE, COLOUR = "JOIN", "LEAVE", "COLOUR"
FALLBACK_NAME = "Player"
MOST_NAME = 24  # letters of a name that we propose
_ASKED = re.compile(rf"\s*({JOIN}|{LEAVE})\b[ \t:]*(.*)", re.IGNORECASE)
# Two words at most: a longer line is prose.
_COLOUR = re.compile(
    r"\s*(?:my )?colou?r\b[ \t:=]*([^\W\d_]+(?: [^\W\d_]+)?)[ \t.,;:!]*", re.IGNORECASE
)
_NAME_AND_COLOUR = re.compile(r"(.*?)[ \t,;]+(?:(?:in|and) )?(colou?r\b.*)", re.IGNORECASE)
_PLEASE = re.compile(r" (?:please|pls|thanks)$")
_SPELLINGS = {"gray": "grey"}
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
    """What a message asks for; `name` and `colour` are "" where none is given."""

    verb: JoinVerb
    name: str = ""
    colour: str = ""


def read_wish(own_text: str) -> JoinWish | None:
    """The wish of the first line that has one; None where nobody asks for anything."""
    lines = [line for line in own_text.splitlines() if line.strip()]
    colour = next(filter(None, map(_colour, lines)), "")
    for line in lines:
        found = _ASKED.fullmatch(line)
        if found is not None:
            return _wish(JoinVerb(found[1].upper()), " ".join(found[2].split()), colour)
    if colour or (lines and _YES.fullmatch(lines[0])):
        return JoinWish(JoinVerb.JOIN, colour=colour)
    return None


def _wish(verb: JoinVerb, words: str, colour: str) -> JoinWish:
    """The wish; the words behind its verb may have the colour in them too."""
    name = words
    if here := _colour(words):
        name, colour = "", colour or here
    elif both := _NAME_AND_COLOUR.fullmatch(words):
        name, colour = both[1], colour or _colour(both[2])
    return JoinWish(verb, name.rstrip(".,;:!"), colour)


def _colour(line: str) -> str:
    """The colour that a line asks for, in the spelling of the game; "" where it is another line."""
    found = _COLOUR.fullmatch(line)
    word = _PLEASE.sub("", found[1].casefold()) if found is not None else ""
    return _SPELLINGS.get(word, word)


def proposed_name(sender_name: str, address: str) -> str:
    """A name for a stranger, from their own e-mail: their first name, or that of the mailbox."""
    for text in (sender_name, re.sub(r"[._+-]+", " ", address.partition("@")[0]).title()):
        found = _NAME.match(text.strip())
        if found is not None and len(found[0]) <= MOST_NAME:
            return found[0].split()[0]
    return FALLBACK_NAME
