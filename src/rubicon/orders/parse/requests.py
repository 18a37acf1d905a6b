"""Parses requests to the table and its game master, and skips what else is in an e-mail."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise

from rubicon.orders import syntax
from rubicon.orders.errors import OrderProblem, OrderSyntaxError
from rubicon.orders.parse.places import IN_FULL, INQUIRIES, MEANINGS, UnknownVerbError, territory
from rubicon.orders.parse.words import ANNOUNCE, Clause, Part, SourceLine, order_start
from rubicon.rules.notation.words import ARROW, Word, words_of
from rubicon.wording import quoted

# Requests.

GROUPS = {"all": "ALL", "everybody": "ALL", "everyone": "ALL", "gm": "GM", "master": "GM"}
LONGEST_ANNOUNCEMENT = 2_000
MOST_ENTRIES = 2**31 - 1
MOST_HOURS = 10_000
HOURS = {"h": 1, "hour": 1, "hours": 1, "d": 24, "day": 24, "days": 24}
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_BOT = re.compile(r"[a-z0-9](?:[a-z0-9_.+-]{0,58}[a-z0-9])?")
_WORD = re.compile(r"[a-z0-9_-]{1,40}")
_CODE = re.compile(r"[A-Za-z0-9-]{4,64}")
_DURATION = re.compile(r"(\d{1,6})([a-z]+)", re.ASCII)


def request(clause: Clause, verb: str) -> syntax.Request:
    """The request that a verb begins; the parser handles PRESS and ANNOUNCE by lines."""
    if verb in syntax.Ask.__members__:
        return _ask(clause, syntax.Ask(verb))
    if verb not in PARSERS:
        message = f"A space is missing after {verb}."
        raise clause.error("unknown-order", 0, message)
    return PARSERS[verb](clause)


def _ask(clause: Clause, ask: syntax.Ask) -> syntax.Request:
    if ask in syntax.ABOUT_TERRITORIES and clause.count > 1:
        return syntax.AskRequest(ask, territory(clause.part(1, clause.count)))
    clause.nothing_from(1)
    return syntax.AskRequest(ask)


def _history(clause: Clause) -> syntax.Request:
    clause.nothing_from(2)
    return syntax.HistoryRequest(clause.number(1, most=MOST_ENTRIES) if clause.count > 1 else None)


def _help(clause: Clause) -> syntax.Request:
    clause.nothing_from(2)
    word = clause.word(1)
    if word and not _WORD.fullmatch(word):
        message = f"There is no help about {quoted(word)}."
        raise clause.error("bad-word", 1, message, "Write HELP, or HELP and one verb.")
    return syntax.HelpRequest(word.upper() or None)


def _absence(clause: Clause) -> syntax.Request:
    bare = clause.without(lambda word: word in ("from", "to", "until", ARROW), 1)
    first, last = _date(bare, 1), _date(bare, 2)
    if last < first:
        message = f"The last day, {last}, is before the first day, {first}."
        raise bare.error("bad-date", 2, message, "Write the first day first.")
    if bare.count == 3:
        return syntax.AbsenceRequest(first, last)
    if bare.word(3) != "bot":
        bare.nothing_from(3)
    return syntax.AbsenceRequest(first, last, _bot(bare, 4))


def _date(clause: Clause, at: int) -> str:
    word = clause.word(at)
    if _DATE.fullmatch(word):
        try:
            return date.fromisoformat(word).isoformat()
        except ValueError:
            pass
    hint = "Write a date like 2026-12-24."
    if word:
        raise clause.error("bad-date", at, f"{quoted(word)} is no date.", hint)
    raise clause.error("missing-date", at, "A date is missing here.", hint)


def _bot(clause: Clause, at: int) -> str:
    """The name of a bot, the last word of the clause."""
    clause.nothing_from(at + 1)
    named = clause.word(at)
    if not named:
        raise clause.error("missing-bot", at, "The name of a bot is missing here.")
    if not _BOT.fullmatch(named):
        raise clause.error("unknown-bot", at, f"No bot is called {quoted(named)}.")
    return named


def _vote(clause: Clause) -> syntax.Request:
    motions = {motion.casefold(): motion for motion in syntax.Motion}
    at = 2 if clause.word(1) in ("for", "to") else 1
    if clause.word(at) not in motions:
        code = "unknown-motion" if clause.count > at else "missing-motion"
        message = "A vote is for DRAW, PAUSE or EXTEND."
        raise clause.error(code, at, message, "Write one of these in full.")
    return syntax.VoteRequest(motions[clause.word(at)], _confirmed(clause, at + 1))


def _confirmed(clause: Clause, at: int) -> bool:
    """Whether the clause ends with CONFIRM."""
    confirmed = clause.word(at) == "confirm"
    clause.nothing_from(at + confirmed)
    return confirmed


def _resign(clause: Clause) -> syntax.Request:
    return syntax.ResignRequest(_confirmed(clause, 1))


def _confirm(clause: Clause) -> syntax.Request:
    clause.nothing_from(2)
    code = clause.word(1).upper()
    if not _CODE.fullmatch(code):
        message = "The code of the confirmation e-mail is missing here."
        if code:
            message = f"{quoted(code)} is no confirmation code."
        hint = "Copy the code from the e-mail."
        raise clause.error("bad-code" if code else "missing-code", 1, message, hint)
    return syntax.ConfirmRequest(code)


def _process(clause: Clause) -> syntax.Request:
    clause.nothing_from(1)
    return syntax.MasterRequest(syntax.MasterAct.PROCESS)


def _fork(clause: Clause) -> syntax.Request:
    number = clause.number(1, most=MOST_ENTRIES)
    return syntax.MasterRequest(
        syntax.MasterAct.FORK, number=number, confirmed=_confirmed(clause, 2)
    )


def _extend(clause: Clause) -> syntax.Request:
    at = 2 if clause.word(1) in ("by", "for") else 1
    joined = _DURATION.fullmatch(clause.word(at))
    if joined:
        number, unit = int(joined[1]), joined[2]
        clause.nothing_from(at + 1)
    else:
        number, unit = clause.number(at, most=MOST_HOURS), clause.word(at + 1)
        clause.nothing_from(at + 2)
    if unit not in HOURS:
        message = "The deadline is extended by HOURS or DAYS."
        raise clause.error("unknown-unit", at + 1, message, "Write: EXTEND 12 HOURS")
    hours = number * HOURS[unit]
    if not 1 <= hours <= MOST_HOURS:
        message = f"A deadline is extended by 1 to {MOST_HOURS:,} hours."
        raise clause.error("bad-number", at, message)
    return syntax.MasterRequest(syntax.MasterAct.EXTEND, number=hours)


def _replace(clause: Clause) -> syntax.Request:
    last = clause.count - 1
    confirmed = last > 1 and clause.word(last) == "confirm"
    seat = seat_of(clause.part(1, last if confirmed else clause.count))
    return syntax.MasterRequest(syntax.MasterAct.REPLACE, seat, confirmed=confirmed)


def _master_bot(clause: Clause) -> syntax.Request:
    last = max(2, clause.count - 1)
    return syntax.MasterRequest(
        syntax.MasterAct.BOT, seat_of(clause.part(1, last)), words=_bot(clause, last)
    )


def seat_of(part: Clause, *, in_full: bool = True) -> str:
    """The colour of the seat that the words name, by its colour or the player's name."""
    found = part.resolver.players(part.text, in_full=in_full)
    if len(found) == 1:
        return found.pop()
    hint = f"Write a colour ({', '.join(part.resolver.colours)}) or a name, in full."
    if not part.count:
        raise part.error("missing-player", 0, "A player is missing here.", hint)
    if found:
        message = f"{quoted(part.text)} may mean several players."
        raise part.error("ambiguous-player", 0, message, hint)
    message = f"{quoted(part.text)} is no player of this game."
    raise part.error("unknown-player", 0, message, hint)


