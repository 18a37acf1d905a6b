"""What a person leaves out: numbers that go without saying, one's own colour, the only set."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rubicon.rules.actions import (
    Action,
    Attack,
    Decline,
    EndAttack,
    EndTurn,
    Fortify,
    Place,
    Resign,
    RevealMission,
    Seal,
    StandingOrder,
    Trade,
)
from rubicon.rules.choices import SetValues
from rubicon.rules.errors import RubiconError
from rubicon.rules.position import Phase
from rubicon.rules.procedures.attack import most_attack_dice
from rubicon.rules.text.actions import parse_action

if TYPE_CHECKING:
    from rubicon.rules.game import Game

DONE = ("end", "done", "pass", "skip")
ODD_NUMBER = re.compile(r"[-+\u2212]\d+|[-+\u2212]?\d+[.,]\d+")
ENDS = (EndAttack, EndTurn, Decline)


def understand(text: str, game: Game, colour: str) -> Action:
    """The action that a seat means; what is left unsaid becomes the most there may be."""
    if text.lower() in DONE:
        return the_only(game, colour, ENDS, "end")
    action = read(text, game, colour)
    check_own(game, colour, action)
    if isinstance(action, Resign) and len(text.split()) == 1:
        raise sure_to_resign(colour)
    if action == Trade() and game.rules.cards_values != SetValues.STARS:
        return the_only(game, colour, (Trade,), "trade")
    if isinstance(action, Attack) and action.dice is None:
        return replace(action, dice=most(game, colour, action) or None)
    return action


def read(text: str, game: Game, colour: str) -> Action:
    """Parse a line; without a number it means as many as possible."""
    check_number(text)
    parse = partial(
        parse_action,
        board=game.ruleset.board,
        colours=game.colours,
        seat=colour,
        most=partial(most, game, colour),
    )
    try:
        return parse(text)
    except RubiconError as error:
        if error.code != "text/missing-number":
            raise
        try:
            return parse(f"{text} all")
        except RubiconError:
            raise error from None


def check_number(text: str) -> None:
    """Refuse a last word that counts nothing: else it would be taken for part of a name."""
    word = text.rsplit(maxsplit=1)[-1]
    if ODD_NUMBER.fullmatch(word):
        raise RubiconError(
            "play/bad-number",
            f"{word[:40]!r} is no number of armies or dice.",
            "Write a whole number from 1, or none for as many as possible.",
        )


def the_only(game: Game, colour: str, kinds: tuple[type, ...], verb: str) -> Action:
    """What a bare `end` or `trade` means now."""
    lowest = [family.lowest for family in game.legal_for(colour).families]
    fitting = [action for action in lowest if isinstance(action, kinds)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        sets = "; ".join(str(action) for action in fitting)
        raise RubiconError("play/which-set", "Which set?", f"There is: {sets}.")
    raise RubiconError(f"play/nothing-to-{verb}", f"There is nothing to {verb} now.", "")


def sure_to_resign(colour: str) -> RubiconError:
    """The question before a resignation."""
    return RubiconError(
        "play/resign",
        "To resign is to leave the game for good.",
        f"If you mean it, write: resign {colour}",
    )


def check_own(game: Game, colour: str, action: Action) -> None:
    """Refuse what would be done for another seat."""
    match action:
        case Seal(seat) | Resign(seat) | RevealMission(seat) | StandingOrder(seat):
            owner = seat
        case Place(territory, _) if game.phase == Phase.SEALED:
            owner = game.owner_name(int(game.view(colour).owner[at(game, territory)]))
        case _:
            return
    if owner != colour:
        raise RubiconError(
            "play/not-your-seat", f"That is for {owner} to decide; you are {colour}.", ""
        )


def at(game: Game, territory: str) -> int:
    """The number of a territory."""
    return game.territories.index(territory)


def most(game: Game, colour: str, action: Action) -> int:
    """The highest number that an action may have now; 1 where it may have none."""
    view = game.view(colour)
    match action:
        case Place():
            return most_to_place(game, view, colour)
        case Fortify(source, _, _):
            return max(1, int(view.armies[at(game, source)]) - 1)
        case Attack(source):
            return int(most_attack_dice(view, game.rules, at(game, source)))
    for family in game.legal_for(colour).families:
        if type(family.highest) is type(action):
            return int(str(family.highest).rsplit(" ", 1)[-1])
    return 1


def most_to_place(game: Game, view: Any, colour: str) -> int:
    """All that is unplaced; in the rounds of the set-up, what the move asks for."""
    if game.phase == Phase.PLACE:
        return max(1, int(view.own_left) or int(view.neutral_left))
    return max(1, int(view.unplaced[game.seat(colour)]))
