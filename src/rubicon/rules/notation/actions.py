"""The exact text of actions and outcomes, which is read back the same."""

import re
from collections.abc import Callable, Sequence

from rubicon.rules import actions
from rubicon.rules.board.board import Board
from rubicon.rules.notation.words import (
    LONGEST_LINE,
    MOST_DIGITS,
    TextError,
    TypedLine,
    beginnings,
    is_number,
    read_line,
)
from rubicon.wording import nearest, one_of, quoted

# Actions.

ActionReader = Callable[[str, Board, Sequence[str]], actions.Action]
OBJECTIVE_IDS = tuple(f"OB{number:02}" for number in range(1, 13))
WILD_IDS = ("wild1", "wild2")
_ORDERS = {text: order for order, text in actions.STANDING_TEXTS.items()}
# The order language reads what people type. It lies above this layer, so it registers its reader
# here when it is loaded, instead of being imported.
_typed_readers: list[ActionReader] = []
_PLAIN: dict[str, actions.Action] = {
    str(a): a
    for a in (actions.Withdraw(), actions.EndAttack(), actions.Decline(), actions.EndTurn())
}


def read_typed_actions_with(reader: ActionReader) -> None:
    """Have `parse_action` read by this function what is no exact text."""
    _typed_readers[:] = [reader]


def parse_action(text: str, board: Board, colours: Sequence[str]) -> actions.Action:
    """The action that a text means; TextError, which quotes the text, where it means none.

    Without the order language (`rubicon.orders.parse`) only exact texts are read.
    """
    exact = exact_action(text, board, colours)
    if exact is not None:
        return exact
    if not _typed_readers:
        problem = "this is not the exact form of an action."
        raise TextError("not-canonical", str(text), 1, problem, "docs/notation.md has the forms.")
    return _typed_readers[0](text, board, colours)


def objective_id(word: str) -> str | None:
    """The id of the objective that a word names: `OB07` for `ob07`, `ob7` and `7`."""
    digits = word.removeprefix("ob")
    name = f"OB{digits.lstrip('0'):0>2}" if is_number(digits) else ""
    return name if name in OBJECTIVE_IDS else None


def exact_action(text: object, board: Board, colours: Sequence[str]) -> actions.Action | None:
    """The action whose exact text this is; None for any other text.

    Records and logs hold only such texts, so this is several times as fast as the free grammar.
    """
    if not isinstance(text, str) or len(text) > LONGEST_LINE:
        return None
    action = _PLAIN.get(text) or _matched(text.split(" "), board, colours)
    return action if action is not None and str(action) == text else None


def _matched(words: list[str], board: Board, colours: Sequence[str]) -> actions.Action | None:
    match words:
        case ["attack" | "fortify" | "place" | "defend" | "occupy", *_]:
            action = _with_number(words)
        case ["seal" | "resign" | "reveal" | "standing", colour, *_] if colour in colours:
            action = _of_seat(words)
        case ["trade" | "offer", *_]:
            action = _with_cards(words)
        case _:
            action = _set_up_or_objective(words)
    known = action is not None and _named(action) <= board.territory_ids
    return action if known else None


def _with_number(words: list[str]) -> actions.Action | None:
    match words:
        case ["attack", source, "->", target]:
            return actions.Attack(source, target)
        case ["attack", source, "->", target, "again"]:
            return actions.Attack(source, target, again=True)
        case ["attack", source, "->", target, "dice", dice, *again] if number := whole(dice):
            return actions.Attack(source, target, number, bool(again))
        case ["fortify", source, "->", target, armies] if (number := whole(armies)) is not None:
            return actions.Fortify(source, target, number)
        case ["place", territory, armies] if (number := whole(armies)) is not None:
            return actions.Place(territory, number)
        case ["defend", dice] if (number := whole(dice)) is not None:
            return actions.DefendWith(number)
        case ["occupy", armies] if (number := whole(armies)) is not None:
            return actions.Occupy(number)
    return None


def _of_seat(words: list[str]) -> actions.Action | None:
    match words:
        case ["seal", colour]:
            return actions.Seal(colour)
        case ["resign", colour]:
            return actions.Resign(colour)
        case ["reveal", colour]:
            return actions.RevealMission(colour)
        case ["standing", colour, territory, order] if order in _ORDERS:
            where = None if territory == "all" else territory
            return actions.StandingOrder(colour, where, _ORDERS[order])
    return None


def _with_cards(words: list[str]) -> actions.Action | None:
    match words:
        case ["trade"]:
            return actions.Trade()
        case ["trade", first, second, third]:
            return actions.Trade((first, second, third))
        case ["trade", first, second, third, "on", bonus]:
            return actions.Trade((first, second, third), bonus)
        case ["offer", card]:
            return actions.Offer(card)
    return None


def _set_up_or_objective(words: list[str]) -> actions.Action | None:
    match words:
        case ["claim", territory]:
            return actions.Claim(territory)
        case ["capital", territory]:
            return actions.PlaceCapital(territory)
        case ["objective", objective] if objective in OBJECTIVE_IDS:
            return actions.ClaimObjective(objective)
        case ["objective", objective, "airfield", territory] if objective in OBJECTIVE_IDS:
            return actions.ClaimObjective(objective, territory)
    return None


