"""A dice rule: everything about two territories that decides how their battle is rolled."""

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

from rubicon.arguments import WrongType
from rubicon.engine.phases.attack import MOST_ATTACK_DICE, MOST_DEFENCE_DICE, bonus_dice
from rubicon.engine.records.position import NEUTRAL, Position
from rubicon.errors import RubiconError
from rubicon.rules.ruleset.ruleset import Ruleset, check_ruleset

Dice = int | Literal["most", "best"]


@dataclass(frozen=True, slots=True)
class DiceRule:
    """A ruleset, what matters about two territories, and how many dice each side chooses.

    `attack_dice` is 1, 2 or 3 (fewer where the armies allow no more), "most" (as many as the
    rules allow) or "best" (the number with the highest chance, for each roll). `defend_dice` is
    1, 2, "most" or "best": the answer to each roll that is worst for the attacker, who names the
    dice first. `neutral`: neutral armies or rebels defend (A-28). The others are rewards (RW1,
    RW5, RW6): a bonus die, an airfield in range.

    Raises RubiconError: `odds/bad-dice`, and `odds/no-rewards` where the ruleset has none.
    """

    ruleset: Ruleset
    attack_dice: Dice = "most"
    defend_dice: Dice = "most"
    neutral: bool = False
    attack_die: bool = False
    defence_die: bool = False
    attack_airfield: bool = False
    defence_airfield: bool = False

    def __post_init__(self) -> None:
        check_ruleset(self.ruleset)
        _check_dice(self.attack_dice, MOST_ATTACK_DICE, "attacker")
        _check_dice(self.defend_dice, MOST_DEFENCE_DICE, "defender")
        if self.rewarded and not self.ruleset.rules.objectives_in_play:
            raise RubiconError(
                "odds/no-rewards",
                f"The ruleset {self.ruleset.name} has neither bonus dice nor airfields.",
                "The rulesets revised and revised-conquest have.",
            )

    @classmethod
    def of(cls, preset: str = "classic", **facts: Any) -> Self:
        """The rule of a preset, or of a ruleset file; `facts` are the other fields."""
        return cls(Ruleset.load(preset), **facts)

    @classmethod
    def between(
        cls,
        ruleset: Ruleset,
        position: Position,
        source: int,
        target: int,
        *,
        attack_dice: Dice = "most",
        defend_dice: Dice = "most",
    ) -> Self:
        """The rule for an attack from `source` to `target` in a position or a seat's view of it.

        Territories are indices on the board. The position says who defends, and which bonus dice
        and airfields count. Standing orders are ignored, since the attacker may not see them.
        """
        # The engine fills in the bonus dice of an attack; on a copy, as if it were this one.
        trial = position.copy()
        trial.turn = trial.owner[source]
        trial.attack_extra = trial.defence_extra = 0
        trial.attack_plus = trial.defence_plus = 0
        if ruleset.rules.objectives_in_play:
            bonus_dice(trial, ruleset.rules, ruleset.tables, source, target)
        return cls(
            ruleset,
            attack_dice,
            defend_dice,
            neutral=bool(trial.owner[target] == NEUTRAL),
            attack_die=bool(trial.attack_extra),
            defence_die=bool(trial.defence_extra),
            attack_airfield=bool(trial.attack_plus),
            defence_airfield=bool(trial.defence_plus),
        )

    def __hash__(self) -> int:
        facts = (self.attack_die, self.defence_die, self.attack_airfield, self.defence_airfield)
        # Rulesets with equal rules give equal odds, whatever their names: the bytes are the key.
        rules = np.asarray(self.ruleset.rules).tobytes()
        return hash((rules, self.attack_dice, self.defend_dice, self.neutral, facts))

    @property
    def rewarded(self) -> bool:
        """Whether a reward changes the dice of a side."""
        dice = self.attack_die or self.defence_die
        return dice or self.attack_airfield or self.defence_airfield

    def __str__(self) -> str:
        parts = [self.ruleset.name, *(f"{n}={v}" for n, v in self.ruleset.differences.items())]
        for side, chosen in (("attack", self.attack_dice), ("defend", self.defend_dice)):
            parts += [] if chosen == "most" else [f"{side} dice: {chosen}"]
        for fact in ("neutral", "attack_die", "defence_die", "attack_airfield", "defence_airfield"):
            parts += [fact.replace("_", " ")] if getattr(self, fact) else []
        return ", ".join(parts)


def check_rule(given: object) -> None:
    """WrongType, `odds/not-a-rule`, for anything but a DiceRule."""
    if not isinstance(given, DiceRule):
        suggestion = 'Write DiceRule.of("classic"), or DiceRule(ruleset).'
        raise WrongType("odds/not-a-rule", given, "a dice rule", suggestion)


def _check_dice(dice: Dice, most: int, who: str) -> None:
    if dice in ("most", "best") or (type(dice) is int and 1 <= dice <= most):
        return
    numbers = ", ".join(str(number) for number in range(1, most + 1))
    raise RubiconError(
        "odds/bad-dice",
        f"The {who} cannot roll {str(dice)[:20]!r} dice.",
        f"Write {numbers}, most or best.",
    )
