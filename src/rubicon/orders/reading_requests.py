"""Reading what is asked of the table, or by its master."""

import re
from collections.abc import Callable, Mapping
from datetime import date

from rubicon.orders.reading_clause import Clause
from rubicon.orders.reading_lines import ANNOUNCE, Part
from rubicon.orders.request import (
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
from rubicon.rules.board_parts import quoted
from rubicon.rules.text.words import ARROW

EVERYBODY = {"all": "ALL", "everybody": "ALL", "everyone": "ALL", "gm": "GM", "master": "GM"}
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
    """The request that a verb begins; PRESS and ANNOUNCE are read by lines."""
    if verb in Ask.__members__:
        clause.nothing_from(1)
        return AskRequest(Ask(verb))
    if verb not in READ:
        message = f"A space was expected behind {verb}."
        raise clause.fault("unknown-order", 0, message)
    return READ[verb](clause)


def _history(clause: Clause) -> Request:
    clause.nothing_from(2)
    return HistoryRequest(clause.number(1, most=MOST_ENTRIES) if clause.count > 1 else None)


def _help(clause: Clause) -> Request:
    clause.nothing_from(2)
    word = clause.word(1)
    if word and not _WORD.fullmatch(word):
        raise clause.fault("bad-word", 1, f"Help about one word was expected, not {quoted(word)}.")
    return HelpRequest(word.upper() or None)


def _absence(clause: Clause) -> Request:
    bare = clause.without(lambda word: word in ("from", "to", "until", ARROW), 1)
    first, last = _date(bare, 1), _date(bare, 2)
    if last < first:
        message = f"{last} is before {first}: the last day was expected second."
        raise bare.fault("bad-date", 2, message)
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
    code = "bad-date" if word else "missing-date"
    found = f", not {quoted(word)}" if word else ""
    raise clause.fault(code, at, f"A date like 2026-12-24 was expected here{found}.")


def _bot(clause: Clause, at: int) -> str:
    """The name of a bot, the last word of the clause."""
    clause.nothing_from(at + 1)
    named = clause.word(at)
    if not named:
        raise clause.fault("missing-bot", at, "The name of a bot was expected here.")
    if not _BOT.fullmatch(named):
        raise clause.fault("unknown-bot", at, f"{quoted(named)} cannot be the name of a bot.")
    return named


def _vote(clause: Clause) -> Request:
    motions = {motion.casefold(): motion for motion in Motion}
    at = 2 if clause.word(1) in ("for", "to") else 1
    if clause.word(at) not in motions:
        code = "unknown-motion" if clause.count > at else "missing-motion"
        raise clause.fault(code, at, "DRAW, PAUSE or EXTEND was expected here, in full.")
    return VoteRequest(motions[clause.word(at)], _confirmed(clause, at + 1))


def _confirmed(clause: Clause, at: int) -> bool:
    """Whether the word CONFIRM ends the clause."""
    confirmed = clause.word(at) == "confirm"
    clause.nothing_from(at + confirmed)
    return confirmed


def _resign(clause: Clause) -> Request:
    return ResignRequest(_confirmed(clause, 1))


def _confirm(clause: Clause) -> Request:
    clause.nothing_from(2)
    code = clause.word(1).upper()
    if not _CODE.fullmatch(code):
        message = "The code from the letter that asks for it was expected here."
        raise clause.fault("bad-code" if code else "missing-code", 1, message)
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
        raise clause.fault("unknown-unit", at + 1, "HOURS or DAYS was expected here.")
    hours = number * HOURS[unit]
    if not 1 <= hours <= MOST_HOURS:
        raise clause.fault("bad-number", at, f"1 to {MOST_HOURS} hours were expected.")
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
    found = part.desk.players(part.text, in_full=in_full)
    if len(found) == 1:
        return found.pop()
    seats = ", ".join(part.desk.colours)
    if not part.count:
        raise part.fault("missing-player", 0, f"A player was expected here: {seats}, or a name.")
    code = "ambiguous-player" if found else "unknown-player"
    many = "is not one player only" if found else "is no player of this game"
    message = f"{quoted(part.text)} {many}; expected {seats}, or a name, in full."
    raise part.fault(code, 0, message)


def recipient(clause: Clause) -> str:
    """Whom a message goes to: a colour, ALL or GM."""
    at = 2 if clause.word(1) == "to" else 1
    if clause.count == at + 1 and clause.word(at) in EVERYBODY:
        return EVERYBODY[clause.word(at)]
    named = clause.part(at, clause.count)
    return seat_of(named.without(lambda word: word == ":"))


def announcement(clause: Clause, part: Part) -> Request:
    """The text of an announcement, just as it was written."""
    behind = Part(part.source, part.start + len(ANNOUNCE), part.stop)
    words = " ".join(behind.raw.split()).lstrip(": ")
    if not words:
        raise clause.fault("missing-text", 1, "What is to be announced was expected here.")
    if len(words) > LONGEST_ANNOUNCEMENT:
        message = f"An announcement has at most {LONGEST_ANNOUNCEMENT} characters."
        raise clause.fault("too-long", 1, message)
    return MasterRequest(MasterAct.ANNOUNCE, words=words)


READ: Mapping[str, Callable[[Clause], Request]] = {
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
