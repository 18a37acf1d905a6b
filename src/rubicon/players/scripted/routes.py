"""The cheapest ways from own territories to all others, and what a plan along them takes."""

import math

from rubicon.engine.records.layout import compiled, inlined
from rubicon.engine.records.position import NONE, TERRITORIES, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.memory import Workings
from rubicon.players.scripted.battle_odds import chance_of, chance_to_last, defence_rolls
from rubicon.players.scripted.survey import NEVER

FROM_WEAKER = 0.3  # of the armies that another own territory has more, a way counts as longer
MARGIN = 1.0  # standard deviations that a plan has in reserve
BRANCH = 2.5  # armies that stay behind where a way branches


@compiled
def find_routes(board: BoardTables, work: Workings, unplaced: int) -> None:
    """Fill `distance`, `parent` and `root`: by Bellman and Ford, with a queue.

    A way may begin at an own territory that can attack, or that gets armies first.
    """
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
            work.parent[t] = NONE
            work.root[t] = t
            work.waiting[count] = t
            count += 1
    while count > 0:
        t = work.waiting[first]
        first = first + 1 if first + 1 < TERRITORIES else 0
        count -= 1
        work.queued[t] = 0
        here, root = work.distance[t], work.root[t]
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            way = here + work.cost[other]
            # Without a branch, which the processor would guess wrongly at one edge of four. A way
            # that costs NEVER is not nearer: no distance is longer.
            there, parent, before = work.distance[other], work.parent[other], work.root[other]
            nearer = way < there - 1.0e-9
            work.distance[other] = way if nearer else there
            work.parent[other] = t if nearer else parent
            work.root[other] = root if nearer else before
            last = first + count
            work.waiting[last if last < TERRITORIES else last - TERRITORIES] = other
            count += int(nearer) & (1 - work.queued[other])
            work.queued[other] |= int(nearer)


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
        spare = armies_from(work, root) - work.need[root] + 0.5
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
