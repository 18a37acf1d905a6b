"""The exact texts of actions, as `str(action)` writes them, read without the freer grammar.

Records and logs hold only these; reading them this way is several times as fast.
"""

from collections.abc import Sequence

from rubicon.rules.actions import (
    MOST_ARMIES,
    STANDING_TEXTS,
    Action,
    Attack,
    Claim,
    ClaimObjective,
    Decline,
    DefendWith,
    EndAttack,
    EndTurn,
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
from rubicon.rules.board.board import Board
from rubicon.rules.notation.words import LONGEST_LINE, MOST_DIGITS, is_number

OBJECTIVE_IDS = tuple(f"OB{number:02}" for number in range(1, 13))
WILD_IDS = ("wild1", "wild2")
_ORDERS = {text: order for order, text in STANDING_TEXTS.items()}
_PLAIN: dict[str, Action] = {str(a): a for a in (Withdraw(), EndAttack(), Decline(), EndTurn())}


def objective_id(word: str) -> str | None:
    """The id of the objective that a word names: `OB07` for `ob07`, `ob7` and `7`."""
    digits = word.removeprefix("ob")
    name = f"OB{digits.lstrip('0'):0>2}" if is_number(digits) else ""
    return name if name in OBJECTIVE_IDS else None


def exact_action(text: object, board: Board, colours: Sequence[str]) -> Action | None:
    """The action whose exact text this is; None for any other text."""
    if not isinstance(text, str) or len(text) > LONGEST_LINE:
        return None
    action = _PLAIN.get(text) or _matched(text.split(" "), board, colours)
    return action if action is not None and str(action) == text else None


def _matched(words: list[str], board: Board, colours: Sequence[str]) -> Action | None:
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


def _with_number(words: list[str]) -> Action | None:
    match words:
        case ["attack", source, "->", target]:
            return Attack(source, target)
        case ["attack", source, "->", target, "again"]:
            return Attack(source, target, again=True)
        case ["attack", source, "->", target, "dice", dice, *again] if number := whole(dice):
            return Attack(source, target, number, bool(again))
        case ["fortify", source, "->", target, armies] if (number := whole(armies)) is not None:
            return Fortify(source, target, number)
        case ["place", territory, armies] if (number := whole(armies)) is not None:
            return Place(territory, number)
        case ["defend", dice] if (number := whole(dice)) is not None:
            return DefendWith(number)
        case ["occupy", armies] if (number := whole(armies)) is not None:
            return Occupy(number)
    return None


def _of_seat(words: list[str]) -> Action | None:
    match words:
        case ["seal", colour]:
            return Seal(colour)
        case ["resign", colour]:
            return Resign(colour)
        case ["reveal", colour]:
            return RevealMission(colour)
        case ["standing", colour, territory, order] if order in _ORDERS:
            where = None if territory == "all" else territory
            return StandingOrder(colour, where, _ORDERS[order])
    return None


def _with_cards(words: list[str]) -> Action | None:
    match words:
        case ["trade"]:
            return Trade()
        case ["trade", first, second, third]:
            return Trade((first, second, third))
        case ["trade", first, second, third, "on", bonus]:
            return Trade((first, second, third), bonus)
        case ["offer", card]:
            return Offer(card)
    return None


def _set_up_or_objective(words: list[str]) -> Action | None:
    match words:
        case ["claim", territory]:
            return Claim(territory)
        case ["capital", territory]:
            return PlaceCapital(territory)
        case ["objective", objective] if objective in OBJECTIVE_IDS:
            return ClaimObjective(objective)
        case ["objective", objective, "airfield", territory] if objective in OBJECTIVE_IDS:
            return ClaimObjective(objective, territory)
    return None


def whole(word: str) -> int | None:
    """The number of armies or dice that a word writes in plain digits; None for any other word."""
    if not is_number(word) or len(word) > MOST_DIGITS or int(word) > MOST_ARMIES:
        return None
    return int(word)


def _named(action: Action) -> set[str]:
    """The territories and cards that an action names."""
    match action:
        case Attack(source, target) | Fortify(source, target):
            return {source, target}
        case Trade(cards, bonus):
            return {*cards, *([bonus] if bonus else [])} - set(WILD_IDS)
        case Offer(card):
            return {card} - set(WILD_IDS)
        case Claim(territory) | PlaceCapital(territory) | Place(territory):
            return {territory}
        case StandingOrder(_, where, _) | ClaimObjective(_, where) if where is not None:
            return {where}
    return set()
