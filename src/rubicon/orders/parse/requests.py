"""Parses requests to the table, and those of its game master."""

import re
from collections.abc import Callable, Mapping
from datetime import date

from rubicon.orders.parse.clause import Clause
from rubicon.orders.parse.lexer import ANNOUNCE, Part
from rubicon.orders.parse.places import territory
from rubicon.orders.requests import (
    ABOUT_TERRITORIES,
    AbsenceRequest,
    Ask,
    AskRequest,
    ConfirmRequest,
    HelpRequest,
    HistoryRequest,
    MasterAct,
    MasterRequest,
    Motion,
    Request,
    ResignRequest,
    VoteRequest,
)
from rubicon.rules.notation.words import ARROW
from rubicon.wording import quoted

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


def request(clause: Clause, verb: str) -> Request:
    """The request that a verb begins; the parser handles PRESS and ANNOUNCE by lines."""
    if verb in Ask.__members__:
        return _ask(clause, Ask(verb))
    if verb not in PARSERS:
        message = f"A space is missing behind {verb}."
        raise clause.error("unknown-order", 0, message)
    return PARSERS[verb](clause)


def _ask(clause: Clause, ask: Ask) -> Request:
    if ask in ABOUT_TERRITORIES and clause.count > 1:
        return AskRequest(ask, territory(clause.part(1, clause.count)))
    clause.nothing_from(1)
    return AskRequest(ask)


def _history(clause: Clause) -> Request:
    clause.nothing_from(2)
    return HistoryRequest(clause.number(1, most=MOST_ENTRIES) if clause.count > 1 else None)


def _help(clause: Clause) -> Request:
    clause.nothing_from(2)
    word = clause.word(1)
    if word and not _WORD.fullmatch(word):
        message = f"There is no help about {quoted(word)}."
        raise clause.error("bad-word", 1, message, "Write HELP, or HELP and one verb.")
    return HelpRequest(word.upper() or None)


def _absence(clause: Clause) -> Request:
    bare = clause.without(lambda word: word in ("from", "to", "until", ARROW), 1)
    first, last = _date(bare, 1), _date(bare, 2)
    if last < first:
        message = f"The last day, {last}, is before the first day, {first}."
        raise bare.error("bad-date", 2, message, "Write the first day first.")
    if bare.count == 3:
        return AbsenceRequest(first, last)
    if bare.word(3) != "bot":
        bare.nothing_from(3)
    return AbsenceRequest(first, last, _bot(bare, 4))


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


def _vote(clause: Clause) -> Request:
    motions = {motion.casefold(): motion for motion in Motion}
    at = 2 if clause.word(1) in ("for", "to") else 1
    if clause.word(at) not in motions:
        code = "unknown-motion" if clause.count > at else "missing-motion"
        message = "A vote is for DRAW, PAUSE or EXTEND."
        raise clause.error(code, at, message, "Write one of these in full.")
    return VoteRequest(motions[clause.word(at)], _confirmed(clause, at + 1))


def _confirmed(clause: Clause, at: int) -> bool:
    """Whether the clause ends with CONFIRM."""
    confirmed = clause.word(at) == "confirm"
    clause.nothing_from(at + confirmed)
    return confirmed


def _resign(clause: Clause) -> Request:
    return ResignRequest(_confirmed(clause, 1))


def _confirm(clause: Clause) -> Request:
    clause.nothing_from(2)
    code = clause.word(1).upper()
    if not _CODE.fullmatch(code):
        message = "The code of the confirmation e-mail is missing here."
        if code:
            message = f"{quoted(code)} is no confirmation code."
        hint = "Copy the code from the e-mail."
        raise clause.error("bad-code" if code else "missing-code", 1, message, hint)
    return ConfirmRequest(code)


def _process(clause: Clause) -> Request:
    clause.nothing_from(1)
    return MasterRequest(MasterAct.PROCESS)


def _fork(clause: Clause) -> Request:
    number = clause.number(1, most=MOST_ENTRIES)
    return MasterRequest(MasterAct.FORK, number=number, confirmed=_confirmed(clause, 2))


def _extend(clause: Clause) -> Request:
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
    return MasterRequest(MasterAct.EXTEND, number=hours)


def _replace(clause: Clause) -> Request:
    last = clause.count - 1
    confirmed = last > 1 and clause.word(last) == "confirm"
    seat = seat_of(clause.part(1, last if confirmed else clause.count))
    return MasterRequest(MasterAct.REPLACE, seat, confirmed=confirmed)


def _master_bot(clause: Clause) -> Request:
    last = max(2, clause.count - 1)
    return MasterRequest(MasterAct.BOT, seat_of(clause.part(1, last)), words=_bot(clause, last))


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


def announcement(clause: Clause, part: Part) -> Request:
    """The text of an announcement as it was written, with single spaces."""
    behind = Part(part.source, part.start + len(ANNOUNCE), part.stop)
    words = " ".join(behind.raw.split()).lstrip(": ")
    if not words:
        raise clause.error("missing-text", 1, "The text of the announcement is missing here.")
    if len(words) > LONGEST_ANNOUNCEMENT:
        message = f"An announcement has at most {LONGEST_ANNOUNCEMENT:,} characters."
        raise clause.error("too-long", 1, message)
    return MasterRequest(MasterAct.ANNOUNCE, words=words)


PARSERS: Mapping[str, Callable[[Clause], Request]] = {
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
