"""The first word of an order, and what it stands for."""

from collections.abc import Mapping

from rubicon.orders.problems import Fault, Problem
from rubicon.orders.reading_clause import Clause
from rubicon.orders.reading_names import Near, did_you_mean, plausible
from rubicon.rules.board_parts import one_of, quoted
from rubicon.rules.text.words import ARROW, beginnings

# What may be written instead, by the word that is printed.
ORDERS: Mapping[str, tuple[str, ...]] = {
    "TRADE": ("exchange", "cash"),
    "DEPLOY": ("place", "reinforce", "put", "draft"),
    "ATTACK": ("assault", "invade"),
    "ADVANCE": ("occupy",),
    "FORTIFY": ("move",),
    "MANOEUVRE": ("maneuver",),
    "DEFEND": ("defence", "defense"),
    "CLAIM": ("take",),
    "CAPITAL": ("headquarters", "hq"),
    "OBJECTIVE": (),
    "REVEAL": ("show",),
    "END": ("finish",),
    "STOP": (),
    "PASS": ("skip",),
}
REQUESTS: Mapping[str, tuple[str, ...]] = {
    "STATUS": (),
    "MAP": (),
    "HISTORY": (),
    "PREVIEW": (),
    "HELP": (),
    "WAIT": (),
    "CLEAR": (),
    "UNDO": (),
    "ABSENCE": ("absent",),
    "VOTE": (),
    "RESIGN": (),
    "CONFIRM": (),
    "PRESS": (),
    "PROCESS": (),
    "FORK": (),
    "EXTEND": (),
    "REPLACE": (),
    "BOT": (),
    "ANNOUNCE": (),
}
STRUCTURE = ("IF", "ELSE", "ENDPRESS")
# A word of a letter, or of other people's talk, must not become one of these: they end something,
# or are not about the board. They are neither guessed nor finished.
IN_FULL = frozenset(
    ["END", "STOP", "PASS", "REVEAL", *STRUCTURE]
    + [
        word
        for word in REQUESTS
        if word not in ("STATUS", "MAP", "HISTORY", "PREVIEW", "HELP", "WAIT")
    ]
)
MEANINGS: Mapping[str, str] = {
    name.casefold(): verb
    for verb, others in {**ORDERS, **REQUESTS}.items()
    for name in (verb, *others)
} | {word.casefold(): word for word in STRUCTURE}
GUESSED = tuple(name for name, verb in MEANINGS.items() if verb not in IN_FULL)
ALONE = frozenset(["END", "STOP", "PASS", "REVEAL", "RESIGN", "UNDO", "CLEAR"])
DATED = frozenset(["ABSENCE", "EXTEND", "FORK"])
ALIKE, ALIKE_ALONE = 0.7, 0.65  # a word that may be a misspelt verb
LETTERS_OF_CHANCE = 2  # that may be like a verb's
UNKNOWN = ("orders/unknown-order", "orders/in-full")


class UnknownVerb(Fault):
    """Words that begin with no order, nor with anything like one."""

    def __init__(self, problem: Problem, clause: Clause) -> None:
        self.clause = clause
        super().__init__(problem)


def verb_of(clause: Clause) -> str:
    """The verb that the first word stands for, as it is printed.

    A misspelt one is noted, and taken for the only one that it can be. UnknownVerb where there
    is none that is even like it.
    """
    word = clause.word(0)
    if word in MEANINGS:
        return MEANINGS[word]
    if word == ARROW:
        raise quoted_mail(clause.line, clause.words[0].column)
    if clause.desk.players(clause.text):
        raise UnknownVerb(_unknown(clause, "HELP lists the orders."), clause)
    begun = beginnings(word, MEANINGS)
    if len(word) == 1:
        raise _letter(clause, begun)
    found = {MEANINGS[name] for name in begun}
    safe = found - IN_FULL
    if len(safe) == 1:
        return safe.pop()
    if safe:
        message = f"{quoted(word)} may mean {one_of(sorted(safe))}."
        raise clause.fault("ambiguous-order", 0, message, "Write more of it.")
    if found:
        message = f"{one_of(sorted(name.upper() for name in begun))} must be written in full."
        raise clause.fault("in-full", 0, message)
    return _guessed(clause, word)


def _unknown(clause: Clause, hint: str) -> Problem:
    message = f"No order begins with {quoted(clause.word(0))}."
    return clause.problem("unknown-order", 0, message, hint)


def _letter(clause: Clause, begun: list[str]) -> Fault:
    """One letter says too little: `I` is no IF, nor is it INVADE."""
    if not begun:
        return UnknownVerb(_unknown(clause, "HELP lists the orders."), clause)
    message = f"{quoted(clause.word(0))} is too short for an order."
    problem = clause.problem("ambiguous-order", 0, message, "Write more of it.")
    return UnknownVerb(problem, clause) if clause.count > 1 else Fault(problem)


def _guessed(clause: Clause, word: str) -> str:
    near = clause.desk.near_words(word, MEANINGS)
    named = [(like, MEANINGS[name], name.upper()) for like, name, _ in near if name in GUESSED]
    problem = _unknown(clause, did_you_mean(named) or "HELP lists the orders.")
    if clause.desk.may_search and not _alike(word, near):
        raise UnknownVerb(problem, clause)
    meant = plausible(named)
    if meant is None:
        raise Fault(problem)
    clause.desk.note(problem)
    return meant


def _alike(word: str, near: Near) -> bool:
    """Whether a word may be a misspelt verb; those that are orders by themselves count sooner.

    What needs a date or a number is not missed where there is none: `Sent` is no `absent`.
    """
    return len(word) > LETTERS_OF_CHANCE and any(
        like >= (ALIKE_ALONE if MEANINGS[name] in ALONE else ALIKE)
        for like, name, _ in near
        if MEANINGS[name] not in DATED
    )


def quoted_mail(line: int, column: int) -> Fault:
    """No order begins with an arrow or a bar: that is how mail marks what somebody wrote before."""
    message = "A line that begins with > or | is quoted mail; it is never carried out."
    return Fault(Problem(line, column, "orders/quoted", message, "Delete it, or the sign."))
