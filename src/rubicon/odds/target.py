"""The targets of a campaign: territories behind one another, on a path that may divide."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rubicon.arguments import WrongType
from rubicon.errors import RubiconError
from rubicon.odds.limits import MOST_TARGETS, check_at_least, check_defend
from rubicon.odds.rule import DiceRule


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
        """This target and all behind it, depth first."""
        yield self
        for target in self.then:
            yield from target


def path(defend: Sequence[int], behind: Sequence[int] = ()) -> tuple[Target, ...]:
    """The `targets` of a campaign along one path, by their defenders.

    `behind` are the armies that stay on each territory but the last; 1 where none is given.
    """
    targets: tuple[Target, ...] = ()
    # From the last territory to the first: each contains the ones behind it.
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
