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
    part: int = 0  # of it: the leg of a path, the placement of a list, the card of a set
    rolls: int = 0  # thrown by this step; placed by this part
    start: int = 0  # own armies on the board when the step began, where a stop asks for it


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


Test: TypeAlias = AllTaken | Holds | CardEarned | Eliminated


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
    attacks = [
        step.order
        for step in before
        if isinstance(step, Step) and isinstance(step.order, AttackOrder)
    ]
    wanted: tuple[str, ...] = (condition.territory,) if condition.territory else ()
    if not wanted and attacks:
        wanted = attacks[-1].path[1:]
    if not wanted:
        raise RubiconError(
            "orders/no-attack-before",
            f"'IF {condition}' has no attack before it to speak of.",
            "Name the territory: IF WON kamchatka.",
        )
    return AllTaken(wanted, isinstance(condition, Won))
