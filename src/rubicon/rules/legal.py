"""A lazy view of what a seat may do: families of actions that differ in one number only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rubicon.rules.actions import Action, action_of
from rubicon.rules.kinds import WrongKind
from rubicon.rules.procedures.codes import NUMBER_SHIFT
from rubicon.rules.procedures.families import asides, families, family_buffer
from rubicon.rules.procedures.sampling import GENERATOR, below
from rubicon.rules.tables import BoardTables, Rules

if TYPE_CHECKING:
    from rubicon.rules.game import Game


@dataclass(frozen=True, slots=True)
class Family:
    """The actions from `lowest` to `highest`, alike but for their number."""

    lowest: Action
    highest: Action
    size: int

    def __str__(self) -> str:
        if self.size == 1:
            return str(self.lowest)
        return f"{self.lowest} .. {str(self.highest).rsplit(' ', 1)[-1]}"


class Legal(Sequence[Action]):
    """Everything that some seats may decide now, listed only as far as it is asked for.

    `in` asks the one definition of legality; it also accepts what is legal but not listed: an
    attack with unstated dice, a bonus named where there is no choice, and what answers no duty.
    """

    def __init__(self, game: Game, seats: Sequence[int], *, with_asides: bool = False) -> None:
        self._game = game
        self._rows = _rows(game, seats, with_asides)
        self._ends = np.cumsum(self._rows[:, 2] - self._rows[:, 1] + 1)

    @property
    def families(self) -> tuple[Family, ...]:
        """The families, in the order of the board."""
        return tuple(self._family(row) for row in self._rows)

    def _family(self, row: Any) -> Family:
        code, low, high = int(row[0]), int(row[1]), int(row[2])
        lowest = action_of(code | low << NUMBER_SHIFT, self._game)
        highest = action_of(code | high << NUMBER_SHIFT, self._game)
        return Family(lowest, highest, high - low + 1)

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def __iter__(self) -> Iterator[Action]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        return action_of(self.code(number), self._game)

    def code(self, number: int) -> int:
        """The kernel's integer of the action with this number."""
        if number < 0:
            number += len(self)
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} legal actions")
        row = int(np.searchsorted(self._ends, number, side="right"))
        before = int(self._ends[row - 1]) if row else 0
        code, low = int(self._rows[row, 0]), int(self._rows[row, 1])
        return code | (low + number - before) << NUMBER_SHIFT

    def __contains__(self, action: object) -> bool:
        return self._game.allows(action)

    def random(self, rng: Any) -> Action:
        """One of the actions, each equally likely; `rng` as in `Game.sample`."""
        check_generator(rng)
        if not len(self):
            raise IndexError("there is no legal action")
        with np.errstate(over="ignore"):
            return action_of(self.code(below(rng, len(self))), self._game)

    def __str__(self) -> str:
        return "\n".join(str(family) for family in self.families)

    def __repr__(self) -> str:
        return f"<Legal: {len(self)} actions in {len(self._rows)} families>"


def check_generator(given: object) -> None:
    """WrongKind, `game/not-a-generator`, for all but what `procedures.sampling` makes."""
    if not isinstance(given, np.void) or given.dtype != GENERATOR:
        suggestion = "rubicon.rules.procedures.sampling.generator(7) makes one; 7 is its seed."
        raise WrongKind("game/not-a-generator", given, "a generator of Rubicon's", suggestion)


def _rows(game: Game, seats: Sequence[int], with_asides: bool) -> Any:
    listings = (families, asides) if with_asides else (families,)
    rows = [
        family_rows(listing, game.position, game.rules, game.tables, seat)
        for seat in seats
        for listing in listings
    ]
    return np.concatenate(rows) if rows else np.zeros((0, 3), np.int64)


def family_rows(
    listing: Callable[..., int], position: Any, rules: Rules, tables: BoardTables, seat: int
) -> Any:
    """All families that `families` or `asides` lists, however many there are."""
    room = family_buffer()
    listed = listing(position, rules, tables, seat, room)
    if listed > len(room):
        room = family_buffer(listed)
        listing(position, rules, tables, seat, room)
    return room[:listed]