def recipient(clause: Clause) -> str:
    """The addressee of a message: a colour, ALL or GM."""
    at = 2 if clause.word(1) == "to" else 1
    if clause.count == at + 1 and clause.word(at) in GROUPS:
        return GROUPS[clause.word(at)]
    named = clause.part(at, clause.count)
    return seat_of(named.without(lambda word: word == ":"))


def announcement(clause: Clause, part: Part) -> syntax.Request:
    """The text of an announcement as it was written, with single spaces."""
    behind = Part(part.source, part.start + len(ANNOUNCE), part.stop)
    words = " ".join(behind.raw.split()).lstrip(": ")
    if not words:
        raise clause.error("missing-text", 1, "The text of the announcement is missing here.")
    if len(words) > LONGEST_ANNOUNCEMENT:
        message = f"An announcement has at most {LONGEST_ANNOUNCEMENT:,} characters."
        raise clause.error("too-long", 1, message)
    return syntax.MasterRequest(syntax.MasterAct.ANNOUNCE, words=words)


PARSERS: Mapping[str, Callable[[Clause], syntax.Request]] = {
    "HISTORY": _history,
    "HELP": _help,
    "ABSENCE": _absence,
    "VOTE": _vote,
    "RESIGN": _resign,
    "CONFIRM": _confirm,
    "PROCESS": _process,
    "FORK": _fork,
    "EXTEND": _extend,
    "REPLACE": _replace,
    "BOT": _master_bot,
}


# The parts of an e-mail alongside its orders: quoted mail, signatures, pleasantries.

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
