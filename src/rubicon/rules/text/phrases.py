"""What people type behind each verb of an action, read generously."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rubicon.rules.actions import (
    MOST_ARMIES,
    Action,
    Attack,
    Claim,
    ClaimObjective,
    Decline,
    DefendWith,
    Fortify,
    Occupy,
    Offer,
    Place,
    PlaceCapital,
    Resign,
    RevealMission,
    Seal,
    StandingOrder,
    Trade,
    Withdraw,
)
from rubicon.rules.board import Board
from rubicon.rules.position import Standing
from rubicon.rules.text.exact_actions import OBJECTIVE_IDS
from rubicon.rules.text.places import card_at, cards_at, territory_at, two_territories
from rubicon.rules.text.words import (
    ARROW,
    COMMA,
    Line,
    TextError,
    beginnings,
    is_number,
    number_at,
    one_known,
)

ALL = ("all", "max", "maximum", "most", "rest", "everything")
TOWARDS = (ARROW, "to", "against", "into", "onto")
FROM = ("from",)
FILLERS = ("dice", "die", "with", "using", "armies", "army", "troops", "troop", COMMA)
AT = ("on", "in", "at", "to", "into", "onto", ARROW, COMMA)
ORDERS = {
    "none": Standing.NONE,
    "ask": Standing.NONE,
    "off": Standing.NONE,
    "1": Standing.ONE,
    "one": Standing.ONE,
    "2": Standing.TWO,
    "two": Standing.TWO,
    "max": Standing.MAXIMUM,
    "maximum": Standing.MAXIMUM,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A line, and all that its words may be measured against."""

    line: Line
    board: Board
    colours: tuple[str, ...]
    seat: str | None = None
    most: Callable[[Action], int] | None = None

    @property
    def count(self) -> int:
        """How many words there are."""
        return len(self.line.words)

    def word(self, at: int) -> str:
        """A word; "" behind the last."""
        return self.line.words[at].text if at < self.count else ""

    def error(self, code: str, at: int, problem: str, suggestion: str = "") -> TextError:
        """An error that points at a word."""
        return self.line.error(code, at, problem, suggestion)

    def nothing_from(self, at: int) -> None:
        """TextError where words are left."""
        if at < self.count:
            raise self.error("extra-words", at, "nothing was expected behind this.")

    def territory(self, start: int, stop: int | None = None) -> str:
        """The territory that the words from `start` name; small words before it do not count."""
        while self.word(start) in AT:
            start += 1
        end = self.count if stop is None else stop
        return territory_at(self.board, self.line, range(start, max(start, end)))

    def number(self, at: int, action: Action) -> int:
        """The number at a word; `all` is what the position allows to the action."""
        word = self.word(at)
        if is_number(word):
            return number_at(self.line, at, MOST_ARMIES)
        if word not in ALL:
            code = "missing-number" if at >= self.count else "bad-number"
            raise self.error(code, at, "a number was expected here.")
        if self.most is None:
            problem = f"how many {word!r} is depends on the position."
            raise self.error("missing-number", at, problem, "Write a number.")
        return int(self.most(action))

    def without(self, *gone: int) -> "Asked":
        """The same line as if some of its words were not there."""
        words = tuple(word for at, word in enumerate(self.line.words) if at not in gone)
        line = Line(self.line.text, words)
        return Asked(line, self.board, self.colours, self.seat, self.most)


Phrase = Callable[[Asked], Action]


def _number_place(asked: Asked, behind: tuple[str, ...] = ()) -> int | None:
    """Where the number stands: behind one of some words, last, or first behind the verb."""
    for at in range(1, asked.count - 1):
        if asked.word(at) in behind and _counts(asked.word(at + 1)):
            return at + 1
    places: list[int] = [asked.count - 1, *range(1, asked.count - 1)]
    for at in places:
        if _counts(asked.word(at)):
            return at
    return None


def _counts(word: str) -> bool:
    return is_number(word) or word in ALL


def _two_ends(asked: Asked, start: int) -> tuple[str, str]:
    """Source and target, named in either order with small words, or one after the other."""
    marks = [at for at in range(start, asked.count) if asked.word(at) in (*TOWARDS, *FROM)]
    if not marks:
        return two_territories(asked.board, asked.line, range(start, asked.count))
    parts: dict[str, str] = {}
    for at, end in zip([start, *marks], [*marks, asked.count], strict=True):
        if at == end:  # nothing before the first small word
            continue
        role = _role(asked, at, marks)
        if role in parts:
            raise asked.error("extra-words", at, f"a second {role} was not expected.")
        first = at + 1 if at in marks else at
        parts[role] = territory_at(asked.board, asked.line, range(first, end))
    for role in ("source", "target"):
        if role not in parts:
            raise asked.error("missing-territory", asked.count, f"the {role} is missing.")
    return parts["source"], parts["target"]


def _role(asked: Asked, at: int, marks: list[int]) -> str:
    """What the name behind a small word is; without one it is what the small words leave."""
    if at in marks:
        return "source" if asked.word(at) in FROM else "target"
    towards = any(asked.word(mark) in TOWARDS for mark in marks)
    return "source" if towards else "target"


def _fillers(asked: Asked, start: int = 1) -> Asked:
    return asked.without(*(at for at in range(start, asked.count) if asked.word(at) in FILLERS))


