"""Compiles orders into a flat list of steps, so that progress is one small value."""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from rubicon.errors import RubiconError
from rubicon.orders.syntax import (
    AttackOrder,
    CardEarned,
    EliminatedCondition,
    FailedCondition,
    Holds,
    IfOrder,
    Order,
    SimpleOrder,
    WonCondition,
)


class Progress(NamedTuple):
    """How far a program is executed: its whole state beside the position."""

    at: int = 0  # the index of the step
    part: int = 0  # of the step: the leg of a path, the placement of a list
    rolled: int = 0  # rolls of this attack, capped at its ROUNDS (1 without ROUNDS)
    placed: int = 0  # armies of this placement that are placed already
    traded: int = 0  # sets traded by this TRADE
    start: int = 0  # the seat's armies on the board when an attack with LOST began
    attack: int = -1  # the step of the last attack, where a later IF WON needs it; else -1

    def behind(self, to: int | None = None) -> "Progress":
        """The progress at the beginning of the next step, or of step `to`."""
        return Progress(self.at + 1 if to is None else to, attack=self.attack)


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """One order; `line` is its number in the text, from 1."""

    line: int
    order: SimpleOrder


@dataclass(frozen=True, slots=True)
class AllTaken:
    """Whether the seat owns all these territories is what is `expected`."""

    territories: tuple[str, ...]
    expected: bool


@dataclass(frozen=True, slots=True)
class LastTaken:
    """Whether the seat owns the whole path of the last attack is what is `expected`.

    Without an attack so far, it does not.
    """

    expected: bool


Test: TypeAlias = AllTaken | LastTaken | Holds | CardEarned | EliminatedCondition


@dataclass(frozen=True, slots=True)
class ConditionalJump:
    """Go on with the next step where the test holds, otherwise with step `otherwise`."""

    line: int
    test: Test
    otherwise: int


@dataclass(frozen=True, slots=True)
class Jump:
    """Go on with step `to`."""

    to: int


Program: TypeAlias = tuple[ProgramStep | ConditionalJump | Jump, ...]


def compile_orders(orders: tuple[Order, ...]) -> Program:
    """The program of some orders; RubiconError where WON or FAILED has no attack before it."""
    program: list[ProgramStep | ConditionalJump | Jump] = []
    for line, order in enumerate(orders, 1):
        if not isinstance(order, IfOrder):
            program.append(ProgramStep(line, order))
            continue
        then = [ProgramStep(line, simple) for simple in order.then]
        otherwise = [ProgramStep(line, simple) for simple in order.otherwise]
        start = len(program) + 1
        behind = start + len(then) + 1
        program.append(ConditionalJump(line, _test(order, program), behind))
        program += [*then, Jump(behind + len(otherwise)), *otherwise]
    return tuple(program)


def _test(order: IfOrder, before: list[ProgramStep | ConditionalJump | Jump]) -> Test:
    condition = order.condition
    if not isinstance(condition, WonCondition | FailedCondition):
        return condition
    expected = isinstance(condition, WonCondition)
    if condition.territory:
        return AllTaken((condition.territory,), expected)
    if not any(
        isinstance(step, ProgramStep) and isinstance(step.order, AttackOrder) for step in before
    ):
        raise RubiconError(
            "orders/no-attack-before",
            f"'IF {condition}' means the last attack, but no attack stands before it.",
            "Name the territory: IF WON kamchatka",
        )
    return LastTaken(expected)
