"""The first word of an order, and the verb that it means."""

from collections.abc import Mapping

from rubicon.orders.errors import OrderProblem, OrderSyntaxError
from rubicon.orders.parse.clause import Clause
from rubicon.orders.parse.names import Candidates, did_you_mean, plausible
from rubicon.rules.notation.words import ARROW, beginnings
from rubicon.wording import one_of, quoted

# The synonyms of each verb.
ORDERS: Mapping[str, tuple[str, ...]] = {
    "TRADE": ("exchange", "cash"),
    "WITHDRAW": ("retract",),
    "DEPLOY": ("place", "reinforce", "put", "draft"),
    "ATTACK": ("assault", "invade"),
    "ADVANCE": ("occupy",),
    "FORTIFY": ("move",),
    "MANOEUVRE": ("maneuver",),
    "DEFEND": ("defence", "defense", "standing"),
    "CLAIM": ("take",),
    "CAPITAL": ("headquarters", "hq"),
    "OBJECTIVE": (),
    "DECLINE": (),
    "REVEAL": ("show",),
    "SEAL": (),
    "END": ("finish",),
    "STOP": (),
    "PASS": ("skip",),
}
REQUESTS: Mapping[str, tuple[str, ...]] = {
    "STATUS": (),
    "MAP": (),
    "LEGAL": (),
    "HAND": (),
    "RULES": (),
    "HISTORY": ("log",),
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
# These only show something, so a wrong guess does no harm, and prose may contain them.
INQUIRIES = frozenset(["STATUS", "MAP", "LEGAL", "HAND", "RULES", "HISTORY", "PREVIEW", "HELP"])
# A word of an e-mail's prose must never become one of these by a guess: they end something, cannot
# be taken back, or are addressed to other people. They are neither completed nor corrected.
IN_FULL = frozenset(
    ["END", "STOP", "PASS", "REVEAL", "DECLINE", "SEAL", "WITHDRAW", *STRUCTURE]
    + [word for word in REQUESTS if word not in INQUIRIES | {"WAIT"}]
)
MEANINGS: Mapping[str, str] = {
    name.casefold(): verb
    for verb, others in {**ORDERS, **REQUESTS}.items()
    for name in (verb, *others)
} | {word.casefold(): word for word in STRUCTURE}
GUESSED = tuple(name for name, verb in MEANINGS.items() if verb not in IN_FULL)
TERMINAL_ONLY = frozenset(["again", "save", "quit", "exit", "orders", "explain", "offer"])
ALONE = frozenset(
    ["END", "STOP", "PASS", "REVEAL", "DECLINE", "SEAL", "WITHDRAW", "RESIGN", "UNDO", "CLEAR"]
)
DATED = frozenset(["ABSENCE", "EXTEND", "FORK"])
ALIKE, ALIKE_ALONE = 0.7, 0.65  # likeness from which a word may be a misspelt verb
TOO_SHORT = 2  # words this short resemble a verb by chance
UNKNOWN = ("orders/unknown-order", "orders/in-full", "orders/terminal-only")
HELP_HINT = "HELP lists the orders."
OFFER_HINT = "Name all cards of the trade at once: TRADE alaska, brazil"


class UnknownVerbError(OrderSyntaxError):
    """Words that begin with no verb, nor with anything that resembles one."""

    def __init__(self, problem: OrderProblem, clause: Clause) -> None:
        self.clause = clause
        super().__init__(problem)


def verb_of(clause: Clause) -> str:
    """The verb that the first word means, as it is printed.

    A misspelt verb is noted, and taken for the only one that it can be. UnknownVerbError where no
    verb resembles the word.
    """
    word = clause.word(0)
    if word in MEANINGS:
        return MEANINGS[word]
    if word == ARROW:
        raise quoted_mail(clause.line, clause.words[0].column)
    if word in TERMINAL_ONLY:
        raise UnknownVerbError(_terminal_only(clause), clause)
    if clause.resolver.players(clause.text):
        raise UnknownVerbError(_unknown(clause, HELP_HINT), clause)
    begun = beginnings(word, MEANINGS)
    if len(word) == 1:
        raise _letter(clause, begun)
    found = {MEANINGS[name] for name in begun}
    safe = found - IN_FULL
    if len(safe) == 1:
        return safe.pop()
    if safe:
        message = f"{quoted(word)} may mean {one_of(sorted(safe))}."
        raise clause.error("ambiguous-order", 0, message, "Write more of the word.")
    if found:
        names = one_of(sorted(name.upper() for name in begun))
        message = f"{quoted(word)} is not enough: {names} must be written in full."
        raise clause.error("in-full", 0, message)
    return _guessed(clause, word)


def _unknown(clause: Clause, hint: str) -> OrderProblem:
    message = f"No order begins with {quoted(clause.word(0))}."
    return clause.problem("unknown-order", 0, message, hint)


def _terminal_only(clause: Clause) -> OrderProblem:
    word = clause.word(0)
    message = f"{quoted(word)} is a command of the terminal, not an order."
    hint = OFFER_HINT if word == "offer" else HELP_HINT
    return clause.problem("terminal-only", 0, message, hint)


def _letter(clause: Clause, begun: list[str]) -> OrderSyntaxError:
    """One letter says too little: `I` is no IF, nor is it INVADE."""
    if not begun:
        return UnknownVerbError(_unknown(clause, HELP_HINT), clause)
    message = f"{quoted(clause.word(0))} is too short for an order."
    problem = clause.problem("ambiguous-order", 0, message, "Write more of the word.")
    return UnknownVerbError(problem, clause) if clause.count > 1 else OrderSyntaxError(problem)


def _guessed(clause: Clause, word: str) -> str:
    near = clause.resolver.near_words(word, MEANINGS)
    named = [(like, MEANINGS[name], name.upper()) for like, name, _ in near if name in GUESSED]
    problem = _unknown(clause, did_you_mean(named) or HELP_HINT)
    if clause.resolver.may_search and not _alike(word, near):
        raise UnknownVerbError(problem, clause)
    likely = plausible(named)
    if likely is None:
        raise OrderSyntaxError(problem)
    clause.resolver.note(problem)
    return likely


def _alike(word: str, near: Candidates) -> bool:
    """Whether a word may be a misspelt verb; less likeness is enough for verbs that stand alone.

    Verbs that need a date or a number are left out: `Sent` in prose is not `absent`.
    """
    return len(word) > TOO_SHORT and any(
        like >= (ALIKE_ALONE if MEANINGS[name] in ALONE else ALIKE)
        for like, name, _ in near
        if MEANINGS[name] not in DATED
    )


def quoted_mail(line: int, column: int) -> OrderSyntaxError:
    """The error for a line that begins with an arrow or a bar, the mark of quoted e-mail."""
    message = (
        "A line that begins with > or | is quoted e-mail; quoted orders are never carried out."
    )
    return OrderSyntaxError(
        OrderProblem(line, column, "orders/quoted", message, "Delete the line, or the sign.")
    )
