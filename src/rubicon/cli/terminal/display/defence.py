"""What a defender must know before choosing dice: who attacks, with what, and the odds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubicon.engine.records.position import Position
from rubicon.odds.defence import chance_to_hold, roll_outcomes
from rubicon.rules.actions import DefendWith
from rubicon.wording import numbered

if TYPE_CHECKING:
    from rubicon.rules.game.game import Game


def attack_lines(game: Game, colour: str) -> list[str]:
    """The attack that waits for `colour`'s dice, and the odds of each number of dice.

    Armies and owners come from the seat's own view.
    """
    view = game.view(colour)
    source, target = int(view.attack_source), int(view.attack_target)
    names = [territory.name for territory in game.ruleset.board.territories]
    attacker = game.owner_name(int(view.owner[source]))
    dice = int(view.attack_dice)
    lines = [
        f"{attacker.capitalize()} attacks your {names[target]} ({armies(view, target)}) from "
        f"{names[source]} ({armies(view, source)}) and rolls {numbered(dice, 'die', 'dice')}."
    ]
    for number in dice_choices(game, colour):
        lines.append(f"  {numbered(number, 'die ', 'dice')}: {roll_odds(game, view, number)}")
    chance = chance_to_hold(game.ruleset, view)
    if chance is not None:
        lines.append(
            f"If {attacker} goes on to the end, you hold {names[target]} in "
            f"{percent(chance)} of games."
        )
    return lines


def armies(view: Position, t: int) -> str:
    """The armies of a territory; a question mark where they are hidden."""
    count = int(view.armies[t])
    return "? armies" if count < 0 else numbered(count, "army", "armies")


def dice_choices(game: Game, colour: str) -> list[int]:
    """The numbers of dice that the defender may choose, the most first."""
    found: list[int] = []
    for action_range in game.legal_for(colour).ranges:
        low, high = action_range.lowest, action_range.highest
        if isinstance(low, DefendWith) and isinstance(high, DefendWith):
            found += range(high.dice, low.dice - 1, -1)
    return found


def roll_odds(game: Game, view: Position, dice: int) -> str:
    """What one roll costs both sides, the best for the defender first."""
    return ", ".join(
        f"{percent(one.chance)} {loss_text(one.attacker_loses, one.defender_loses)}"
        for one in roll_outcomes(game.ruleset, view, dice)
    )


def loss_text(lost: int, won: int) -> str:
    """The losses of one roll, as the defender reads them."""
    if lost == won:
        return f"each loses {lost}"
    parts = [f"they lose {lost}"] * (lost > 0) + [f"you lose {won}"] * (won > 0)
    return " and ".join(parts)


def percent(chance: float) -> str:
    """A chance in whole percent; `<1%` and `>99%` where that would say never or always."""
    if 0 < chance < 0.005:
        return "<1%"
    return ">99%" if 0.995 < chance < 1 else f"{chance:.0%}"
