"""What a letter has beside orders: lists, older letters that it quotes, signatures, kind words."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rubicon.orders.problems import Fault, Problem
from rubicon.orders.reading_clause import Clause
from rubicon.orders.reading_lines import Part, Source, order_start
from rubicon.orders.reading_requests import EVERYBODY
from rubicon.orders.reading_verbs import IN_FULL, MEANINGS, UnknownVerb
from rubicon.rules.board_parts import quoted
from rubicon.rules.text.words import ARROW, Word, words_of

SIGNATURES = ("--", "\u2013", "\u2014", "\u2015")  # two dashes, or what a program makes of them
BAR = "|"
AROUND_ARROW = 20  # characters that are looked at to find out whether a line is quoted
LONGEST_HEADING = 300  # characters of a line that introduces an older letter
OF_ORDERS = frozenset(["until", "armies", "army"])  # beside verbs and names

_LETTER = re.compile(r"[^\W\d_]")
_WROTE = re.compile(
    r"(?:^|\W)(?:wrote|writes|schrieb|schreibt|schreef|écrit|escribió|scritto|escreveu|skrev"
    r"|kirjoitti|napisała?|написала?|пишет)(?:\W[^:]*)?:$"
)
_HEADER = re.compile(r"(?:from|von|de|van|da|od|från|fra|subject|betreff|sent|gesendet) ?:\s")
_RULED = re.compile(r"([-=_*])\1+ ?[^\W\d_].*\1\1$|_{5,}$|begin forwarded message\b")
_NO_PROSE = re.compile(r"[\d<>=%@|]|^\S+:|:$")


def quotes(source: Source) -> bool:
    """Whether a line begins with an arrow or a bar: somebody wrote it before."""
    first = order_start(source.plain)
    start = source.plain[first : first + AROUND_ARROW]
    if start.startswith(BAR):
        return True
    words: Sequence[Word] = () if start[:1].isalnum() else words_of(start)
    return bool(words) and words[0].text == ARROW


def introduces(source: Source) -> bool:
    """Whether an older letter, quoted whole, begins with a line: `On Monday Tom wrote:`."""
    if len(source.plain) > LONGEST_HEADING:
        return False
    line = source.plain.strip().casefold()
    if not line or line.split(None, 1)[0] in MEANINGS:
        return False
    ends = line.endswith(":") and _WROTE.search(line)
    return bool(ends or _HEADER.match(line) or _RULED.match(line))


def older_letter(source: Source) -> Problem:
    """The problem of a line that introduces an older letter."""
    message = "An older letter begins here; it is never carried out."
    first = len(source.plain) - len(source.plain.lstrip())
    column = source.columns[first] + 1
    hint = "Delete it, or write END above it."
    return Problem(source.number, column, "orders/quoted", message, hint)


def passed_over(part: Part, fault: Fault) -> Problem | None:
    """The warning about words that are surely no order; None where they may be a misspelt one."""
    if not isinstance(fault, UnknownVerb) or not _is_prose(part, fault.clause):
        return None
    message = f"{quoted(part.text)} is no order; it was passed over."
    return Problem(part.source.number, part.column(0), "orders/passed-over", message)


def _is_prose(part: Part, clause: Clause) -> bool:
    """Whether nothing in the words is of the kind that orders are made of."""
    if part.verb in MEANINGS or _NO_PROSE.search(part.text):
        return False
    words = [bare for word in clause.words if (bare := word.text.strip(".,!?'\"()*_"))]
    if not _LETTER.search(part.text) or ARROW in words:
        return False
    return not any(map(clause.desk.finder.begins, words)) and not _orders(words, clause)


def _orders(words: list[str], clause: Clause) -> bool:
    """Whether a verb is among the words, another word of orders, or whom a message goes to.

    A verb that ends a line is one only where it is complete: `your move` is none.
    """
    if any(word in MEANINGS or word in OF_ORDERS for word in words[:-1]):
        return True
    if words and (words[-1] in OF_ORDERS or MEANINGS.get(words[-1]) in IN_FULL):
        return True
    people = {*clause.desk.people, *EVERYBODY}
    addressed = pairwise(words)
    return any(first == "to" and second in people for first, second in addressed)


def ignored_below(number: int, below: Iterable[str]) -> Problem | None:
    """The warning about lines below a signature that look like orders."""
    for line in below:
        first = line.split(None, 1)[:1]
        if first and first[0].casefold() in MEANINGS:
            message = "A signature begins here; nothing below it is read."
            return Problem(number, 1, "orders/signature", message)
    return None
