"""The parts of an e-mail beside its orders: quoted mail, signatures, pleasantries."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rubicon.orders.errors import OrderProblem, OrderSyntaxError
from rubicon.orders.parse.clause import Clause
from rubicon.orders.parse.lexer import Part, SourceLine, order_start
from rubicon.orders.parse.requests import GROUPS
from rubicon.orders.parse.verbs import IN_FULL, INQUIRIES, MEANINGS, UnknownVerbError
from rubicon.rules.notation.words import ARROW, Word, words_of
from rubicon.wording import quoted

SIGNATURES = (
    "--",
    "\u2013",
    "\u2014",
    "\u2015",
)  # two dashes, or the dash that mail programs make of them
BAR = "|"
AROUND_ARROW = 20  # characters of a line that show whether it is quoted
LONGEST_HEADING = 300  # characters of a line that introduces quoted mail
INQUIRY_WORDS = frozenset(word for word, verb in MEANINGS.items() if verb in INQUIRIES)
OF_ORDERS = frozenset(["until", "armies", "army"])  # words of orders that are no verbs

_LETTER = re.compile(r"[^\W\d_]")
# "Tom wrote:" in the languages of the usual mail programs.
_WROTE = re.compile(
    r"(?:^|\W)(?:wrote|writes|schrieb|schreibt|schreef|écrit|escribió|scritto|escreveu|skrev"
    r"|kirjoitti|napisała?|написала?|пишет)(?:\W[^:]*)?:$"
)
_HEADER = re.compile(r"(?:from|von|de|van|da|od|från|fra|subject|betreff|sent|gesendet) ?:\s")
_RULED = re.compile(r"([-=_*])\1+ ?[^\W\d_].*\1\1$|_{5,}$|begin forwarded message\b")
_NO_PROSE = re.compile(r"[\d<>=%@|]|^\S+:|:$")


def quotes(source: SourceLine) -> bool:
    """Whether a line begins with an arrow or a bar, the marks of quoted mail."""
    first = order_start(source.plain)
    start = source.plain[first : first + AROUND_ARROW]
    if start.startswith(BAR):
        return True
    words: Sequence[Word] = () if start[:1].isalnum() else words_of(start)
    return bool(words) and words[0].text == ARROW


def introduces(source: SourceLine) -> bool:
    """Whether a line introduces quoted mail: `On Monday Tom wrote:`."""
    if len(source.plain) > LONGEST_HEADING:
        return False
    # A line that begins with a verb is an order, even `announce Tom wrote:`.
    line = source.plain.strip().casefold()
    if not line or line.split(None, 1)[0] in MEANINGS:
        return False
    ends = line.endswith(":") and _WROTE.search(line)
    return bool(ends or _HEADER.match(line) or _RULED.match(line))


def quoted_mail_below(source: SourceLine) -> OrderProblem:
    """The problem of a line that introduces quoted mail."""
    message = "Quoted e-mail begins here; quoted orders are never carried out."
    first = len(source.plain) - len(source.plain.lstrip())
    column = source.columns[first] + 1
    hint = "Delete it, or write END above it."
    return OrderProblem(source.number, column, "orders/quoted", message, hint)


def ignored_words(part: Part, error: OrderSyntaxError) -> OrderProblem | None:
    """The warning that words are no order; None where they may be a misspelt order."""
    if not isinstance(error, UnknownVerbError) or not _is_prose(part, error.clause):
        return None
    message = f"{quoted(part.text)} is no order; it is ignored."
    return OrderProblem(part.source.number, part.column(0), "orders/passed-over", message)


def _is_prose(part: Part, clause: Clause) -> bool:
    """Whether no word is one of those that orders consist of."""
    if part.verb in MEANINGS or _NO_PROSE.search(part.text):
        return False
    # Without numbers, arrows, verbs and names, no order can be hidden in the words.
    words = [bare for word in clause.words if (bare := word.text.strip(".,!?'\"()*_"))]
    if not _LETTER.search(part.text) or ARROW in words:
        return False
    return not any(map(clause.resolver.territories.begins, words)) and not _orders(words, clause)


def _orders(words: list[str], clause: Clause) -> bool:
    """Whether a verb is among the words, another word of orders, or the addressee of a message.

    The last word counts only if it is a verb that must be written in full: `your move` is prose.
    """
    verbs = MEANINGS.keys() - INQUIRY_WORDS
    if any(word in verbs or word in OF_ORDERS for word in words[:-1]):
        return True
    if words and (words[-1] in OF_ORDERS or MEANINGS.get(words[-1]) in IN_FULL):
        return True
    people = {*clause.resolver.people, *GROUPS}
    addressed = pairwise(words)
    return any(first == "to" and second in people for first, second in addressed)


def ignored_below(number: int, below: Iterable[str]) -> OrderProblem | None:
    """The warning that orders below a signature are ignored; None where there are none."""
    for line in below:
        first = line.split(None, 1)[:1]
        if first and first[0].casefold() in MEANINGS:
            message = "A signature begins here; the orders below it are ignored."
            return OrderProblem(number, 1, "orders/signature", message)
    return None
