"""What a defender must know before choosing dice: who attacks, with what, and the odds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubicon.engine.records.position import Position, copy_position
from rubicon.odds.battle import battle
from rubicon.odds.rolls import AMPLE, roll_table
from rubicon.odds.rule import DiceRule
from rubicon.rules.actions import DefendWith
from rubicon.wording import numbered

if TYPE_CHECKING:
    from rubicon.rules.game.game import Game

MOST_SHOWN = 500  # armies of one side, above which the chance of the whole battle is left out


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
    chance = chance_to_hold(game, view)
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
    table = roll_table(rule_of(game, view))
    source, target = int(view.attack_source), int(view.attack_target)
    mine = min(int(view.armies[target]), AMPLE)
    theirs = min(int(view.armies[source]), AMPLE)
    counts = table.counts[theirs, mine, int(view.attack_dice), dice]
    total = max(1, int(counts.sum()))
    outcomes = [(int(lost), int(won)) for lost, won in zip(*counts.nonzero(), strict=True)]
    outcomes.sort(key=lambda outcome: (outcome[1], -outcome[0]))
    return ", ".join(
        f"{percent(int(counts[lost, won]) / total)} {loss_text(lost, won)}"
        for lost, won in outcomes
    )


def loss_text(lost: int, won: int) -> str:
    """The losses of one roll, as the defender reads them."""
    if lost == won:
        return f"each loses {lost}"
    parts = [f"they lose {lost}"] * (lost > 0) + [f"you lose {won}"] * (won > 0)
    return " and ".join(parts)


def rule_of(game: Game, view: Position) -> DiceRule:
    """The dice rule between the two territories of the attack."""
    return DiceRule.between(
        game.ruleset, copy_position(view), int(view.attack_source), int(view.attack_target)
    )


def chance_to_hold(game: Game, view: Position) -> float | None:
    """The chance that the attack fails if it goes on to the end; None for very large armies."""
    attack = int(view.armies[int(view.attack_source)])
    defend = int(view.armies[int(view.attack_target)])
    if not (2 <= attack <= MOST_SHOWN and 1 <= defend <= MOST_SHOWN):
        return None
    return 1 - float(battle(attack, defend, rule_of(game, view)).win)


def percent(chance: float) -> str:
    """A chance in whole percent; `<1%` and `>99%` where that would say never or always."""
    if 0 < chance < 0.005:
        return "<1%"
    return ">99%" if 0.995 < chance < 1 else f"{chance:.0%}"
