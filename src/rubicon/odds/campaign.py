"""Campaigns: the chance to take one territory after another, and the armies that are left."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubicon.errors import RubiconError
from rubicon.odds.allocation import CampaignStep, plan_campaign
from rubicon.odds.distribution import DICE, EndingDistribution, ending_distribution
from rubicon.odds.limits import check_at_least, check_attack, check_chance
from rubicon.odds.rolls import Chances, Numbers
from rubicon.odds.rule import DiceRule, check_rule
from rubicon.odds.stop import TO_THE_END, Stop, check_stop
from rubicon.odds.table import enough, first_army_count, first_index
from rubicon.odds.target import Target, check_targets, is_path


@dataclass(frozen=True, slots=True, eq=False)
class CampaignStage:
    """One territory of a campaign.

    `source` is the index of the stage that it is attacked from; -1 is the first territory. `taken`
    is the chance that it is captured, and `left[n]` the chance that n of the attacker's armies
    stand on it at the end. `moves[left, dice]` is how many armies move in when `left` are left
    after a last roll of `dice` dice.
    """

    target: Target
    source: int
    taken: float
    left: tuple[float, ...]
    expected_defend_losses: float
    moves: Numbers

    def move_in(self, left: int) -> int:
        """How many of `left` armies move in after a last roll of as many dice as are allowed."""
        return int(self.moves[left, min(left - 1, DICE - 1)])


@dataclass(frozen=True, slots=True, eq=False)
class Campaign:
    """A campaign and its odds; the stages come depth first, which is the order of a path.

    `win` is the chance to take everything, and `home_left[n]` the chance that n armies stand on
    the first territory at the end.
    """

    attack: int
    home: int
    targets: tuple[Target, ...]
    rule: DiceRule
    stop: Stop
    win: float
    stages: tuple[CampaignStage, ...]
    home_left: tuple[float, ...]

    @property
    def expected_attack_losses(self) -> float:
        """The average number of armies that the attacker loses."""
        standing = [self.home_left, *(stage.left for stage in self.stages)]
        return self.attack - sum(_mean(left) for left in standing)

    @property
    def expected_defend_losses(self) -> float:
        """The average number of armies that the defenders lose."""
        return sum(stage.expected_defend_losses for stage in self.stages)

    @property
    def expected_taken(self) -> float:
        """The average number of territories taken."""
        return sum(stage.taken for stage in self.stages)

    @property
    def is_path(self) -> bool:
        """Whether the path never divides; `taken` is then the chance of all stages up to it."""
        return is_path(self.targets)

    def as_dict(self) -> dict[str, object]:
        """The campaign for JSON. `distribution` has, for each territory, the chances that 0, 1,
        2 … of the attacker's armies stand on it at the end.
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
    """The odds to take `targets` and all behind them, in their order, with `attack` armies.

    `attack` are all armies on the first territory; `home` of them stay there when the last of
    `targets` is taken. Where the path divides, the armies are divided so that the chance to take
    everything is highest. `stop` is for each battle; when it stops one, the other targets of the
    same territory are not attacked either. Raises RubiconError: `odds/attack-too-small`,
    `odds/defend-too-small`, `odds/too-large`, `odds/bad-list`, `odds/bad-number`, and
    `odds/stop-and-split` for stop rules that count losses or rounds where the path divides.

        >>> from rubicon.odds.target import path
        >>> found = campaign(12, path([3, 5, 2]), DiceRule.of("classic"))
        >>> [f"{stage.taken:.3f}" for stage in found.stages]
        ['0.988', '0.750', '0.532']
    """
    check_attack(attack)
    check_campaign(targets, rule, home, stop)
    steps, values = plan_campaign(targets, attack, home, rule, stop)
    starts = np.zeros(attack + 1)
    starts[attack] = 1.0
    stages: list[CampaignStage] = []
    home_left = _walk(steps, starts, -1, stop, stages)
    # On a path, the forward sum is exact; where the path divides, only the plan knows the chance
    # that both directions succeed.
    win = stages[-1].taken if is_path(targets) else values.everything[attack]
    return Campaign(
        attack=attack,
        home=home,
        targets=tuple(targets),
        rule=rule,
        stop=stop,
        win=float(win),
        stages=tuple(stages),
        home_left=_row(home_left),
    )