def _attack(asked: Asked) -> Action:
    again = asked.count > 1 and asked.word(asked.count - 1) == "again"
    if again:
        asked = asked.without(asked.count - 1)
    at = _number_place(asked, ("dice", "with"))
    ends = _fillers(asked if at is None else asked.without(at))
    source, target = _two_ends(ends, 1)
    if at is None:
        return Attack(source, target, None, again)
    dice = asked.number(at, Attack(source, target, None, again))
    if dice < 1:
        raise asked.error("bad-number", at, "an attack is rolled with at least one die.")
    return Attack(source, target, dice, again)


def _fortify(asked: Asked) -> Action:
    at = _number_place(asked, ("with",))
    ends = _fillers(asked if at is None else asked.without(at))
    source, target = _two_ends(ends, 1)
    return Fortify(
        source, target, asked.number(asked.count if at is None else at, Fortify(source, target, 0))
    )


def _place(asked: Asked) -> Action:
    at = _number_place(asked)
    bare = _fillers(asked if at is None else asked.without(at))
    territory = bare.territory(1)
    return Place(territory, asked.number(asked.count if at is None else at, Place(territory, 0)))


def _claim(asked: Asked) -> Action:
    first = 2 if asked.word(1) in ("objective", "for") else 1
    if asked.word(1) == "objective" or asked.word(1).startswith("ob"):
        code = _objective_id(asked, first)
        if code is not None:
            return _objective_from(asked, code, first + 1)
    return Claim(asked.territory(first))


def _capital(asked: Asked) -> Action:
    return PlaceCapital(asked.territory(1))


def _seat_at(asked: Asked, at: int) -> str:
    """The colour that a word names; without a word the colour of who speaks."""
    if at < asked.count:
        return one_known(asked.line, at, asked.colours, "colour")
    if asked.seat is None:
        raise asked.error("missing-colour", at, "whose? A colour was expected here.")
    return asked.seat


def _seal(asked: Asked) -> Action:
    asked.nothing_from(2)
    return Seal(_seat_at(asked, 1))


def _resign(asked: Asked) -> Action:
    asked.nothing_from(2)
    return Resign(_seat_at(asked, 1))


def _reveal(asked: Asked) -> Action:
    bare = asked.without(*(at for at in range(1, asked.count) if asked.word(at) == "mission"))
    bare.nothing_from(2)
    return RevealMission(_seat_at(bare, 1))


def _offer(asked: Asked) -> Action:
    return Offer(card_at(asked.board, asked.line, range(1, asked.count)))


def _withdraw(asked: Asked) -> Action:
    asked.nothing_from(1)
    return Withdraw()


def _decline(asked: Asked) -> Action:
    asked.nothing_from(1)
    return Decline()


def _trade(asked: Asked) -> Action:
    if asked.count == 1:
        return Trade()
    marks = [at for at in range(1, asked.count) if asked.word(at) in ("on", "bonus")]
    end = marks[0] if marks else asked.count
    cards = cards_at(asked.board, asked.line, range(1, end))
    if len(cards) != 3:
        problem = f"a set is three cards; {len(cards)} were named."
        raise asked.error("not-three-cards", 1, problem)
    return Trade(cards, asked.territory(end + 1) if marks else None)


def _defend(asked: Asked) -> Action:
    bare = _fillers(asked)
    bare.nothing_from(2)
    return DefendWith(bare.number(1, DefendWith(0)))


def _occupy(asked: Asked) -> Action:
    bare = _fillers(asked)
    bare.nothing_from(2)
    return Occupy(bare.number(1, Occupy(0)))


def _objective(asked: Asked) -> Action:
    code = _objective_id(asked, 1)
    if code is None:
        problem = "an objective from OB01 to OB12 was expected here."
        code = "missing-objective" if asked.count == 1 else "unknown-objective"
        raise asked.error(code, 1, problem)
    return _objective_from(asked, code, 2)


def _objective_id(asked: Asked, at: int) -> str | None:
    digits = asked.word(at).removeprefix("ob")
    name = f"OB{digits.lstrip('0'):0>2}" if is_number(digits) else ""
    return name if name in OBJECTIVE_IDS else None


def _objective_from(asked: Asked, objective: str, at: int) -> Action:
    """The rest of a claim: where its airfield goes, if it brings one."""
    if at >= asked.count:
        return ClaimObjective(objective)
    if asked.word(at) in ("airfield", "with"):
        at += 1
    return ClaimObjective(objective, asked.territory(at))


def _standing(asked: Asked) -> Action:
    """`standing red alaska 2`; without a colour the speaker's, without a place for all."""
    skipped = [at for at in range(1, asked.count) if asked.word(at) in ("order", *AT)]
    bare = _fillers(asked.without(*skipped))
    last = bare.count - 1
    if last < 1 or bare.word(last) not in ORDERS:
        raise bare.error(
            "missing-number", max(last, 1), "how many dice? 1, 2, max or none was expected."
        )
    named = last > 1 and len(beginnings(bare.word(1), bare.colours)) == 1
    seat = _seat_at(bare, 1 if named else bare.count)
    first = 2 if named else 1
    everywhere = first == last or (last == first + 1 and bare.word(first) in ("all", "everywhere"))
    territory = None if everywhere else bare.territory(first, last)
    return StandingOrder(seat, territory, ORDERS[bare.word(last)])


PHRASES: Mapping[str, Phrase] = {
    "claim": _claim,
    "capital": _capital,
    "place": _place,
    "seal": _seal,
    "offer": _offer,
    "withdraw": _withdraw,
    "trade": _trade,
    "attack": _attack,
    "defend": _defend,
    "occupy": _occupy,
    "objective": _objective,
    "decline": _decline,
    "fortify": _fortify,
    "standing": _standing,
    "resign": _resign,
    "reveal": _reveal,
}
