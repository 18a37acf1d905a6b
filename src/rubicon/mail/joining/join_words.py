"""What somebody asks for before the game: `JOIN NAME`, `yes`, `COLOUR red` or `LEAVE`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from rubicon.rules.board.board import COLOURS

JOIN, LEAVE, COLOUR = "JOIN", "LEAVE", "COLOUR"
FALLBACK_NAME = "Player"
MOST_NAME = 24  # letters of a name that we propose
_ASKED = re.compile(rf"\s*({JOIN}|{LEAVE})\b[ \t:]*(.*)", re.IGNORECASE)
_SPELLINGS = {"gray": "grey"}
_POLITE = (
    r"(?:[ \t,]+(?:please|pls|thanks|thank you|if possible|if (?:it is |it's |still )?free))*"
    r"[ \t.,;:!]*"
)
_KNOWN = "|".join([*COLOURS, *_SPELLINGS])
# `My colour is red, please`; behind the colour stands nothing else, so that prose is no wish.
_COLOUR = re.compile(
    rf"\s*(?:(?:my|in|and) )?colou?r\b[ \t:=]*(?:is\b[ \t]*)?({_KNOWN})\b{_POLITE}", re.IGNORECASE
)
# In capitals, as our e-mails write it, a word that is no colour is a wish too: it is refused, and
# the answer tells the free ones. `Color Printing` in a signature is none.
_EXACTLY = re.compile(rf"\s*COLOU?R[ \t:=]+([^\W\d_]+(?: [^\W\d_]+)??){_POLITE}")
_NAMED = re.compile(r"\bcolou?r\b", re.IGNORECASE)
_NAME_AND_COLOUR = re.compile(r"(.*?)[ \t,;]+(?:(?:in|and|my) )*(colou?r\b.*)", re.IGNORECASE)
# The question is "Do you want to play?", so people answer it.
_YES = re.compile(r"\s*(?:yes|yeah|yep|ok|okay|sure)\b(?: please)?[ \t,.;:!]*(.*)", re.IGNORECASE)
# Only letters: an address or a sentence of somebody else must not reach a mailbox through us.
_NAME = re.compile(r"[^\W\d_]+(?:[ '-][^\W\d_]+){0,2}")


class JoinVerb(Enum):
    """The two things that can be asked for."""

    JOIN = JOIN
    LEAVE = LEAVE


@dataclass(frozen=True, slots=True)
class JoinWish:
    """What a message asks for; `name` and `colour` are "" where none is given.

    `unclear_colour` says that a colour is spoken of in words that are not understood.
    """

    verb: JoinVerb
    name: str = ""
    colour: str = ""
    unclear_colour: bool = False


def read_wish(own_text: str) -> JoinWish | None:
    """The wish of the first line that has one; None where nobody asks for anything."""
    lines = [line for line in own_text.splitlines() if line.strip()]
    wish = _asked(lines)
    if wish is None or wish.colour or wish.verb is JoinVerb.LEAVE:
        return wish
    return replace(wish, unclear_colour=names_colour(own_text))


def names_colour(own_text: str) -> bool:
    """Whether the word "colour" is in a text."""
    return _NAMED.search(own_text) is not None


def _asked(lines: Sequence[str]) -> JoinWish | None:
    colour = next(filter(None, map(_colour, lines)), "")
    for line in lines:
        found = _ASKED.fullmatch(line)
        if found is not None:
            return _wish(JoinVerb(found[1].upper()), " ".join(found[2].split()), colour)
    yes = _YES.fullmatch(lines[0]) if lines else None
    if colour or yes:
        return JoinWish(JoinVerb.JOIN, colour=colour or (_colour(yes[1]) if yes else ""))
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
    found = _COLOUR.fullmatch(line) or _EXACTLY.fullmatch(line)
    word = found[1].casefold() if found is not None else ""
    return _SPELLINGS.get(word, word)


def proposed_name(sender_name: str, address: str) -> str:
    """A name for a stranger, from their own e-mail: their first name, or that of the mailbox."""
    for text in (sender_name, re.sub(r"[._+-]+", " ", address.partition("@")[0]).title()):
        found = _NAME.match(text.strip())
        if found is not None and len(found[0]) <= MOST_NAME:
            return found[0].split()[0]
    return FALLBACK_NAME
