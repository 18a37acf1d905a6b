"""Parses the orders of a turn."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from rubicon.orders import syntax
from rubicon.orders.errors import OrderProblem, OrderSyntaxError, Replacement
from rubicon.orders.parse.places import (
    MOST_NAMES,
    armies,
    card,
    is_amount,
    is_count,
    listed,
    moved,
    path,
    split_names,
    territory,
)
from rubicon.orders.parse.words import ALL, AND, AT, FILLERS, NUMBER_WORDS, Clause
from rubicon.rules.notation.actions import objective_id
from rubicon.rules.notation.words import ARROW, COMMA, is_number
from rubicon.wording import quoted

# Parses ATTACK: a path, and its dice, stops and advance in any order.

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
    "left": syntax.StopKind.LEFT,
    "rounds": syntax.StopKind.ROUNDS,
    "round": syntax.StopKind.ROUNDS,
    "rolls": syntax.StopKind.ROUNDS,
    "lost": syntax.StopKind.LOST,
}
STOPS = "WON, LEFT 3, ODDS < 40%, ROUNDS 2 or LOST 5"
ONE_ROLL = (syntax.StopRule(syntax.StopKind.ROUNDS, 1),)


class AttackParts(NamedTuple):
    """The parts of an ATTACK alongside its path."""

    dice: int | None
    stops: tuple[syntax.StopRule, ...]
    advance: syntax.Armies | syntax.LeftOpen | None


def attack(clause: Clause) -> syntax.SimpleOrder:
    """The order; the words that belong to no other part are the path."""
    path_words: list[int] = []
    try:
        dice, stops, advance = _parts(clause, path_words)
    except OrderSyntaxError as error:
        raise _with_path_problems(error, clause.only(path_words)) from None
    return syntax.AttackOrder(path(clause.only(path_words)), dice, stops, advance)


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
    """The parts alongside the path, whose words are added to `path_words`."""
    dice: int | None = None
    stops: tuple[syntax.StopRule, ...] = ()
    advance: syntax.Armies | syntax.LeftOpen | None = None
    seen: set[str] = set()
    at = 1
    while at < clause.count:
        kind = _kind(clause, at)
        if kind and kind in seen:
            raise clause.error("twice", at, f"{kind} is in this order twice.", "Delete one.")
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
    """A number before or after the path counts dice; it is taken out of the path."""
    for place in (-1, 0):
        if not path_words:
            break
        word = clause.word(path_words[place])
        if is_number(word) or (word in NUMBER_WORDS and not clause.resolver.places(word)):
            return clause.number(path_words.pop(place), most=MOST_DICE)
    return None


def _stops(clause: Clause, at: int) -> tuple[tuple[syntax.StopRule, ...], int]:
    stops: list[syntax.StopRule] = []
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


def _stop(clause: Clause, at: int) -> tuple[syntax.StopRule, int]:
    word = clause.word(at)
    if word == "won":
        return syntax.StopRule(syntax.StopKind.WON), at + 1
    if word == "odds":
        return _odds(clause, at + 1)
    if word in COUNTED:
        return syntax.StopRule(COUNTED[word], clause.number(at + 1)), at + 2
    if clause.word(at + 1) in COUNTED and (is_number(word) or word in NUMBER_WORDS):
        return syntax.StopRule(COUNTED[clause.word(at + 1)], clause.number(at)), at + 2
    found = f"{quoted(word)} is no reason to stop." if word else "A reason to stop is missing."
    raise clause.error("unknown-stop", at, found, f"Write one of: {STOPS}")


def _odds(clause: Clause, at: int) -> tuple[syntax.StopRule, int]:
    if clause.word(at) not in BELOW:
        message = "`<` was expected after ODDS."
        raise clause.error("unknown-stop", at, message, "Write: ODDS < 40%")
    number = clause.number(at + 1, most=100)
    return syntax.StopRule(syntax.StopKind.ODDS, number), at + (
        3 if clause.word(at + 2) in PERCENT else 2
    )


def _advance(clause: Clause, at: int) -> tuple[syntax.Armies | syntax.LeftOpen, int]:
    while clause.word(at) == "with":
        at += 1
    if clause.word(at) == ASK:
        return syntax.LeftOpen.ASK, at + 1
    if not is_amount(clause.word(at)) and (at >= clause.count or _kind(clause, at)):
        return syntax.AllBut(), at  # without a number, all
    number, at = armies(clause, at)
    return number, at + (1 if clause.word(at) in ("armies", "army") else 0)


# All orders but ATTACK.

Placement: TypeAlias = tuple[int | None, str]

NONE = ("no", "none", "nothing")
BONUS = ("on", "bonus")

TO = ("to", "into", ARROW)
REST = "rest"
WRITE_DEPLOY = "Write: DEPLOY 3 TERRITORY"
SHORTEST_NAME = 2  # letters of a territory that may be without DEPLOY
FEWEST_CARDS, MOST_CARDS, CARDS_OF_A_ROW = 2, 10, 3
DEFENCE: Mapping[str, syntax.DefenceDice] = {
    "max": syntax.DefenceDice.MAX,
    "maximum": syntax.DefenceDice.MAX,
    "all": syntax.DefenceDice.MAX,
    "1": syntax.DefenceDice.ONE,
    "one": syntax.DefenceDice.ONE,
    "2": syntax.DefenceDice.TWO,
    "two": syntax.DefenceDice.TWO,
    "ask": syntax.DefenceDice.ASK,
    "none": syntax.DefenceDice.ASK,
    "off": syntax.DefenceDice.ASK,
}


def _trade(clause: Clause) -> syntax.SimpleOrder:
    marks = [at for at in range(1, clause.count) if clause.word(at) in BONUS]
    end = marks[0] if marks else clause.count
    bonus = territory(clause.part(end + 1, clause.count)) if marks else None
    named = clause.part(1, end)
    if not named.count:
        return syntax.TradeOrder(syntax.SetChoice.BEST, bonus)
    if named.word(0) == "best":
        named.nothing_from(1)
        return syntax.TradeOrder(syntax.SetChoice.BEST, bonus)
    if named.word(0) in NONE:
        named.nothing_from(1)
        return syntax.TradeOrder(syntax.SetChoice.NO, bonus)
    return syntax.TradeOrder(_cards(named), bonus)


def _withdraw(clause: Clause) -> syntax.SimpleOrder:
    clause.nothing_from(1)
    return syntax.TradeOrder(syntax.SetChoice.NO)


def _cards(named: Clause) -> tuple[str, ...]:
    count = len(named.divided())
    # Three names without commas are a set, if they can be divided in one way only.
    if count == 1 and (ways := split_names(named, CARDS_OF_A_ROW, named.resolver.card)):
        if len(ways) == 1:
            return next(iter(ways))
        message = "It is not clear where the name of a card ends."
        raise named.error("ambiguous-card", 0, message, "Write commas between the cards.")
    if not FEWEST_CARDS <= count <= MOST_CARDS:
        message = f"A trade names {FEWEST_CARDS} to {MOST_CARDS} cards, with commas between them."
        raise named.error("bad-set", 0, message, "Write: TRADE CARD, CARD, CARD")
    return listed(named, card)


def _deploy(clause: Clause) -> syntax.SimpleOrder:
    return _placed(clause.part(1, clause.count))


def _placed(named: Clause) -> syntax.SimpleOrder:
    entries = [piece for entry in named.divided(AND) for piece in _at_numbers(entry)]
    if not entries:
        message = "Armies and a territory are missing here."
        raise named.error("missing-number", 0, message, WRITE_DEPLOY)
    if len(entries) > MOST_NAMES:
        raise named.error("too-many", 0, f"At most {MOST_NAMES} territories can be named.")
    if len(entries) == 1 and _is_bare_territory(entries[0]):
        return syntax.DeployOrder(((None, territory(entries[0])),))
    placements = _placements(entries)
    # REST leaves nothing, so an order after it could place no army.
    rests = [at for at, (number, _) in enumerate(placements) if number is None]
    if rests and rests != [len(placements) - 1]:
        placements = _rest_last(entries[rests[0]], placements, len(rests))
    return syntax.DeployOrder(tuple(placements))


def placed_without_verb(clause: Clause) -> syntax.SimpleOrder | None:
    """The DEPLOY that `kam 3`, `3 kam`, `kam rest` or a list of these means; None for other words.

    Only where every part is a number, or REST, next to words of a territory: nothing is
    guessed. ALL and MOST do not count: `all india` may be prose.
    """
    entries = [piece for entry in clause.divided(AND) for piece in _at_numbers(entry)]
    return _placed(clause) if entries and all(map(_is_placement, entries)) else None


def _is_placement(entry: Clause) -> bool:
    """Whether these words are one number, or REST, and the name of at least one territory."""
    bare = entry.without(lambda word: word in FILLERS)
    numbers = [at for at in range(bare.count) if _is_plain_count(bare.word(at))]
    if bare.count < 2 or numbers not in ([0], [bare.count - 1]):
        return False
    start, stop = (1, bare.count) if numbers == [0] else (0, bare.count - 1)
    while start < stop - 1 and bare.word(start) in (*AT, *TO):
        start += 1
    name = bare.part(start, stop).text
    return len(name) >= SHORTEST_NAME and bool(bare.resolver.places(name))


def _is_plain_count(word: str) -> bool:
    """Whether a word says how many armies even where no verb does."""
    return is_number(word) or word == REST


def _is_bare_territory(entry: Clause) -> bool:
    """Whether there is no number, so that all armies are meant: `DEPLOY kam`."""
    words = [word.text for word in entry.words]
    if any(is_count(word) or word in NUMBER_WORDS for word in words):
        return False
    return bool(entry.resolver.places(entry.text))


def _at_numbers(entry: Clause) -> list[Clause]:
    """`3 kam 2 ala` as two placements: the numbers show where each one begins, or ends."""
    numbers = [at for at in range(entry.count) if is_count(entry.word(at))]
    if len(numbers) < 2:
        return [entry]
    if numbers[0] == 0:
        cuts = [*numbers, entry.count]
    elif numbers[-1] == entry.count - 1:
        cuts = [0, *(at + 1 for at in numbers)]
    else:
        return [entry]
    return [entry.part(start, stop) for start, stop in pairwise(cuts)]


def _rest_last(entry: Clause, placements: list[Placement], rests: int) -> list[Placement]:
    """The placements with REST, which leaves nothing, after the others; one alone can be moved."""
    message = "REST is all armies that are left, so it comes last, and once."
    problem = entry.problem("rest-not-last", 0, message, f"{WRITE_DEPLOY}, REST TERRITORY")
    if rests > 1:
        raise OrderSyntaxError(problem)
    entry.resolver.note(problem)
    return sorted(placements, key=lambda placement: placement[0] is None)


def _placements(entries: list[Clause]) -> list[Placement]:
    """All placements; the error has the problems of every one that is not clear."""
    placements: list[Placement] = []
    problems: list[OrderProblem] = []
    understood: list[Replacement] = []
    for entry in entries:
        try:
            number, where = _placement(entry)
            name = territory(where)
        except OrderSyntaxError as error:
            problems += [error.problem, *error.others]
        else:
            placements.append((number, name))
            understood.append(where.replaced_by(name))
    if problems:
        raise OrderSyntaxError(problems[0], tuple(problems[1:]), tuple(understood))
    return placements


def _placement(entry: Clause) -> tuple[int | None, Clause]:
    """`3 kam`, `3 armies on kam`, `kam 3`, `REST kam`: the armies, and the words of the place."""
    entry = entry.without(lambda word: word in FILLERS)
    last = entry.count - 1
    if is_count(entry.word(0)):
        at, start, stop = 0, 1, entry.count
    elif entry.count and is_count(entry.word(last)):
        at, start, stop = last, 0, last
    elif entry.word(0) in NUMBER_WORDS:
        raise entry.number_error(0)
    else:
        message = "How many armies? A number is missing before the territory."
        raise entry.error("missing-number", 0, message, WRITE_DEPLOY)
    while start < stop - 1 and entry.word(start) in (*AT, *TO):
        start += 1
    numbers = [place for place in range(start, stop) if is_number(entry.word(place))]
    if numbers:
        message = "A comma is missing between two placements."
        raise entry.error("missing-comma", numbers[0], message, f"{WRITE_DEPLOY}, 2 TERRITORY")
    number = None if entry.word(at) in ALL else entry.number(at)
    return number, entry.part(start, stop)


def _advance_armies(clause: Clause) -> syntax.SimpleOrder:
    bare = clause.without(lambda word: word in FILLERS, 1)
    if bare.count == 1:
        return syntax.AdvanceOrder(syntax.AllBut())
    number, end = armies(bare, 1)
    bare.nothing_from(end)
    return syntax.AdvanceOrder(number)


def _fortify(clause: Clause) -> syntax.SimpleOrder:
    return syntax.FortifyOrder(*moved(clause, 1))


def _manoeuvre(clause: Clause) -> syntax.SimpleOrder:
    return syntax.ManoeuvreOrder(*moved(clause, 1))


def _defend(clause: Clause) -> syntax.SimpleOrder:
    """`DEFEND 2 alaska`, `DEFEND alaska with 2 dice`; without a number as many as possible."""
    bare = clause.without(lambda word: word in (*FILLERS, *DICE, *AT), 1)
    last = bare.count - 1
    at = next((place for place in (1, last) if bare.word(place) in DEFENCE), None)
    where = bare.only(place for place in range(1, bare.count) if place != at)
    if any(is_number(word.text) for word in where.words):
        message = "A defence has 1 or 2 dice."
        raise where.error("bad-number", 0, message, "Write: DEFEND MAX, 1, 2 or ASK")
    dice = syntax.DefenceDice.MAX if at is None else DEFENCE[bare.word(at)]
    return syntax.DefendOrder(dice, territory(where) if where.count else None)


def _claim(clause: Clause) -> syntax.SimpleOrder:
    if clause.word(1) == "objective":
        return _objective(clause.part(1, clause.count))
    return syntax.ClaimOrder(listed(clause.part(1, clause.count), territory))


def _capital(clause: Clause) -> syntax.SimpleOrder:
    return syntax.CapitalOrder(listed(clause.part(1, clause.count), territory))


def _objective(clause: Clause) -> syntax.SimpleOrder:
    objective = None if clause.word(1) in NONE else _objective_id(clause)
    at = 2
    if clause.word(at) in ("with", "and"):
        at += 1
    if at >= clause.count:
        clause.nothing_from(2)
        return syntax.ObjectiveOrder(objective)
    if clause.word(at) != "airfield":
        clause.nothing_from(at)
    return syntax.ObjectiveOrder(objective, territory(clause.part(at + 1, clause.count)))


def _objective_id(clause: Clause) -> str:
    name = objective_id(clause.word(1))
    if name is not None:
        return name
    hint = "Write an objective from OB01 to OB12, or NO."
    if clause.count > 1:
        raise clause.error("unknown-objective", 1, "There is no such objective.", hint)
    raise clause.error("missing-objective", 1, "The objective is missing here.", hint)


def _reveal(clause: Clause) -> syntax.SimpleOrder:
    clause.without(lambda word: word in ("mission", "my"), 1).nothing_from(1)
    return syntax.RevealOrder()


def _decline(clause: Clause) -> syntax.SimpleOrder:
    clause.nothing_from(1)
    return syntax.DeclineOrder()


def _seal(clause: Clause) -> syntax.SimpleOrder:
    clause.nothing_from(1)
    return syntax.SealOrder()


def _end(clause: Clause) -> syntax.SimpleOrder:
    word = clause.word(1)
    if word in ("attack", "attacks"):
        clause.nothing_from(2)
        return syntax.EndOrder(syntax.EndKind.ATTACK)
    if word == "turn":
        clause.nothing_from(2)
        return syntax.EndOrder(syntax.EndKind.TURN)
    message = "END ATTACK and END TURN are orders; END alone on a line ends the text."
    raise clause.error("unknown-ending", 1, message, "Write one of these.")


def _stop_attacking(clause: Clause) -> syntax.SimpleOrder:
    clause.nothing_from(1)
    return syntax.EndOrder(syntax.EndKind.ATTACK)


def _pass(clause: Clause) -> syntax.SimpleOrder:
    clause.nothing_from(1)
    return syntax.EndOrder(syntax.EndKind.TURN)


PARSERS: Mapping[str, Callable[[Clause], syntax.SimpleOrder]] = {
    "TRADE": _trade,
    "WITHDRAW": _withdraw,
    "DEPLOY": _deploy,
    "ATTACK": attack,
    "ADVANCE": _advance_armies,
    "FORTIFY": _fortify,
    "MANOEUVRE": _manoeuvre,
    "DEFEND": _defend,
    "CLAIM": _claim,
    "CAPITAL": _capital,
    "OBJECTIVE": _objective,
    "DECLINE": _decline,
    "REVEAL": _reveal,
    "SEAL": _seal,
    "END": _end,
    "STOP": _stop_attacking,
    "PASS": _pass,
}
