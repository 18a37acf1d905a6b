"""How the seats are called in e-mails: a content each, and the names of people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rubicon.rules.board.board import COLOURS
from rubicon.server.mail.messages import one_line

NEUTRAL_COLOUR = "neutral"
LETTERS = {
    "red": "R",
    "blue": "B",
    "green": "G",
    "yellow": "Y",
    "grey": "E",
    "black": "K",
    NEUTRAL_COLOUR: "*",
}
assert set(LETTERS) >= set(COLOURS)
MOST_NAME = 24  # characters of a name
_LABEL = re.compile(r"\btoken\b", re.IGNORECASE)
_TAG = re.compile(
    r"(?:\+|%2b)(?=[a-z2-7]{26}(?:@|%40))", re.IGNORECASE
)  # of an address with a token


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """The seats of a game as one of them calls them.

    `names` are those of people and bots by colour, made printable; `bots` are the colours that a
    bot plays now.
    """

    you: str
    names: Mapping[str, str]
    bots: frozenset[str] = frozenset()
    outsiders: str = "the rebels"  # or "neutral armies"

    def name(self, colour: str) -> str:
        """A seat in the middle of a sentence."""
        if colour == self.you:
            return "you"
        if colour == NEUTRAL_COLOUR:
            return self.outsiders
        return self.names.get(colour, colour)

    def subject(self, colour: str) -> str:
        """A seat at the beginning of a sentence."""
        name = self.name(colour)
        return name[:1].upper() + name[1:] if colour in (self.you, NEUTRAL_COLOUR) else name

    def listed(self, colour: str) -> str:
        """A seat in a table: the name, and whether it is the reader's or a bot's."""
        if colour == NEUTRAL_COLOUR:
            return self.outsiders.removeprefix("the ").capitalize()
        mark = ", you" if colour == self.you else ", a bot" if colour in self.bots else ""
        return self.names.get(colour, colour) + mark


def shown_name(name: str, colour: str) -> str:
    """A name that people chose, as one printable line; the colour where there is none."""
    return harmless(name)[:MOST_NAME].strip() or colour.capitalize()


def harmless(text: str) -> str:
    """Words that people chose, as one printable line that means nothing to the reader of answers.

    Such as a line of ours, the label of a token, or an address with one.
    """
    line = one_line(text).replace("==", "--").replace("//", "/").replace('"', "'")
    line = _TAG.sub(" + ", line)
    return _LABEL.sub(lambda found: f"{found[0][:2]}-{found[0][2:]}", line)
