"""Campaigns: the chance to take one territory after another, and the armies that are left."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rubicon.errors import RubiconError, WrongType
from rubicon.odds import distribution
from rubicon.odds.battle import enough, first_army_count, first_index
from rubicon.odds.rule import (
    AMPLE,
    MOST_TARGETS,
    TO_THE_END,
    Chances,
    DiceRule,
    Numbers,
    Stop,
    check_at_least,
    check_attack,
    check_chance,
    check_defend,
    check_rule,
    check_stop,
    roll_table,
)

# The targets of a campaign: territories one after another, on a path that may divide.


@dataclass(frozen=True, slots=True)
class Target:
    """A territory to take, and the targets that are attacked from there, in order.

    `defend`: its armies. `behind`: the armies that stay on it when the last of `then` is taken;
    fewer only where the rules make more move in. `rule`: its own dice rule, where airfields or
    its owner make a difference.
    """

    defend: int
    then: tuple["Target", ...] = ()
    behind: int = 1
    rule: DiceRule | None = None

    def __iter__(self) -> Iterator["Target"]:
        """This target and all after it, depth first."""
        yield self
        for target in self.then:
            yield from target


def path(defend: Sequence[int], behind: Sequence[int] = ()) -> tuple[Target, ...]:
    """The `targets` of a campaign along one path, by their defenders.

    `behind` are the armies that stay on each territory but the last; 1 where none is given.
    """
    targets: tuple[Target, ...] = ()
    # From the last territory to the first: each contains the ones after it.
    stays = [*behind, *[1] * len(defend)]
    for armies, stay in reversed(list(zip(defend, stays, strict=False))):
        targets = (Target(armies, targets, stay),)
    return targets


def is_path(targets: Sequence[Target]) -> bool:
    """Whether the path never divides."""
    return len(targets) <= 1 and all(len(target.then) <= 1 for root in targets for target in root)


def with_behind(targets: Sequence[Target], behind: Sequence[int]) -> tuple[Target, ...]:
    """The same targets with `behind`: a number for each from which others are attacked.

    They are in depth-first order; a single number is for all. Raises RubiconError,
    `odds/bad-behind`.
    """
    passed = sum(bool(target.then) for root in targets for target in root)
    numbers = list(behind) * passed if len(behind) == 1 else list(behind)
    if len(numbers) != passed:
        raise RubiconError(
            "odds/bad-behind",
            f"{len(numbers)} numbers of armies to leave behind were given for {passed} "
            "territories on the way.",
            "Give one number for each territory but the last of a path, or one for all.",
        )
    waiting = iter(numbers)
    return tuple(_with_behind(target, waiting) for target in targets)


def _with_behind(target: Target, waiting: Iterator[int]) -> Target:
    if not target.then:
        return target
    behind = next(waiting)
    then = tuple(_with_behind(following, waiting) for following in target.then)
    return replace(target, behind=behind, then=then)


def check_targets(targets: object) -> None:
    """RubiconError for no targets, too many, or impossible numbers."""
    if not isinstance(targets, Sequence) or not all(isinstance(t, Target) for t in targets):
        suggestion = "Write path([3, 5, 2]), or [Target(3), Target(5)]."
        raise WrongType("odds/bad-list", targets, "a list of targets", suggestion)
    every: list[Target] = [target for root in targets for target in root]
    if not 1 <= len(every) <= MOST_TARGETS:
        raise RubiconError(
            "odds/bad-list",
            f"A campaign cannot have {len(every)} territories.",
            f"Name 1 to {MOST_TARGETS} of them.",
        )
    for target in every:
        check_defend(target.defend)
        check_at_least(target.behind, 1, "The number of armies left behind")


# Parses the territories of a campaign, and chances, as they are typed.

LONGEST = 1_000  # characters of a list
MOST_DIGITS = 15
NUMBER = re.compile(r"\s*-?\d+\s*")
TOKEN = re.compile(r"\s*(\d+|[,()])")
CHANCE = re.compile(r"(?P<number>-?(\d{1,9}(\.\d*)?|\.\d+))\s*(?P<percent>%?)")
HOW = "Write 3,5,2 for a path, or 3,5(2)(4,1) where the path divides."


def parse_targets(text: str) -> tuple[Target, ...]:
    """The targets of `3,5,2`, or of `3,5(2)(4,1)`, where the path divides after 5 into 2 and 4,1.

    Raises RubiconError: `odds/bad-list`, and what `check_targets` raises.
    """
    tokens = _tokens(text)
    targets = _path(tokens, text)
    if tokens:
        raise bad_list(text)
    check_targets(targets)
    return targets


def targets_text(targets: Sequence[Target]) -> str:
    """The inverse of `parse_targets`."""
    if len(targets) == 1:
        then = targets[0].then
        comma = "," if len(then) == 1 else ""
        return f"{targets[0].defend}{comma}{targets_text(then)}"
    return "".join(f"({targets_text([target])})" for target in targets)


def parse_numbers(text: str) -> tuple[int, ...]:
    """The numbers of `1,2`; RubiconError, `odds/bad-list`."""
    words = text.split(",")
    if len(text) > LONGEST or not all(NUMBER.fullmatch(word) for word in words):
        raise bad_list(text, "Write whole numbers with commas between them: 1,2.")
    return tuple(_whole(word) for word in words)


def parse_chance(text: str) -> float:
    """The number of `0.8` or `80%`, also beyond 0 to 1; RubiconError, `odds/bad-chance`."""
    found = CHANCE.fullmatch(text.strip())
    if found is None:
        raise RubiconError("odds/bad-chance", f"{text[:20]!r} is no number.", "Write 0.8, or 80%.")
    return float(found["number"]) / (100 if found["percent"] else 1)


def bad_list(text: str, how: str = HOW) -> RubiconError:
    """The error for a text that is no list."""
    quoted = text if len(text) <= 40 else text[:40] + "…"
    return RubiconError("odds/bad-list", f"{quoted!r} is no list of armies.", how)


def _tokens(text: str) -> list[str]:
    """The tokens of a text in reverse, so that pop() takes the next one."""
    found = TOKEN.findall(text)
    if len(text) > LONGEST or TOKEN.sub("", text).strip():
        raise bad_list(text)
    return found[::-1]


def _path(tokens: list[str], text: str) -> tuple[Target, ...]:
    """A number and the targets after it, or several paths in brackets."""
    if tokens and tokens[-1] == "(":
        return _branches(tokens, text)
    if not tokens or not tokens[-1].isdecimal():
        raise bad_list(text)
    defend = _whole(tokens.pop())
    if tokens and tokens[-1] == ",":
        tokens.pop()
        return (Target(defend, _path(tokens, text)),)
    return (Target(defend, _branches(tokens, text)),)


def _branches(tokens: list[str], text: str) -> tuple[Target, ...]:
    """All paths in brackets from here on."""
    branches: list[Target] = []
    while tokens and tokens[-1] == "(":
        tokens.pop()
        branches.extend(_path(tokens, text))
        if not tokens or tokens.pop() != ")":
            raise bad_list(text)
    return tuple(branches)


def _whole(word: str) -> int:
    """The number of a word; one with too many digits becomes one that is too large anyway."""
    digits = word.strip()
    # int() takes quadratic time, so a number of thousands of digits is not even converted.
    return int(digits) if len(digits) <= MOST_DIGITS else int(10.0**MOST_DIGITS)


# Plans a campaign from its end backwards: the value of armies, and how many move in where.


@dataclass(frozen=True, slots=True, eq=False)
class CampaignStep:
    """The attack on one territory: the dice `policy`, and how many armies move in.

    `moves[left, dice]` move in when `left` armies are left after a last roll of `dice` dice.
    `then` are the steps from there.
    """

    target: Target
    rule: DiceRule
    policy: distribution.DicePolicy
    moves: Numbers
    then: tuple["CampaignStep", ...]


@dataclass(frozen=True, slots=True, eq=False)
class ArmiesValue:
    """The value of n armies on a territory, as arrays over n.

    `everything` is the chance to take all targets from there, `number` the average number of
    territories taken.
    """

    everything: Chances
    number: Chances


def plan_campaign(
    targets: Sequence[Target], most: int, behind: int, rule: DiceRule, stop: Stop
) -> tuple[tuple[CampaignStep, ...], ArmiesValue]:
    """The steps that take `targets`, in their order, from a territory with up to `most` armies.

    Where the path divides, armies move in so that the chance to take everything is highest; among
    equals, so that the average number of territories is. The recursion goes over the targets from
    the last: the value of a capture is that of the armies that move in times that of those that
    stay for the remaining targets.
    """
    if not targets:
        return (), ArmiesValue(np.ones(most + 1), np.zeros(most + 1))
    first, *others = targets
    own = first.rule or rule
    onward, into = plan_campaign(first.then, most, first.behind, rule, stop)
    following, rest = plan_campaign(others, most, behind, rule, stop)
    fewest = _fewest(own, most)
    moves = _divided(fewest, into, rest) if others else _all_but(fewest, behind)
    both = _both(moves, into.everything, rest.everything)
    solution = distribution.solve(most, first.defend, own, stop, both)
    number = 1 + _sum(moves, into.number, rest.number)
    taken = distribution.policy_value(own, solution.policy, number)
    step = CampaignStep(first, own, solution.policy, moves, onward)
    defend = first.defend
    value = ArmiesValue(solution.value[:, defend].copy(), taken[:, defend].copy())
    return (step, *following), value


def _fewest(rule: DiceRule, most: int) -> Numbers:
    """The fewest armies that move in, by armies left and dice."""
    fewest: Numbers = roll_table(rule).occupy[np.minimum(np.arange(most + 1), AMPLE)]
    return fewest


def _all_but(fewest: Numbers, behind: int) -> Numbers:
    """All armies move in but those that stay behind."""
    left = np.arange(len(fewest))[:, None]
    moves: Numbers = np.where(left > 1, np.maximum(fewest, left - behind), 0)
    return moves


def _divided(fewest: Numbers, into: ArmiesValue, rest: ArmiesValue) -> Numbers:
    """The number that moves in with the highest value for both directions together."""
    moves = np.zeros_like(fewest)
    for left in range(2, len(fewest)):
        # Index n of both products: n armies move in, left - n stay.
        everything = into.everything[:left] * rest.everything[left:0:-1]
        number = into.number[:left] + rest.number[left:0:-1]
        for dice in range(1, distribution.DICE):
            first = int(fewest[left, dice])
            equal = everything[first:] >= everything[first:].max()
            moves[left, dice] = first + np.where(equal, number[first:], -1.0).argmax()
    return moves


def _both(moves: Numbers, into: Chances, rest: Chances) -> Chances:
    """The chance that both directions succeed; they are independent once the armies are divided."""
    left = np.arange(len(moves))[:, None]
    return np.ascontiguousarray(into[moves] * rest[left - moves])


def _sum(moves: Numbers, into: Chances, rest: Chances) -> Chances:
    """The average number of territories taken in both directions."""
    left = np.arange(len(moves))[:, None]
    return np.ascontiguousarray(into[moves] + rest[left - moves])


@dataclass(frozen=True, slots=True, eq=False)
class CampaignStage:
    """One territory of a campaign.

    `source` is the index of the stage that it is attacked from; -1 is the first territory. `taken`
    is the chance that it is captured, and `left[n]` the chance that n of the attacker's armies
    are on it at the end. `moves[left, dice]` is how many armies move in when `left` are left
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
        return int(self.moves[left, min(left - 1, distribution.DICE - 1)])


@dataclass(frozen=True, slots=True, eq=False)
class Campaign:
    """A campaign and its odds; the stages come depth first, which is the order of a path.

    `win` is the chance to take everything, and `home_left[n]` the chance that n armies are on
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
        2 … of the attacker's armies are on it at the end.
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

        >>> from rubicon.odds.campaign import path
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
        endings = distribution.ending_distribution(
            starts, step.target.defend, step.rule, stop, policy
        )
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
    step: CampaignStep, source: int, endings: distribution.EndingDistribution, left: Chances
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
