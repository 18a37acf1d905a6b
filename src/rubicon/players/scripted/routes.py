"""The cheapest ways from own territories to all others, and what a plan along them takes."""

import math

from rubicon.engine.records.layout import compiled, inlined
from rubicon.engine.records.position import TERRITORIES, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.memory import Workings
from rubicon.players.scripted.battle_odds import (
    chance_of,
    chance_to_last,
    defence_rolls,
    most_missing,
)
from rubicon.players.scripted.survey import NEVER

FROM_WEAKER = 0.3  # of the armies that another own territory has more, a way counts as longer
MARGIN = 1.0  # standard deviations that a plan has in reserve
BRANCH = 2.5  # armies that stay behind where a way branches
HALF_AN_ARMY = 0.5  # the step between whole armies and a curve, which passes through its middle
QUEUE_MASK = TERRITORIES - 1  # the queue's length is a power of two, and its end is its beginning


@compiled
def find_routes(board: BoardTables, work: Workings, unplaced: int, needed: float) -> None:
    """Fill `distance`, `parent` and `root`: by Bellman and Ford, with a queue.

    A way may begin at an own territory that can attack, or that gets armies first. No plan along a
    way that is longer than the `reach` of its beginning has a chance of `needed`.
    """
    # From a half on the variance decides nothing, and need not be summed.
    missing = most_missing(needed, variance_ahead(work) if needed < 0.5 else 0.0)
    most = 0
    for i in range(work.own_count):
        t = work.own_land[i]
        most = max(most, work.force[t] - work.garrison[t])
    for t in range(board.territories):
        work.distance[t] = NEVER
        work.queued[t] = 0
    first, count = 0, 0
    for i in range(work.border_count):
        t = work.borders[i]
        free = work.force[t] - work.garrison[t]
        if free + unplaced > 1:
            work.distance[t] = FROM_WEAKER * (most - free)
            work.parent[t] = t
            work.root[t] = t
            # What can be lost there, and what `plan_chance` adds to it.
            most_lost = free - 1 + unplaced + HALF_AN_ARMY
            work.reach[t] = work.distance[t] + most_lost + missing
            work.waiting[count] = t
            count += 1
    while count > 0:
        t = work.waiting[first]
        first = (first + 1) & QUEUE_MASK
        count -= 1
        work.queued[t] = 0
        work.root[t] = work.root[work.parent[t]]  # its own where the way begins here
        here = work.distance[t]
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            way = here + work.cost[other]
            # Without a branch, which the processor would guess wrongly at one edge of four. A way
            # that costs NEVER is not nearer: no distance is longer.
            there, parent = work.distance[other], work.parent[other]
            nearer = way < there - 1.0e-9
            work.distance[other] = way if nearer else there
            work.parent[other] = t if nearer else parent
            work.waiting[(first + count) & QUEUE_MASK] = other
            count += int(int(nearer) > work.queued[other])
            work.queued[other] |= int(nearer)


@compiled
def variance_ahead(work: Workings) -> float:
    """The variance of the armies that it takes to capture everything: that of no plan is larger."""
    variance = 0.0
    for i in range(work.foreign_count):
        variance += work.variance[work.foreign_land[i]]
    return variance


@inlined
def is_too_far(work: Workings, target: int) -> bool:
    """Whether no plan with a target is likely enough: the armies where its way begins are too few.

    Never a neighbour: the chance of a plan of one step is another one, from a table.
    """
    root = work.root[target]
    return work.parent[target] != root and work.distance[target] > work.reach[root]


@compiled
def begin_plan(work: Workings) -> None:
    """A plan without any step."""
    work.plan += 1
    work.step_count = 0
    work.root_count = 0
    work.gain = 0.0


@compiled
def add_target(work: Workings, target: int) -> bool:
    """Add the way to a target to the plan; False where there is none."""
    if work.distance[target] >= NEVER:
        return False
    root = work.root[target]
    if work.marked[root] != work.plan:
        work.marked[root] = work.plan
        work.children[root] = 0
        work.need[root] = 0.0
        work.spread[root] = 0.0
        work.roots[work.root_count] = root
        work.root_count += 1
    # The sums are kept out of memory on the way: a loop that reads what it has just written waits.
    need, spread, gain, count = work.need[root], work.spread[root], work.gain, work.step_count
    t, on_the_way = target, 0
    while work.marked[t] != work.plan:
        work.marked[t] = work.plan
        work.children[t] = on_the_way
        work.steps[count] = t
        count += 1
        need += work.cost[t]
        spread += work.variance[t]
        gain += work.value[t]
        t, on_the_way = work.parent[t], 1
    if on_the_way == 1:  # it joins the plan here
        work.children[t] += 1
        if work.children[t] > 1:
            need += BRANCH
    work.need[root], work.spread[root], work.gain, work.step_count = need, spread, gain, count
    return True


@compiled
def weigh_plan(work: Workings, unplaced: int) -> None:
    """Where the plan's armies go, what it takes, and what is left."""
    place_armies(work, unplaced)
    work.takes, work.left = 0.0, 0.0
    for i in range(work.root_count):
        root = work.roots[i]
        free = armies_from(work, root)
        work.takes += min(free, work.need[root])
        work.left += max(0.0, free - work.need[root])


@compiled
def place_armies(work: Workings, unplaced: int) -> None:
    """Where the armies to be placed go: where they lack, and what is left to the longest way."""
    if unplaced == 0:
        for i in range(work.root_count):
            work.placed[work.roots[i]] = 0.0
        return
    lacking, most = 0.0, 0
    for i in range(work.root_count):
        root = work.roots[i]
        wanted = work.need[root] + MARGIN * math.sqrt(work.spread[root])
        free = work.force[root] - 1 - work.garrison[root]
        work.placed[root] = max(0.0, wanted - free)
        lacking += work.placed[root]
        if work.need[root] > work.need[work.roots[most]]:
            most = i
    for i in range(work.root_count):
        root = work.roots[i]
        if lacking > unplaced:
            work.placed[root] *= unplaced / lacking
        elif i == most:
            work.placed[root] += unplaced - lacking


@inlined
def armies_from(work: Workings, root: int) -> float:
    """The armies that may be lost on the ways from a root of the plan that was weighed."""
    return float(work.force[root] - 1 - work.garrison[root] + work.placed[root])


@compiled
def plan_chance(view: Position, rules: Rules, work: Workings) -> float:
    """The chance of success of the plan that was weighed: that all its roots succeed."""
    if work.step_count == 1:
        target = work.steps[0]
        rolls = defence_rolls(rules, view.owner[target])
        return chance_of(rolls, int(armies_from(work, work.roots[0])), work.force[target])
    chance = 1.0
    for i in range(work.root_count):
        root = work.roots[i]
        spare = armies_from(work, root) - work.need[root] + HALF_AN_ARMY
        chance *= chance_to_last(spare, work.spread[root])
    return chance


@compiled
def pooled_chance(work: Workings) -> float:
    """The chance if armies could still be exchanged between the beginnings of the plan."""
    surplus, variance = 0.0, 0.0
    for i in range(work.root_count):
        root = work.roots[i]
        surplus += armies_from(work, root) - work.need[root]
        variance += work.spread[root]
    return chance_to_last(surplus, variance)
