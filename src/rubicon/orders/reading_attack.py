"""Reading ATTACK: a path, and its dice, stops and advance in any order."""

from rubicon.orders.order import Armies, AttackOrder, SimpleOrder, Stop, StopKind
from rubicon.orders.reading_clause import Clause
from rubicon.orders.reading_places import armies, path
from rubicon.rules.board_parts import quoted
from rubicon.rules.text.words import COMMA, is_number

MOST_DICE = 3
DICE = ("dice", "die")
WITH = ("with", "using")
WITH_DICE = (*WITH, *DICE)
ADVANCE = ("advance", "adv", "occupy")
BELOW = ("<", "below", "under")
PERCENT = ("%", "percent")
COUNTED = {
    "left": StopKind.LEFT,
    "rounds": StopKind.ROUNDS,
    "round": StopKind.ROUNDS,
    "rolls": StopKind.ROUNDS,
    "lost": StopKind.LOST,
}


def attack(clause: Clause) -> SimpleOrder:
    """The order; words that belong to no clause are the path."""
    dice: int | None = None
    stops: tuple[Stop, ...] = ()
    advance: Armies | None = None
    seen: set[str] = set()
    way: list[int] = []
    at = 1
    while at < clause.count:
        kind = _kind(clause, at)
        if kind and kind in seen:
            raise clause.fault("twice", at, f"{kind} was given before.")
        seen.add(kind)
        match kind:
            case "DICE":
                dice, at = _dice(clause, at)
            case "UNTIL":
                stops, at = _stops(clause, at + 1)
            case "ADVANCE":
                advance, at = _advance(clause, at + 1)
            case _:
                way.append(at)
                at += 1
    if dice is None and "DICE" not in seen:
        dice = _bare_dice(clause, way)
    return AttackOrder(path(clause.only(way)), dice, stops, advance)


def _kind(clause: Clause, at: int) -> str:
    """What begins at a word, "" where it is part of the path."""
    word = clause.words[at].text
    if word in WITH_DICE or (is_number(word) and clause.word(at + 1) in DICE):
        return "DICE"
    if word == "until":
        return "UNTIL"
    return "ADVANCE" if word in ADVANCE else ""


def _dice(clause: Clause, at: int) -> tuple[int | None, int]:
    """`DICE 2`, `WITH 2`, `WITH 2 DICE`, `2 DICE`; MAX is as many as may be."""
    while clause.word(at) in WITH_DICE:
        at += 1
    most = clause.word(at) in ("max", "maximum", "all")
    number = None if most else clause.number(at, most=MOST_DICE)
    behind = clause.word(at - 1) not in DICE and clause.word(at + 1) in DICE
    return number, at + (2 if behind else 1)


def _bare_dice(clause: Clause, way: list[int]) -> int | None:
    """A number before or behind the path is one of dice; it is taken out of the path."""
    for place in (-1, 0):
        if way and is_number(clause.word(way[place])):
            return clause.number(way.pop(place), most=MOST_DICE)
    return None


def _stops(clause: Clause, at: int) -> tuple[tuple[Stop, ...], int]:
    stops: list[Stop] = []
    while True:
        stop, at = _stop(clause, at)
        stops.append(stop)
        joined = at + 1 if clause.word(at) == COMMA else at
        if clause.word(joined) != "or":
            return tuple(stops), at
        at = joined + 1


def _stop(clause: Clause, at: int) -> tuple[Stop, int]:
    word = clause.word(at)
    if word == "won":
        return Stop(StopKind.WON), at + 1
    if word == "odds":
        return _odds(clause, at + 1)
    if word in COUNTED:
        return Stop(COUNTED[word], clause.number(at + 1)), at + 2
    if is_number(word) and clause.word(at + 1) in COUNTED:
        return Stop(COUNTED[clause.word(at + 1)], clause.number(at)), at + 2
    found = f", not {quoted(word)}" if word else ""
    message = f"WON, LEFT 3, ODDS < 40%, ROUNDS 2 or LOST 5 was expected{found}."
    raise clause.fault("unknown-stop", at, message)


def _odds(clause: Clause, at: int) -> tuple[Stop, int]:
    if clause.word(at) not in BELOW:
        raise clause.fault("unknown-stop", at, "`<` was expected behind ODDS.", "Write: ODDS < 40%")
    number = clause.number(at + 1, most=100)
    return Stop(StopKind.ODDS, number), at + (3 if clause.word(at + 2) in PERCENT else 2)


def _advance(clause: Clause, at: int) -> tuple[Armies, int]:
    while clause.word(at) == "with":
        at += 1
    number, at = armies(clause, at)
    return number, at + (1 if clause.word(at) in ("armies", "army") else 0)
