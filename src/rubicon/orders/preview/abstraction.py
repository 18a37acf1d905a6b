"""State abstraction: how many armies on each territory the later orders can distinguish.

More armies than that are kept as an average, so that positions which differ in nothing else become
one state. This keeps a preview exact and small.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.position import TERRITORIES, Position
from rubicon.orders.execute.program import ConditionalJump, Jump, Program, ProgramStep, Progress
from rubicon.orders.execute.seat_view import SeatView
from rubicon.orders.syntax import (
    AllBut,
    AttackOrder,
    FortifyOrder,
    Holds,
    ManoeuvreOrder,
    SimpleOrder,
)

ALL = np.iinfo(np.int32).max  # every number of armies is distinguished
PAIR = 2  # armies that a fortification and some missions need

Counts = npt.NDArray[np.int32]


class Abstraction:
    """For each step of a program, the number of armies on each territory that still matters."""

    def __init__(self, seat_view: SeatView, program: Program, start: Position) -> None:
        self.seat_view = seat_view
        self.program = program
        named = {name for step in program for name in _named(step)}
        self.tracked = np.array(sorted(map(seat_view.territory, named)), np.int64)
        self.slot = {int(t): at for at, t in enumerate(self.tracked)}
        # From the last step backward: each step adds the armies that its order needs.
        least = np.full(TERRITORIES, self._least(start), np.int32)
        self._caps = [least]
        for step in reversed(program):
            self._caps.append(self._before(step, self._caps[-1]))
        self._caps.reverse()
        self._known: dict[tuple[int, int, bool], tuple[Counts, Counts]] = {}

    def caps(self, progress: Progress) -> Counts:
        """By territory, the number of armies that matters from a progress on."""
        return self._both(progress)[0]

    def tracked_caps(self, progress: Progress) -> Counts:
        """The same for the tracked territories only, which the orders name."""
        return self._both(progress)[1]

    def _both(self, progress: Progress) -> tuple[Counts, Counts]:
        key = progress.at, progress.part, progress.start > 0
        if key not in self._known:
            caps = self._from(progress)
            self._known[key] = caps, caps[self.tracked]
        return self._known[key]

    def _from(self, progress: Progress) -> Counts:
        at = min(progress.at, len(self.program))
        step = self.program[at] if at < len(self.program) else None
        order = step.order if isinstance(step, ProgramStep) else None
        if not isinstance(order, AttackOrder) or not progress.part:
            return self._caps[at]
        if progress.start:  # LOST counts every army
            return np.full(TERRITORIES, ALL, np.int32)
        caps = self._caps[at + 1].copy()
        caps[[self.seat_view.territory(name) for name in order.path[progress.part :]]] = ALL
        return caps

    def _least(self, start: Position) -> int:
        """The number of armies that the rules themselves distinguish at the end of a turn."""
        rules = self.seat_view.rules
        if rules.army_cap or rules.game_round_limit:  # both count every army on the board
            return ALL
        return PAIR if rules.missions_in_play or not self._fortifiable(start) else 1

    def _fortifiable(self, start: Position) -> bool:
        """Whether a fortification is possible whatever happens on the tracked territories."""
        tables, seat = self.seat_view.tables, self.seat_view.seat
        still = set(range(len(self.seat_view.game.territories))) - set(self.slot)
        own = {t for t in still if start.owner[t] == seat}
        return any(
            start.armies[t] >= PAIR and int(tables.neighbour[t, i]) in own
            for t in own
            for i in range(int(tables.degree[t]))
        )

    def _before(self, step: ProgramStep | ConditionalJump | Jump, behind: Counts) -> Counts:
        caps = behind.copy()
        if isinstance(step, ConditionalJump) and isinstance(step.test, Holds):
            at = self.seat_view.territory(step.test.territory)
            caps[at] = max(caps[at], min(step.test.number + 1, ALL))
        elif isinstance(step, ProgramStep):
            self._order(caps, step.order)
        return caps

    def _order(self, caps: Counts, order: SimpleOrder) -> None:
        if isinstance(order, AttackOrder):
            caps[[self.seat_view.territory(name) for name in order.path]] = ALL
        elif isinstance(order, FortifyOrder | ManoeuvreOrder):
            source, target = map(self.seat_view.territory, (order.source, order.target))
            if isinstance(order.armies, AllBut):
                moved, stay = int(caps[target]), max(order.armies.stay, 1)
            else:
                moved, stay = order.armies, max(int(caps[source]), 1)
            caps[source] = max(caps[source], min(moved + stay, ALL))


def _named(step: ProgramStep | ConditionalJump | Jump) -> tuple[str, ...]:
    order = step.order if isinstance(step, ProgramStep) else None
    if isinstance(order, AttackOrder):
        return order.path
    if isinstance(order, FortifyOrder | ManoeuvreOrder):
        return order.source, order.target
    return ()
