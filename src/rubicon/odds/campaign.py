"""Campaigns: the chance to take one territory after another, and what is left of the army."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubicon.odds.fight import DICE, Fought, fight
from rubicon.odds.limits import check_at_least, check_attack, check_chance
from rubicon.odds.rolls import Chances, Numbers
from rubicon.odds.rule import DiceRule, check_rule
from rubicon.odds.split import Step, steps_from
from rubicon.odds.stop import TO_THE_END, Stop, check_stop
from rubicon.odds.table import ample, first_in, first_that
from rubicon.odds.target import Target, check_targets, is_path
from rubicon.rules.errors import RubiconError


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """One territory of a campaign.

    `source` is the number of the stage that it is attacked from, -1 the territory where all
    begins. `taken` is the chance that it falls, `left[n]` that n of the attacker's armies stand
    on it in the end, and `moves[left, dice]` how many move in when so many are left after a
    last roll of so many dice.
    """

    target: Target
    source: int
    taken: float
    left: tuple[float, ...]
    expected_defend_losses: float
    moves: Numbers

    def move_in(self, left: int) -> int:
        """How many of `left` armies move in after a last roll of as many dice as are usual."""
        return int(self.moves[left, min(left - 1, DICE - 1)])


@dataclass(frozen=True, slots=True, eq=False)
class Campaign:
    """Everything about a campaign; stages come depth first, which is the order of a path.

    `win` is the chance that all is taken, `home_left[n]` that n armies stand in the end on the
    territory where it began.
    """

    attack: int
    home: int
    targets: tuple[Target, ...]
    rule: DiceRule
    stop: Stop
    win: float
    stages: tuple[Stage, ...]
    home_left: tuple[float, ...]

    @property
    def expected_attack_losses(self) -> float:
        """Armies that the attacker loses on average."""
        standing = [self.home_left, *(stage.left for stage in self.stages)]
        return self.attack - sum(_mean(left) for left in standing)

    @property
    def expected_defend_losses(self) -> float:
        """Armies that the defenders lose on average."""
        return sum(stage.expected_defend_losses for stage in self.stages)

    @property
    def expected_taken(self) -> float:
        """Territories taken on average."""
        return sum(stage.taken for stage in self.stages)

    @property
    def is_path(self) -> bool:
        """Whether the way never divides: then `taken` of each stage is that of the prefix."""
        return is_path(self.targets)

    def as_dict(self) -> dict[str, object]:
        """The campaign as programs get it. `distribution` has, for each territory, the chances
        of 0, 1, 2 … of the attacker's armies on it in the end.
        """
        return {
            "attack": self.attack,
            "defend": [stage.target.defend for stage in self.stages],
            "source": [stage.source for stage in self.stages],
            "behind": [self.home, *(stage.target.behind for stage in self.stages)],
            "rule": str(self.rule),
            "stop": str(self.stop),
            "win": self.win,
            "taken": [stage.taken for stage in self.stages],
            "expected_taken": self.expected_taken,
            "expected_attack_losses": self.expected_attack_losses,
            "expected_defend_losses": self.expected_defend_losses,
            "home_distribution": list(self.home_left),
            "distribution": [list(stage.left) for stage in self.stages],
        }


def campaign(
    attack: int,
    targets: Sequence[Target],
    rule: DiceRule,
    *,
    home: int = 1,
    stop: Stop = TO_THE_END,
) -> Campaign:
    """Take `targets` and all behind them, in their order, with `attack` armies.

    `attack` is all that stands on the first territory; `home` of them stay there when the last
    of `targets` has been taken. Where the way divides, armies are split so that everything is
    taken most often. `stop` is for each battle; one that is broken off ends what was to be
    attacked from there. Raises RubiconError: `odds/attack-too-small`, `odds/defend-too-small`,
    `odds/too-large`, `odds/bad-list`, `odds/bad-number`, and `odds/stop-and-split` for stop
    rules that count losses or rounds where the way divides.

        >>> from rubicon.odds.target import path
        >>> found = campaign(12, path([3, 5, 2]), DiceRule.of("classic"))
        >>> [f"{stage.taken:.3f}" for stage in found.stages]
        ['0.988', '0.750', '0.532']
    """
    check_attack(attack)
    check_campaign(targets, rule, home, stop)
    steps, prospect = steps_from(targets, attack, home, rule, stop)
    starts = np.zeros(attack + 1)
    starts[attack] = 1.0
    stages: list[Stage] = []
    home_left = _walk(steps, starts, -1, stop, stages)
    every = prospect.everything[attack] if not is_path(targets) else stages[-1].taken
    return Campaign(
        attack, home, tuple(targets), rule, stop, float(every), tuple(stages), _row(home_left)
    )


def campaign_needed(
    targets: Sequence[Target],
    rule: DiceRule,
    chance: float,
    *,
    home: int = 1,
    stop: Stop = TO_THE_END,
) -> int:
    """The fewest armies that take everything with at least this chance.

    Raises RubiconError: `odds/bad-chance`, `odds/not-reached`, and what `campaign` raises.
    """
    check_chance(chance)
    check_campaign(targets, rule, home, stop)
    if _counts(stop):
        most = home + sum(target.behind + ample(stop) for root in targets for target in root)
        return first_that(
            lambda attack: campaign(attack, targets, rule, home=home, stop=stop).win, chance, most
        )
    return first_in(lambda most: steps_from(targets, most, home, rule, stop)[1].everything, chance)


def check_campaign(targets: Sequence[Target], rule: DiceRule, home: int, stop: Stop) -> None:
    """Refuse a campaign that cannot be reckoned."""
    check_rule(rule)
    check_stop(stop)
    check_targets(targets)
    check_at_least(home, 1, "The armies left at home")
    if _counts(stop) and not is_path(targets):
        raise RubiconError(
            "odds/stop-and-split",
            "Where the way divides, a stop rule cannot count losses or rounds.",
            "Stop by the armies left or by the odds, or reckon the ways one by one.",
        )


def _counts(stop: Stop) -> bool:
    return stop.lost is not None or stop.rounds is not None


def _walk(
    steps: Sequence[Step], starts: Chances, source: int, stop: Stop, stages: list[Stage]
) -> Chances:
    """Attack from one territory what is to be attacked; who stands there in the end."""
    standing = np.zeros_like(starts)
    for step in steps:
        plan = step.plan if stop.lost is None else None
        fought = fight(starts, step.target.defend, step.rule, stop, plan)
        standing += fought.held.sum(axis=1)
        into, starts = _parted(fought.won, step.moves)
        number = len(stages)
        stages.append(_stage(step, source, fought, into))
        left = _walk(step.then, into, number, stop, stages)
        left[0] += 1 - fought.won.sum()
        stages[number] = _stage(step, source, fought, left)
    return standing + starts


def _parted(won: Chances, moves: Numbers) -> tuple[Chances, Chances]:
    """The chances of armies that moved in and of those that stayed."""
    size = len(won)
    stay = np.arange(size)[:, None] - moves
    into: Chances = np.bincount(moves.ravel(), won.ravel(), size).astype(np.float64)
    rest: Chances = np.bincount(stay.ravel(), won.ravel(), size).astype(np.float64)
    return into, rest


def _stage(step: Step, source: int, fought: Fought, left: Chances) -> Stage:
    defend = step.target.defend
    spared = fought.held.sum(axis=0) @ np.arange(defend + 1)
    fallen = float((fought.won.sum() + fought.held.sum()) * defend - spared)
    return Stage(step.target, source, float(fought.won.sum()), _row(left), fallen, step.moves)


def _row(chances: Chances) -> tuple[float, ...]:
    """Chances without the zeros behind the last."""
    last = int(np.flatnonzero(chances)[-1]) if chances.any() else 0
    return tuple(chances[: last + 1].tolist())


def _mean(chances: Sequence[float]) -> float:
    return sum(number * chance for number, chance in enumerate(chances))
