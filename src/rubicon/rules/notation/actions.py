"""Actions from text, as people write it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rubicon.engine.records import Standing
from rubicon.rules import actions
from rubicon.rules.board.board import Board
from rubicon.rules.notation.exact_actions import exact_action, objective_id
from rubicon.rules.notation.words import (
    ARROW,
    COMMA,
    TextError,
    TypedLine,
    beginnings,
    card_at,
    cards_at,
    is_number,
    number_at,
    one_known,
    read_line,
    territory_at,
    two_territories,
)
from rubicon.wording import nearest, one_of, quoted

# The words after the verb of a typed action, in the free forms that people use.

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
class ActionPhrase:
    """A typed action, with the board, colours and position that its words refer to."""

    line: TypedLine
    board: Board
    colours: tuple[str, ...]
    seat: str | None = None
    most: Callable[[actions.Action], int] | None = None

    @property
    def count(self) -> int:
        """The number of words."""
        return len(self.line.words)

    def word(self, at: int) -> str:
        """The word at a place; "" after the last."""
        return self.line.words[at].text if at < self.count else ""

    def error(self, code: str, at: int, problem: str, suggestion: str = "") -> TextError:
        """An error that points at a word."""
        return self.line.error(code, at, problem, suggestion)

    def nothing_from(self, at: int) -> None:
        """TextError where words are left."""
        if at < self.count:
            raise self.error("extra-words", at, "there is text after the action.")

    def territory(self, start: int, stop: int | None = None) -> str:
        """The territory that the words from `start` name; small words before it are skipped."""
        while self.word(start) in AT:
            start += 1
        end = self.count if stop is None else stop
        return territory_at(self.board, self.line, range(start, max(start, end)))

    def number(self, at: int, action: actions.Action) -> int:
        """The number at a word; `all` is the most that the position allows for the action."""
        word = self.word(at)
        if is_number(word):
            return number_at(self.line, at, actions.MOST_ARMIES)
        if word not in ALL:
            code = "missing-number" if at >= self.count else "bad-number"
            raise self.error(code, at, "a number is missing here.")
        if self.most is None:
            problem = f"the number for {word!r} depends on the position."
            raise self.error("missing-number", at, problem, "Write a number.")
        return int(self.most(action))

    def without(self, *gone: int) -> "ActionPhrase":
        """The same line without some of its words."""
        words = tuple(word for at, word in enumerate(self.line.words) if at not in gone)
        line = TypedLine(self.line.text, words)
        return ActionPhrase(line, self.board, self.colours, self.seat, self.most)


PhraseReader = Callable[[ActionPhrase], actions.Action]


def _number_place(phrase: ActionPhrase, marks: tuple[str, ...] = ()) -> int | None:
    """The place of the number: after one of the `marks`, else last, else first after the verb."""
    for at in range(1, phrase.count - 1):
        if phrase.word(at) in marks and is_count(phrase.word(at + 1)):
            return at + 1
    # People write the number last, or first: `place alaska 3`, `place 3 alaska`.
    places: list[int] = [phrase.count - 1, *range(1, phrase.count - 1)]
    for at in places:
        if is_count(phrase.word(at)):
            return at
    return None


def is_count(word: str) -> bool:
    """Whether a word says how many armies: a number, or `all`."""
    return is_number(word) or word in ALL


def _two_ends(phrase: ActionPhrase, start: int) -> tuple[str, str]:
    """Source and target: in either order with `from` and `to`, or else one after the other."""
    marks = [at for at in range(start, phrase.count) if phrase.word(at) in (*TOWARDS, *FROM)]
    if not marks:
        return two_territories(phrase.board, phrase.line, range(start, phrase.count))
    parts: dict[str, str] = {}
    for at, end in zip([start, *marks], [*marks, phrase.count], strict=True):
        if at == end:  # nothing before the first small word
            continue
        role = _role(phrase, at, marks)
        if role in parts:
            raise phrase.error("extra-words", at, f"there is a second {role}.")
        first = at + 1 if at in marks else at
        parts[role] = territory_at(phrase.board, phrase.line, range(first, end))
    for role in ("source", "target"):
        if role not in parts:
            raise phrase.error("missing-territory", phrase.count, f"the {role} is missing.")
    return parts["source"], parts["target"]


def _role(phrase: ActionPhrase, at: int, marks: list[int]) -> str:
    """The role of the name after a small word; without one, the role that is left."""
    if at in marks:
        return "source" if phrase.word(at) in FROM else "target"
    # `attack kamchatka from alaska`: a name without a mark is the target, unless `to` names one.
    towards = any(phrase.word(mark) in TOWARDS for mark in marks)
    return "source" if towards else "target"


def _fillers(phrase: ActionPhrase, start: int = 1) -> ActionPhrase:
    return phrase.without(*(at for at in range(start, phrase.count) if phrase.word(at) in FILLERS))


def _attack(phrase: ActionPhrase) -> actions.Action:
    again = phrase.count > 1 and phrase.word(phrase.count - 1) == "again"
    if again:
        phrase = phrase.without(phrase.count - 1)
    at = _number_place(phrase, ("dice", "with"))
    ends = _fillers(phrase if at is None else phrase.without(at))
    source, target = _two_ends(ends, 1)
    if at is None:
        return actions.Attack(source, target, None, again)
    dice = phrase.number(at, actions.Attack(source, target, None, again))
    if dice < 1:
        raise phrase.error("bad-number", at, "an attack needs at least one die.")
    return actions.Attack(source, target, dice, again)


def _fortify(phrase: ActionPhrase) -> actions.Action:
    at = _number_place(phrase, ("with",))
    ends = _fillers(phrase if at is None else phrase.without(at))
    source, target = _two_ends(ends, 1)
    return actions.Fortify(
        source,
        target,
        phrase.number(phrase.count if at is None else at, actions.Fortify(source, target, 0)),
    )


def _place(phrase: ActionPhrase) -> actions.Action:
    at = _number_place(phrase)
    bare = _fillers(phrase if at is None else phrase.without(at))
    territory = bare.territory(1)
    return actions.Place(
        territory, phrase.number(phrase.count if at is None else at, actions.Place(territory, 0))
    )


def _claim(phrase: ActionPhrase) -> actions.Action:
    first = 2 if phrase.word(1) in ("objective", "for") else 1
    # `claim` is the verb for territories and for objectives.
    if phrase.word(1) == "objective" or phrase.word(1).startswith("ob"):
        code = objective_id(phrase.word(first))
        if code is not None:
            return _objective_from(phrase, code, first + 1)
    return actions.Claim(phrase.territory(first))


def _capital(phrase: ActionPhrase) -> actions.Action:
    return actions.PlaceCapital(phrase.territory(1))


def _seat_at(phrase: ActionPhrase, at: int) -> str:
    """The colour that a word names; without a word the colour of the seat that acts."""
    if at < phrase.count:
        return one_known(phrase.line, at, phrase.colours, "colour")
    if phrase.seat is None:
        raise phrase.error("missing-colour", at, "a colour is missing here.")
    return phrase.seat


def _seal(phrase: ActionPhrase) -> actions.Action:
    phrase.nothing_from(2)
    return actions.Seal(_seat_at(phrase, 1))


def _resign(phrase: ActionPhrase) -> actions.Action:
    phrase.nothing_from(2)
    return actions.Resign(_seat_at(phrase, 1))


def _reveal(phrase: ActionPhrase) -> actions.Action:
    bare = phrase.without(*(at for at in range(1, phrase.count) if phrase.word(at) == "mission"))
    bare.nothing_from(2)
    return actions.RevealMission(_seat_at(bare, 1))


def _offer(phrase: ActionPhrase) -> actions.Action:
    return actions.Offer(card_at(phrase.board, phrase.line, range(1, phrase.count)))


def _withdraw(phrase: ActionPhrase) -> actions.Action:
    phrase.nothing_from(1)
    return actions.Withdraw()


def _decline(phrase: ActionPhrase) -> actions.Action:
    phrase.nothing_from(1)
    return actions.Decline()


def _trade(phrase: ActionPhrase) -> actions.Action:
    if phrase.count == 1:
        return actions.Trade()
    marks = [at for at in range(1, phrase.count) if phrase.word(at) in ("on", "bonus")]
    end = marks[0] if marks else phrase.count
    cards = cards_at(phrase.board, phrase.line, range(1, end))
    if len(cards) != 3:
        problem = f"a set is three cards, and {len(cards)} are named."
        raise phrase.error("not-three-cards", 1, problem)
    return actions.Trade(cards, phrase.territory(end + 1) if marks else None)


def _defend(phrase: ActionPhrase) -> actions.Action:
    bare = _fillers(phrase)
    bare.nothing_from(2)
    return actions.DefendWith(bare.number(1, actions.DefendWith(0)))


def _occupy(phrase: ActionPhrase) -> actions.Action:
    bare = _fillers(phrase)
    bare.nothing_from(2)
    return actions.Occupy(bare.number(1, actions.Occupy(0)))


def _objective(phrase: ActionPhrase) -> actions.Action:
    code = objective_id(phrase.word(1))
    if code is None:
        problem = "an objective from OB01 to OB12 is needed here."
        code = "missing-objective" if phrase.count == 1 else "unknown-objective"
        raise phrase.error(code, 1, problem)
    return _objective_from(phrase, code, 2)


def _objective_from(phrase: ActionPhrase, objective: str, at: int) -> actions.Action:
    """The rest of a claim: the territory of its airfield, if there is one."""
    if at >= phrase.count:
        return actions.ClaimObjective(objective)
    if phrase.word(at) in ("airfield", "with"):
        at += 1
    return actions.ClaimObjective(objective, phrase.territory(at))


def _standing(phrase: ActionPhrase) -> actions.Action:
    """`standing red alaska 2`; the colour and the territory may be left out."""
    skipped = [at for at in range(1, phrase.count) if phrase.word(at) in ("order", *AT)]
    bare = _fillers(phrase.without(*skipped))
    last = bare.count - 1
    if last < 1 or bare.word(last) not in ORDERS:
        raise bare.error(
            "missing-number", max(last, 1), "the number of dice is missing: 1, 2, max or none."
        )
    # A territory may begin like a colour; only a word that fits one colour alone is taken as one.
    named = last > 1 and len(beginnings(bare.word(1), bare.colours)) == 1
    seat = _seat_at(bare, 1 if named else bare.count)
    first = 2 if named else 1
    everywhere = first == last or (last == first + 1 and bare.word(first) in ("all", "everywhere"))
    territory = None if everywhere else bare.territory(first, last)
    return actions.StandingOrder(seat, territory, ORDERS[bare.word(last)])


PHRASES: Mapping[str, PhraseReader] = {
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


# Reading actions: the exact text, and the freer forms that people type.
#
#     >>> from rubicon.rules.board.board import Board
#     >>> world = Board.load("world")
#     >>> str(parse_action("att kam from ala 3", world, ("red", "blue")))
#     'attack alaska -> kamchatka dice 3'
#
# `docs/notation.md` has the grammar.

# What people type, by the first word of the exact text.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "claim": ("take",),
    "capital": ("headquarters", "hq"),
    "place": ("deploy", "reinforce", "draft", "put"),
    "seal": ("sealed",),
    "offer": ("lay",),
    "withdraw": ("retract",),
    "trade": ("exchange", "cash"),
    "attack": ("assault", "invade"),
    "defend": ("defence", "defense"),
    "occupy": ("advance",),
    "end": ("finish",),
    "stop": (),
    "pass": ("skip",),
    "objective": (),
    "decline": (),
    "fortify": ("manoeuvre", "maneuver", "move"),
    "standing": (),
    "resign": ("surrender",),
    "reveal": ("show",),
}
IN_FULL = ("resign",)  # leaving a game cannot be undone, so this word is never completed
_VERBS = {word: verb for verb, words in SYNONYMS.items() for word in (verb, *words)}


def parse_action(
    text: str,
    board: Board,
    colours: Sequence[str],
    *,
    strict: bool = False,
    seat: str | None = None,
    passing: actions.Action | None = None,
    most: Callable[[actions.Action], int] | None = None,
) -> actions.Action:
    """The action that a text means; TextError, which quotes the text, where it means none.

    `strict` accepts only what `str(action)` writes. Otherwise `seat` is the colour of the seat that
    acts, `passing` the action that `pass` means now, and `most(action)` the number for `all`.
    """
    exact = exact_action(text, board, colours)
    if exact is not None:
        return exact
    phrase = ActionPhrase(read_line(text), board, tuple(colours), seat, most)
    action = _read(phrase, passing)
    if strict:
        raise TextError("not-canonical", text, 1, "this is not the exact form.", f"Write: {action}")
    return action


def _read(phrase: ActionPhrase, passing: actions.Action | None) -> actions.Action:
    verb = _verb(phrase)
    if verb == "end":
        return _ending(phrase)
    if verb == "stop":
        return _alone(phrase, actions.EndAttack())
    if verb == "pass":
        return _alone(phrase, passing or actions.EndTurn())
    return PHRASES[verb](phrase)


def _verb(phrase: ActionPhrase) -> str:
    word = phrase.line.words[0].text
    found = {_VERBS[name] for name in beginnings(word, _VERBS)}
    if len(found) == 1:
        verb = found.pop()
        if verb not in IN_FULL or word in _VERBS:
            return verb
        raise phrase.error("ambiguous-verb", 0, f"{verb!r} must be written in full.")
    if found:
        problem = f"{quoted(word)} may mean {one_of(sorted(found))}."
        raise phrase.error("ambiguous-verb", 0, problem, "Write more of it.")
    hint = nearest(word, _VERBS) or f"Verbs: {', '.join(PHRASES)}, end."
    raise phrase.error("unknown-verb", 0, f"no action begins with {quoted(word)}.", hint)


def _ending(phrase: ActionPhrase) -> actions.Action:
    """`end attack` or `end turn`."""
    endings: dict[str, actions.Action] = {"attack": actions.EndAttack(), "turn": actions.EndTurn()}
    words = [word.text for word in phrase.line.words[1:]]
    if not words:
        raise phrase.error(
            "ambiguous-verb",
            1,
            "this may mean the attack or the turn.",
            "Write `end attack` or `end turn`.",
        )
    found = beginnings(words[0], endings)
    if not found:
        raise phrase.error("unknown-verb", 1, "`attack` or `turn` is needed here.")
    phrase.nothing_from(2)
    return endings[found[0]]


def _alone(phrase: ActionPhrase, action: actions.Action) -> actions.Action:
    phrase.nothing_from(1)
    return action