def whole(word: str) -> int | None:
    """The number of armies or dice that a word writes in plain digits; None for any other word."""
    if not is_number(word) or len(word) > MOST_DIGITS or int(word) > actions.MOST_ARMIES:
        return None
    return int(word)


def _named(action: actions.Action) -> set[str]:
    """The territories and cards that an action names."""
    match action:
        case actions.Attack(source, target) | actions.Fortify(source, target):
            return {source, target}
        case actions.Trade(cards, bonus):
            return {*cards, *([bonus] if bonus else [])} - set(WILD_IDS)
        case actions.Offer(card):
            return {card} - set(WILD_IDS)
        case actions.Claim(territory) | actions.PlaceCapital(territory) | actions.Place(territory):
            return {territory}
        case actions.StandingOrder(_, where, _) | actions.ClaimObjective(_, where) if (
            where is not None
        ):
            return {where}
    return set()


# Reading outcomes of chance: `6 5 1 v 5 5`, `dice 3 5 2`, `pick alaska`.

MOST_DICE = 6
_THING = re.compile(r"[A-Za-z0-9_.-]+")
_ROLL = re.compile(r"[1-6](?: [1-6]){0,5} v [1-6](?: [1-6]){0,5}")
_DICE = re.compile(r"dice(?: [1-6]){1,6}")
_VERSUS = re.compile(r"\b(?:v|vs|versus|against)\b\.?")
_LABELS = re.compile(r"\b(?:a|d|attack|attacker|defence|defense|defender|roll|rolled|dice)\b[:=]?")
_FACES = re.compile(r"[1-6](?:[\s,;+]*[1-6])*")


def parse_outcome(
    text: str, things: Sequence[str] = (), *, strict: bool = False
) -> actions.Outcome:
    """The outcome that a text means; TextError, which quotes the text, where it means none.

    `things` are the things that may be picked, if the caller knows them; then the beginning of a
    name is enough. `strict` accepts only what `str(outcome)` writes.
    """
    exact = _exact(text)
    if exact is not None and (
        not things or not isinstance(exact, actions.Pick) or exact.thing in things
    ):
        return exact
    line = read_line(text)
    outcome = _read(line, things)
    if strict:
        raise TextError(
            "not-canonical", text, 1, "this is not the exact form.", f"Write: {outcome}"
        )
    return outcome


def _exact(text: object) -> actions.Outcome | None:
    if not isinstance(text, str) or len(text) > LONGEST_LINE:
        return None
    if _ROLL.fullmatch(text):
        attack, defence = text.split(" v ")
        return actions.Roll(_faces(attack), _faces(defence))
    if _DICE.fullmatch(text):
        return actions.Dice(_faces(text.removeprefix("dice ")))
    verb, _, thing = text.partition(" ")
    return actions.Pick(thing) if verb == "pick" and _THING.fullmatch(thing) else None


def _faces(text: str) -> tuple[int, ...]:
    return tuple(int(face) for face in text if face in "123456")


def _read(line: TypedLine, things: Sequence[str]) -> actions.Outcome:
    if line.words[0].text in ("pick", "draw", "pull"):
        return _pick(line, things)
    sides = _VERSUS.split(_unlabelled(line.text))
    if len(sides) == 2:
        return actions.Roll(_side(line, sides[0]), _side(line, sides[1]))
    if len(sides) == 1 and line.words[0].text.startswith(("dice", "die", "roll")):
        return actions.Dice(_side(line, re.sub(r"^\s*die\b", "", sides[0])))
    problem = "an outcome is `6 5 1 v 5 5`, or `dice 3 5 2` (one a seat), or `pick alaska`."
    raise line.error("unknown-outcome", 0, problem, nearest(line.words[0].text, ("dice", "pick")))


def _unlabelled(text: str) -> str:
    """The text without labels and brackets, and with spaces around the words of `65v5`."""
    spread = re.sub(r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)", " ", text.casefold())
    return _LABELS.sub(" ", re.sub(r"[\[\](){}]", " ", spread))


def _side(line: TypedLine, text: str) -> tuple[int, ...]:
    if not _FACES.fullmatch(text.strip()):
        problem = f"{quoted(text.strip(), 40)} are not dice from 1 to 6."
        raise line.error("bad-dice", 0, problem)
    faces = _faces(text)
    if len(faces) > MOST_DICE:
        raise line.error("bad-dice", 0, f"{len(faces)} dice are too many; the most is {MOST_DICE}.")
    return faces


def _pick(line: TypedLine, things: Sequence[str]) -> actions.Outcome:
    name = "_".join(word.text for word in line.words[1:])
    if not name:
        raise line.error("missing-thing", 1, "the name of what was picked is missing.")
    if not things:
        return _unchecked_pick(line)
    found = beginnings(name, things)
    if len(found) == 1:
        return actions.Pick(found[0])
    if found:
        raise line.error("ambiguous-thing", 1, f"{quoted(name)} may mean {one_of(found)}.")
    problem = f"{quoted(name)} cannot be picked now."
    raise line.error("unknown-thing", 1, problem, nearest(name, things))


def _unchecked_pick(line: TypedLine) -> actions.Outcome:
    """A pick that cannot be checked here, as it was typed: ids of missions are in capitals."""
    typed = "_".join(line.text.split()[1:])
    if not _THING.fullmatch(typed):
        raise line.error("unknown-thing", 1, f"{quoted(typed)} is not a possible name.")
    return actions.Pick(typed)
