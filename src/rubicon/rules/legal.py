"""The legal actions of a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from rubicon.engine.chance import GENERATOR, Generator, below
from rubicon.engine.codes import NUMBER_SHIFT, Refusal
from rubicon.engine.legal_actions import decisions, out_of_turn, ranges
from rubicon.engine.legality import refusal
from rubicon.engine.records import Position
from rubicon.errors import RubiconError, WrongType
from rubicon.rules.actions import Action, ActionNames, action_of, code_of
from rubicon.rules.ruleset.ruleset import Ruleset

FIRST_ROOM = 256  # ranges: enough for nearly every position, and quick to allocate
Rows = npt.NDArray[np.int64]  # shape (n, 3): the action with number 0, the lowest, the highest


@dataclass(frozen=True, slots=True)
class ActionRange:
    """The actions from `lowest` to `highest`, which differ in their number of armies or dice."""

    lowest: Action
    highest: Action
    size: int

    def __str__(self) -> str:
        if self.size == 1:
            return str(self.lowest)
        return f"{self.lowest} .. {str(self.highest).rsplit(' ', 1)[-1]}"


class Legal(Sequence[Action]):
    """The decisions that are pending in a position, in the order of the board.

    With `seat`, those of one seat; `with_out_of_turn` adds standing orders, resigning and a
    mission shown; `only_out_of_turn` lists nothing but these. The position is read once: later
    steps of the game do not change the list.

    `in` asks the one definition of legality. It also accepts what is legal but not listed: an
    attack with unstated dice, a bonus named where there is no choice, and actions out of turn.
    """

    def __init__(
        self,
        position: Position,
        ruleset: Ruleset,
        names: ActionNames,
        seat: int | None = None,
        *,
        with_out_of_turn: bool = False,
        only_out_of_turn: bool = False,
    ) -> None:
        self._position = position
        self._ruleset = ruleset
        self._names = names
        here = (position, ruleset.rules, ruleset.tables)
        if seat is None:
            self._rows = listed_ranges(decisions, *here)
            return
        if only_out_of_turn:
            self._rows = listed_ranges(out_of_turn, *here, seat)
            return
        self._rows = listed_ranges(ranges, *here, seat)
        if with_out_of_turn:
            others = listed_ranges(out_of_turn, *here, seat)
            self._rows = np.concatenate((self._rows, others))

    @cached_property
    def _ends(self) -> Rows:
        """By range, the number of the first action after it."""
        return np.cumsum(self._rows[:, 2] - self._rows[:, 1] + 1)

    @property
    def ranges(self) -> tuple[ActionRange, ...]:
        """The ranges, in the order of the board."""
        return self.ranges_between(0, len(self._rows))

    def ranges_between(self, first: int, last: int) -> tuple[ActionRange, ...]:
        """The ranges from number `first` to the one before `last`, of which there may be fewer."""
        return tuple(self._action_range(*row) for row in self._rows[first:last].tolist())

    @property
    def range_count(self) -> int:
        """How many ranges there are."""
        return len(self._rows)

    def _action_range(self, code: int, low: int, high: int) -> ActionRange:
        lowest = action_of(code | low << NUMBER_SHIFT, self._names)
        highest = lowest if low == high else action_of(code | high << NUMBER_SHIFT, self._names)
        return ActionRange(lowest, highest, high - low + 1)

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def __iter__(self) -> Iterator[Action]:
        for code, low, high in self._rows.tolist():
            for number in range(low, high + 1):
                yield action_of(code | number << NUMBER_SHIFT, self._names)

    @overload
    def __getitem__(self, number: int) -> Action: ...
    @overload
    def __getitem__(self, number: slice) -> list[Action]: ...
    def __getitem__(self, number: int | slice) -> Action | list[Action]:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        return action_of(self.code(number), self._names)

    def code(self, number: int) -> int:
        """The engine's integer of the action with this number."""
        if number < 0:
            number += len(self)
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} legal actions")
        row = int(np.searchsorted(self._ends, number, side="right"))
        before = int(self._ends[row - 1]) if row else 0
        code, low = int(self._rows[row, 0]), int(self._rows[row, 1])
        return code | (low + number - before) << NUMBER_SHIFT

    def __contains__(self, action: object) -> bool:
        return allows(self._position, self._ruleset, self._names, action)

    def random(self, rng: Generator) -> Action:
        """One of the actions, each equally likely; `rng` as in `Game.sample`."""
        check_generator(rng)
        if not len(self):
            raise IndexError("there is no legal action")
        with np.errstate(over="ignore"):
            return action_of(self.code(below(rng, len(self))), self._names)

    def __str__(self) -> str:
        return "\n".join(str(action_range) for action_range in self.ranges)

    def __repr__(self) -> str:
        return f"<Legal: {len(self)} actions in {len(self._rows)} ranges>"


def allows(position: Position, ruleset: Ruleset, names: ActionNames, action: object) -> bool:
    """Whether `action` is an action that is legal in the position; False for any other object."""
    try:
        code = code_of(action, names)  # type: ignore[arg-type]
    except (RubiconError, AttributeError, TypeError):
        return False
    return refusal(position, ruleset.rules, ruleset.tables, code) == Refusal.LEGAL


def check_generator(given: object) -> None:
    """Raise WrongType, `game/not-a-generator`, for all but what `engine.chance.generator` makes."""
    if not isinstance(given, np.void) or given.dtype != GENERATOR:
        suggestion = "rubicon.engine.chance.generator(7) makes one; 7 is its seed."
        raise WrongType("game/not-a-generator", given, "a generator of Rubicon's", suggestion)


def listed_ranges(listing: Callable[..., int], *arguments: Any) -> Rows:
    """All ranges that `listing` lists (`decisions`, `ranges`, `out_of_turn`), however many.

    A listing counts the ranges beyond the room it is given, so a second call has room enough.
    """
    room = np.empty((FIRST_ROOM, 3), np.int64)
    count = listing(*arguments, room)
    if count > len(room):
        room = np.empty((count, 3), np.int64)
        listing(*arguments, room)
    return room[:count]
