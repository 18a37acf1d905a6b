"""Parses ATTACK: a path, and its dice, stops and advance in any order."""

from typing import NamedTuple

from rubicon.orders.errors import OrderSyntaxError
from rubicon.orders.parse.clause import NUMBER_WORDS, Clause
from rubicon.orders.parse.places import armies, is_amount, path
from rubicon.orders.syntax import (
    AllBut,
    Armies,
    AttackOrder,
    LeftOpen,
    SimpleOrder,
    StopKind,
    StopRule,
)
from rubicon.rules.notation.words import COMMA, is_number
from rubicon.wording import quoted

MOST_DICE = 3
DICE = ("dice", "die")
WITH = ("with", "using")
WITH_DICE = (*WITH, *DICE)
ADVANCE = ("advance", "adv", "occupy")
ASK = "ask"
ONCE = "once"
BELOW = ("<", "below", "under")
PERCENT = ("%", "percent")
TOGETHER = ("and", "&", "+")
COUNTED = {
    "left": StopKind.LEFT,
    "rounds": StopKind.ROUNDS,
    "round": StopKind.ROUNDS,
    "rolls": StopKind.ROUNDS,
    "lost": StopKind.LOST,
}
STOPS = "WON, LEFT 3, ODDS < 40%, ROUNDS 2 or LOST 5"
ONE_ROLL = (StopRule(StopKind.ROUNDS, 1),)


class AttackParts(NamedTuple):
    """The parts of an ATTACK beside its path."""

    dice: int | None
    stops: tuple[StopRule, ...]
    advance: Armies | LeftOpen | None


def attack(clause: Clause) -> SimpleOrder:
    """The order; the words that belong to no other part are the path."""
    path_words: list[int] = []
    try:
        dice, stops, advance = _parts(clause, path_words)
    except OrderSyntaxError as error:
        raise _with_path_problems(error, clause.only(path_words)) from None
    return AttackOrder(path(clause.only(path_words)), dice, stops, advance)


def _with_path_problems(error: OrderSyntaxError, path_clause: Clause) -> OrderSyntaxError:
    """The error of another part with the problems of the path, which it must not hide."""
    if not path_clause.count:
        return error
    try:
        path(path_clause)
    except OrderSyntaxError as other:
        others = (other.problem, *other.others)
        return OrderSyntaxError(error.problem, (*error.others, *others), other.understood)
    return error


def _parts(clause: Clause, path_words: list[int]) -> AttackParts:
    """The parts beside the path, whose words are added to `path_words`."""
    dice: int | None = None
    stops: tuple[StopRule, ...] = ()
    advance: Armies | LeftOpen | None = None
    seen: set[str] = set()
    at = 1
    while at < clause.count:
        kind = _kind(clause, at)
        if kind and kind in seen:
            raise clause.error("twice", at, f"{kind} stands twice in this order.", "Delete one.")
        seen.add(kind)
        match kind:
            case "DICE":
                dice, at = _dice(clause, at)
            case "UNTIL" if clause.word(at) == ONCE:
                stops, at = ONE_ROLL, at + 1
            case "UNTIL":
                stops, at = _stops(clause, at + 1)
            case "ADVANCE":
                advance, at = _advance(clause, at + 1)
            case _:
                path_words.append(at)
                at += 1
    if dice is None and "DICE" not in seen:
        dice = _bare_dice(clause, path_words)
    return AttackParts(dice, stops, advance)


def _kind(clause: Clause, at: int) -> str:
    """The part of an ATTACK that begins at a word; "" where the word belongs to the path."""
    word = clause.word(at)
    if word in WITH_DICE or (is_number(word) and clause.word(at + 1) in DICE):
        return "DICE"
    if word in ("until", ONCE):
        return "UNTIL"
    return "ADVANCE" if word in ADVANCE else ""


def _dice(clause: Clause, at: int) -> tuple[int | None, int]:
    """`DICE 2`, `WITH 2`, `WITH 2 DICE`, `2 DICE`; MAX is as many as the rules allow."""
    while clause.word(at) in WITH_DICE:
        at += 1
    most = clause.word(at) in ("max", "maximum", "all")
    number = None if most else clause.number(at, most=MOST_DICE)
    behind = clause.word(at - 1) not in DICE and clause.word(at + 1) in DICE
    return number, at + (2 if behind else 1)


def _bare_dice(clause: Clause, path_words: list[int]) -> int | None:
    """A number before or behind the path counts dice; it is taken out of the path."""
    for place in (-1, 0):
        if not path_words:
            break
        word = clause.word(path_words[place])
        if is_number(word) or (word in NUMBER_WORDS and not clause.resolver.places(word)):
            return clause.number(path_words.pop(place), most=MOST_DICE)
    return None


def _stops(clause: Clause, at: int) -> tuple[tuple[StopRule, ...], int]:
    stops: list[StopRule] = []
    while True:
        stop, at = _stop(clause, at)
        stops.append(stop)
        joined = at + 1 if clause.word(at) == COMMA else at
        if clause.word(joined) == "or":
            at = joined + 1
            continue
        if clause.word(joined) in TOGETHER and _kind(clause, joined + 1):
            return tuple(stops), joined + 1  # `UNTIL LEFT 3 AND ADVANCE ALL`
        if clause.word(joined) in TOGETHER or _begins_stop(clause, joined):
            message = "OR was expected here: the attack ends when one of its stops holds."
            raise clause.error("unknown-stop", joined, message, "Write: UNTIL LEFT 3 OR ODDS < 40%")
        return tuple(stops), at


def _begins_stop(clause: Clause, at: int) -> bool:
    word, next_word = clause.word(at), clause.word(at + 1)
    return word in ("won", "odds", *COUNTED) or (is_number(word) and next_word in COUNTED)


def _stop(clause: Clause, at: int) -> tuple[StopRule, int]:
    word = clause.word(at)
    if word == "won":
        return StopRule(StopKind.WON), at + 1
    if word == "odds":
        return _odds(clause, at + 1)
    if word in COUNTED:
        return StopRule(COUNTED[word], clause.number(at + 1)), at + 2
    if clause.word(at + 1) in COUNTED and (is_number(word) or word in NUMBER_WORDS):
        return StopRule(COUNTED[clause.word(at + 1)], clause.number(at)), at + 2
    found = f"{quoted(word)} is no reason to stop." if word else "A reason to stop is missing."
    raise clause.error("unknown-stop", at, found, f"Write one of: {STOPS}")


def _odds(clause: Clause, at: int) -> tuple[StopRule, int]:
    if clause.word(at) not in BELOW:
        message = "`<` was expected behind ODDS."
        raise clause.error("unknown-stop", at, message, "Write: ODDS < 40%")
    number = clause.number(at + 1, most=100)
    return StopRule(StopKind.ODDS, number), at + (3 if clause.word(at + 2) in PERCENT else 2)


def _advance(clause: Clause, at: int) -> tuple[Armies | LeftOpen, int]:
    while clause.word(at) == "with":
        at += 1
    if clause.word(at) == ASK:
        return LeftOpen.ASK, at + 1
    if not is_amount(clause.word(at)) and (at >= clause.count or _kind(clause, at)):
        return AllBut(), at  # without a number, all
    number, at = armies(clause, at)
    return number, at + (1 if clause.word(at) in ("armies", "army") else 0)
