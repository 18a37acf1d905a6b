"""A sheet of orders as a flat list of steps, so that "how far" is one small value."""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from rubicon.orders.order import (
    AttackOrder,
    CardEarned,
    Eliminated,
    Failed,
    Holds,
    IfOrder,
    Order,
    SimpleOrder,
    Won,
)
from rubicon.rules.errors import RubiconError


class Progress(NamedTuple):
    """How far orders are carried out: everything that matters beside the position."""

    at: int = 0  # the step
    part: int = 0  # of it: the leg of a path, the placement of a list
    rolled: int = 0  # rolls of this attack, no more than its ROUNDS (1 without) can tell apart
    placed: int = 0  # armies of this placement that stand already
    traded: int = 0  # sets of this trade
    start: int = 0  # own armies on the board when the attack began, where LOST asks for it
    attack: int = -1  # the attack that was begun last, where a later IF WON asks for it; else -1

    def behind(self, to: int | None = None) -> "Progress":
        """The beginning of the next step, or of another one."""
        return Progress(self.at + 1 if to is None else to, attack=self.attack)


@dataclass(frozen=True, slots=True)
class Step:
    """One order; `line` is its number in the sheet, from 1."""

    line: int
    order: SimpleOrder


@dataclass(frozen=True, slots=True)
class AllTaken:
    """Every one of the territories is held; turned round, one of them is not."""

    territories: tuple[str, ...]
    expected: bool


@dataclass(frozen=True, slots=True)
class LastTaken:
    """All that the attack begun last went for is held; turned round, or none was begun: not."""

    expected: bool


Test: TypeAlias = AllTaken | LastTaken | Holds | CardEarned | Eliminated


@dataclass(frozen=True, slots=True)
class Fork:
    """Go on with the next step where the test holds, else with step `otherwise`."""

    line: int
    test: Test
    otherwise: int


@dataclass(frozen=True, slots=True)
class Jump:
    """Go on with step `to`."""

    to: int


Plan: TypeAlias = tuple[Step | Fork | Jump, ...]


def plan_of(orders: tuple[Order, ...]) -> Plan:
    """The steps of some orders; RubiconError where WON or FAILED has no attack before it."""
    plan: list[Step | Fork | Jump] = []
    for line, order in enumerate(orders, 1):
        if not isinstance(order, IfOrder):
            plan.append(Step(line, order))
            continue
        then = [Step(line, simple) for simple in order.then]
        otherwise = [Step(line, simple) for simple in order.otherwise]
        start = len(plan) + 1
        behind = start + len(then) + 1
        plan.append(Fork(line, _test(order, plan), behind))
        plan += [*then, Jump(behind + len(otherwise)), *otherwise]
    return tuple(plan)


def _test(order: IfOrder, before: list[Step | Fork | Jump]) -> Test:
    condition = order.condition
    if not isinstance(condition, Won | Failed):
        return condition
    expected = isinstance(condition, Won)
    if condition.territory:
        return AllTaken((condition.territory,), expected)
    if not any(isinstance(step, Step) and isinstance(step.order, AttackOrder) for step in before):
        raise RubiconError(
            "orders/no-attack-before",
            f"'IF {condition}' has no attack before it to speak of.",
            "Name the territory: IF WON kamchatka.",
        )
    return LastTaken(expected)