def campaign_needed(
    targets: Sequence[Target],
    rule: DiceRule,
    chance: float,
    *,
    home: int = 1,
    stop: Stop = TO_THE_END,
) -> int:
    """The fewest armies with at least this chance to take everything.

    Raises RubiconError: `odds/bad-chance`, `odds/not-reached`, and what `campaign` raises.
    """
    check_chance(chance)
    check_campaign(targets, rule, home, stop)
    if _counts(stop):
        # These stops depend on the start, so there is no table over all starts: try one by one.
        most = home + sum(target.behind + enough(stop) for root in targets for target in root)
        return first_army_count(
            lambda attack: campaign(attack, targets, rule, home=home, stop=stop).win, chance, most
        )
    return first_index(
        lambda most: plan_campaign(targets, most, home, rule, stop)[1].everything, chance
    )


def check_campaign(targets: Sequence[Target], rule: DiceRule, home: int, stop: Stop) -> None:
    """RubiconError for a campaign that cannot be computed."""
    check_rule(rule)
    check_stop(stop)
    check_targets(targets)
    check_at_least(home, 1, "The number of armies at home")
    if _counts(stop) and not is_path(targets):
        raise RubiconError(
            "odds/stop-and-split",
            "Where the path divides, a stop rule cannot count losses or rounds.",
            "Stop by the armies left or by the odds, or compute each direction by itself.",
        )


def _counts(stop: Stop) -> bool:
    return stop.lost is not None or stop.rounds is not None


def _walk(
    steps: Sequence[CampaignStep],
    starts: Chances,
    source: int,
    stop: Stop,
    stages: list[CampaignStage],
) -> Chances:
    """Add the stages attacked from one territory; the distribution of armies that stay on it."""
    standing = np.zeros_like(starts)
    for step in steps:
        # With LOST the dice depend on the armies at the start, so there is no common policy.
        policy = step.policy if stop.lost is None else None
        endings = ending_distribution(starts, step.target.defend, step.rule, stop, policy)
        standing += endings.held.sum(axis=1)
        into, starts = _parted(endings.won, step.moves)
        number = len(stages)
        stages.append(_stage(step, source, endings, into))  # its place; completed below
        left = _walk(step.then, into, number, stop, stages)
        left[0] += 1 - endings.won.sum()  # not captured: no army of the attacker on it
        stages[number] = _stage(step, source, endings, left)
    return standing + starts


def _parted(won: Chances, moves: Numbers) -> tuple[Chances, Chances]:
    """The distributions of the armies that moved in, and of those that stayed."""
    size = len(won)
    stay = np.arange(size)[:, None] - moves
    into: Chances = np.bincount(moves.ravel(), won.ravel(), size).astype(np.float64)
    rest: Chances = np.bincount(stay.ravel(), won.ravel(), size).astype(np.float64)
    return into, rest


def _stage(
    step: CampaignStep, source: int, endings: EndingDistribution, left: Chances
) -> CampaignStage:
    defend = step.target.defend
    survivors = endings.held.sum(axis=0) @ np.arange(defend + 1)
    lost = float((endings.won.sum() + endings.held.sum()) * defend - survivors)
    return CampaignStage(
        target=step.target,
        source=source,
        taken=float(endings.won.sum()),
        left=_row(left),
        expected_defend_losses=lost,
        moves=step.moves,
    )


def _row(chances: Chances) -> tuple[float, ...]:
    """The chances up to the last one that is not zero."""
    last = int(np.flatnonzero(chances)[-1]) if chances.any() else 0
    return tuple(chances[: last + 1].tolist())


def _mean(chances: Sequence[float]) -> float:
    return sum(number * chance for number, chance in enumerate(chances))
