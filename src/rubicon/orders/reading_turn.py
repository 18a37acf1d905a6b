"""Reading the orders of a turn, all but ATTACK."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from rubicon.orders.order import (
    AdvanceOrder,
    CapitalOrder,
    ClaimOrder,
    DefenceDice,
    DefendOrder,
    DeployOrder,
    Ending,
    EndOrder,
    FortifyOrder,
    ManoeuvreOrder,
    ObjectiveOrder,
    RevealOrder,
    SetChoice,
    SimpleOrder,
    TradeOrder,
)
from rubicon.orders.problems import Fault
from rubicon.orders.reading_attack import attack
from rubicon.orders.reading_clause import AND, AT, FILLERS, Clause
from rubicon.orders.reading_places import MOST_NAMES, armies, card, listed, moved, row, territory
from rubicon.rules.text.exact_actions import OBJECTIVE_IDS
from rubicon.rules.text.phrases import ALL
from rubicon.rules.text.words import ARROW, is_number

Placement: TypeAlias = tuple[int | None, str]

NONE = ("no", "none", "nothing")
BONUS = ("on", "bonus")
DICE = ("dice", "die")
TO = ("to", "into", ARROW)
FEWEST_CARDS, MOST_CARDS, CARDS_OF_A_ROW = 2, 10, 3
DEFENCE: Mapping[str, DefenceDice] = {
    "max": DefenceDice.MAX,
    "maximum": DefenceDice.MAX,
    "all": DefenceDice.MAX,
    "1": DefenceDice.ONE,
    "one": DefenceDice.ONE,
    "2": DefenceDice.TWO,
    "two": DefenceDice.TWO,
    "ask": DefenceDice.ASK,
    "none": DefenceDice.ASK,
}


def _trade(clause: Clause) -> SimpleOrder:
    marks = [at for at in range(1, clause.count) if clause.word(at) in BONUS]
    end = marks[0] if marks else clause.count
    bonus = territory(clause.part(end + 1, clause.count)) if marks else None
    named = clause.part(1, end)
    if named.word(0) == "best":
        named.nothing_from(1)
        return TradeOrder(SetChoice.BEST, bonus)
    if named.word(0) in NONE:
        named.nothing_from(1)
        return TradeOrder(SetChoice.NO, bonus)
    return TradeOrder(_cards(named), bonus)


def _cards(named: Clause) -> tuple[str, ...]:
    if not named.count:
        message = "Which cards? Their names, BEST or NO was expected."
        raise named.fault("missing-card", 0, message)
    count = len(named.divided())
    if count == 1 and (ways := row(named, CARDS_OF_A_ROW, named.desk.card)):
        if len(ways) == 1:
            return next(iter(ways))
        raise named.fault("ambiguous-card", 0, "It is not clear where a name ends.", "Use commas.")
    if not FEWEST_CARDS <= count <= MOST_CARDS:
        message = f"{FEWEST_CARDS} to {MOST_CARDS} cards were expected, divided by commas."
        raise named.fault("bad-set", 0, message)
    return listed(named, card)


def _deploy(clause: Clause) -> SimpleOrder:
    named = clause.part(1, clause.count)
    entries = named.divided(AND)
    if not entries:
        raise clause.fault("missing-number", 1, "Armies and a territory were expected here.")
    if len(entries) > MOST_NAMES:
        raise clause.fault("too-many", 1, f"At most {MOST_NAMES} places may be named.")
    placements = [_placement(entry) for entry in entries]
    rests = [at for at, (number, _) in enumerate(placements) if number is None]
    if rests and rests != [len(placements) - 1]:
        placements = _rest_last(entries[rests[0]], placements, len(rests))
    return DeployOrder(tuple(placements))


def _rest_last(entry: Clause, placements: list[Placement], rests: int) -> list[Placement]:
    """The placements with REST, which leaves nothing, behind the others; one alone can be meant."""
    message = "REST is all that are left, so it comes last, and once."
    problem = entry.problem("rest-not-last", 0, message, "Write: DEPLOY 3 alaska, REST ural")
    if rests > 1:
        raise Fault(problem)
    entry.desk.note(problem)
    return sorted(placements, key=lambda placement: placement[0] is None)


def _placement(entry: Clause) -> Placement:
    """`3 kam`, `3 armies on kam`, `kam 3`, `REST kam`."""
    entry = entry.without(lambda word: word in FILLERS)
    last = entry.count - 1
    if _counts(entry.word(0)):
        at, start, stop = 0, 1, entry.count
    elif _counts(entry.word(last)):
        at, start, stop = last, 0, last
    else:
        message = "How many armies? A number before the territory, or REST, was expected."
        raise entry.fault("missing-number", 0, message)
    while start < stop - 1 and entry.word(start) in (*AT, *TO):
        start += 1
    numbers = [place for place in range(start, stop) if is_number(entry.word(place))]
    if numbers:
        message = "A comma was expected between two placements."
        raise entry.fault("missing-comma", numbers[0], message)
    number = None if entry.word(at) in ALL else entry.number(at)
    return number, territory(entry.part(start, stop))


def _counts(word: str) -> bool:
    return is_number(word) or word in ALL


def _advance(clause: Clause) -> SimpleOrder:
    bare = clause.without(lambda word: word in FILLERS, 1)
    number, end = armies(bare, 1)
    bare.nothing_from(end)
    return AdvanceOrder(number)


def _fortify(clause: Clause) -> SimpleOrder:
    return FortifyOrder(*moved(clause, 1))


def _manoeuvre(clause: Clause) -> SimpleOrder:
    return ManoeuvreOrder(*moved(clause, 1))


def _defend(clause: Clause) -> SimpleOrder:
    bare = clause.without(lambda word: word in (*FILLERS, *DICE, *AT), 1)
    last = bare.count - 1
    at = 1 if bare.word(1) in DEFENCE else last
    if at < 1 or bare.word(at) not in DEFENCE:
        message = "With how many dice? MAX, 1, 2 or ASK was expected."
        raise bare.fault("missing-number", 1, message)
    where = bare.only(place for place in range(1, bare.count) if place != at)
    return DefendOrder(DEFENCE[bare.word(at)], territory(where) if where.count else None)


def _claim(clause: Clause) -> SimpleOrder:
    if clause.word(1) == "objective":
        return _objective(clause.part(1, clause.count))
    return ClaimOrder(listed(clause.part(1, clause.count), territory))


def _capital(clause: Clause) -> SimpleOrder:
    return CapitalOrder(listed(clause.part(1, clause.count), territory))


def _objective(clause: Clause) -> SimpleOrder:
    objective = None if clause.word(1) in NONE else _objective_id(clause)
    at = 2
    if clause.word(at) in ("with", "and"):
        at += 1
    if at >= clause.count:
        clause.nothing_from(2)
        return ObjectiveOrder(objective)
    if clause.word(at) != "airfield":
        clause.nothing_from(at)
    return ObjectiveOrder(objective, territory(clause.part(at + 1, clause.count)))


def _objective_id(clause: Clause) -> str:
    digits = clause.word(1).removeprefix("ob")[:9]
    name = f"OB{digits.lstrip('0'):0>2}" if is_number(digits) else ""
    if name in OBJECTIVE_IDS:
        return name
    code = "unknown-objective" if clause.count > 1 else "missing-objective"
    raise clause.fault(code, 1, "An objective from OB01 to OB12, or NO, was expected here.")


def _reveal(clause: Clause) -> SimpleOrder:
    clause.without(lambda word: word in ("mission", "my"), 1).nothing_from(1)
    return RevealOrder()


def _end(clause: Clause) -> SimpleOrder:
    word = clause.word(1)
    if word in ("attack", "attacks"):
        clause.nothing_from(2)
        return EndOrder(Ending.ATTACK)
    if word == "turn":
        clause.nothing_from(2)
        return EndOrder(Ending.TURN)
    message = "ATTACK or TURN was expected behind END."
    raise clause.fault(
        "unknown-ending", 1, message, "END alone, on a line of its own, ends a text."
    )


def _stop(clause: Clause) -> SimpleOrder:
    clause.nothing_from(1)
    return EndOrder(Ending.ATTACK)


def _pass(clause: Clause) -> SimpleOrder:
    clause.nothing_from(1)
    return EndOrder(Ending.TURN)


READ: Mapping[str, Callable[[Clause], SimpleOrder]] = {
    "TRADE": _trade,
    "DEPLOY": _deploy,
    "ATTACK": attack,
    "ADVANCE": _advance,
    "FORTIFY": _fortify,
    "MANOEUVRE": _manoeuvre,
    "DEFEND": _defend,
    "CLAIM": _claim,
    "CAPITAL": _capital,
    "OBJECTIVE": _objective,
    "REVEAL": _reveal,
    "END": _end,
    "STOP": _stop,
    "PASS": _pass,
}
