"""How many armies on a territory later orders can tell apart.

What is more need not be followed one by one: it is kept as an average, so that positions which
differ in nothing else are followed as one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.orders.order import (
    AllBut,
    AttackOrder,
    FortifyOrder,
    Holds,
    ManoeuvreOrder,
    SimpleOrder,
)
from rubicon.orders.plan import Fork, Jump, Plan, Progress, Step
from rubicon.orders.sight import Sight
from rubicon.rules.position import TERRITORIES

ALL = np.iinfo(np.int32).max  # every number of armies is told apart
PAIR = 2  # armies that a fortification, and some missions, ask for

Counts = npt.NDArray[np.int32]


class Memory:
    """For each step of a plan the armies on each territory that still matter."""

    def __init__(self, sight: Sight, plan: Plan, start: Any) -> None:
        self.sight = sight
        self.plan = plan
        named = {name for step in plan for name in _named(step)}
        self.tracked = np.array(sorted(map(sight.territory, named)), np.int64)
        self.slot = {int(t): at for at, t in enumerate(self.tracked)}
        least = np.full(TERRITORIES, self._least(start), np.int32)
        self._caps = [least]
        for step in reversed(plan):
            self._caps.append(self._before(step, self._caps[-1]))
        self._caps.reverse()
        self._known: dict[tuple[int, int, bool], tuple[Counts, Counts]] = {}

    def caps(self, progress: Progress) -> Counts:
        """The armies that matter from here on, by territory."""
        return self._both(progress)[0]

    def tracked_caps(self, progress: Progress) -> Counts:
        """The same of those territories alone that orders name."""
        return self._both(progress)[1]

    def _both(self, progress: Progress) -> tuple[Counts, Counts]:
        key = progress.at, progress.part, progress.start > 0
        if key not in self._known:
            caps = self._from(progress)
            self._known[key] = caps, caps[self.tracked]
        return self._known[key]

    def _from(self, progress: Progress) -> Counts:
        at = min(progress.at, len(self.plan))
        step = self.plan[at] if at < len(self.plan) else None
        order = step.order if isinstance(step, Step) else None
        if not isinstance(order, AttackOrder) or not progress.part:
            return self._caps[at]
        if progress.start:  # LOST counts every army
            return np.full(TERRITORIES, ALL, np.int32)
        caps = self._caps[at + 1].copy()
        caps[[self.sight.territory(name) for name in order.path[progress.part :]]] = ALL
        return caps

    def _least(self, start: Any) -> int:
        """The armies that the rules themselves tell apart at the end of a turn."""
        rules = self.sight.rules
        if rules.army_cap or rules.game_round_limit:
            return ALL
        return PAIR if rules.missions_in_play or not self._fortifiable(start) else 1

    def _fortifiable(self, start: Any) -> bool:
        """Whether armies can be moved whatever becomes of the territories that orders name."""
        tables, seat = self.sight.tables, self.sight.seat
        still = set(range(len(self.sight.game.territories))) - set(self.slot)
        own = {t for t in still if start.owner[t] == seat}
        return any(
            start.armies[t] >= PAIR and int(tables.neighbour[t, i]) in own
            for t in own
            for i in range(int(tables.degree[t]))
        )

    def _before(self, step: Step | Fork | Jump, behind: Counts) -> Counts:
        caps = behind.copy()
        if isinstance(step, Fork) and isinstance(step.test, Holds):
            at = self.sight.territory(step.test.territory)
            caps[at] = max(caps[at], min(step.test.number + 1, ALL))
        elif isinstance(step, Step):
            self._order(caps, step.order)
        return caps

    def _order(self, caps: Counts, order: SimpleOrder) -> None:
        if isinstance(order, AttackOrder):
            caps[[self.sight.territory(name) for name in order.path]] = ALL
        elif isinstance(order, FortifyOrder | ManoeuvreOrder):
            source, target = map(self.sight.territory, (order.source, order.target))
            if isinstance(order.armies, AllBut):
                moved, stay = int(caps[target]), max(order.armies.stay, 1)
            else:
                moved, stay = order.armies, max(int(caps[source]), 1)
            caps[source] = max(caps[source], min(moved + stay, ALL))


def _named(step: Step | Fork | Jump) -> tuple[str, ...]:
    order = step.order if isinstance(step, Step) else None
    if isinstance(order, AttackOrder):
        return order.path
    if isinstance(order, FortifyOrder | ManoeuvreOrder):
        return order.source, order.target
    return ()
