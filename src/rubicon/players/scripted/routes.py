"""The cheapest ways from own territories to all others, and what a plan along them takes."""

import math

from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NONE, TERRITORIES, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.memory import Memory, Workings
from rubicon.players.scripted.battle_odds import chance_of, chance_to_last, defence_rolls
from rubicon.players.scripted.survey import NEVER

FROM_WEAKER = 0.3  # of the armies that another own territory has more, a way counts as longer
MARGIN = 1.0  # standard deviations that a plan has in reserve
BRANCH = 2.5  # armies that stay behind where a way branches


@compiled
def find_routes(
    view: Position, board: BoardTables, seat: int, memory: Memory, unplaced: int
) -> None:
    """Fill `distance`, `parent` and `root`: by Bellman and Ford, with a queue.

    A way may begin at an own territory that can attack, or that gets armies first.
    """
    work = memory.work
    most = 0
    for t in range(board.territories):
        if view.owner[t] == seat:
            most = max(most, work.force[t] - work.garrison[t])
    first, count = 0, 0
    for t in range(board.territories):
        work.distance[t] = NEVER
        work.queued[t] = 0
        if view.owner[t] != seat:
            continue
        free = work.force[t] - work.garrison[t]
        if free + unplaced > 1:
            work.distance[t] = FROM_WEAKER * (most - free)
            work.parent[t] = NONE
            work.root[t] = t
            work.waiting[count] = t
            count += 1
    while count > 0:
        t = work.waiting[first]
        first = (first + 1) % TERRITORIES
        count -= 1
        work.queued[t] = 0
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            if view.owner[other] == seat:
                continue
            way = work.distance[t] + work.cost[other]
            if way >= work.distance[other] - 1.0e-9 or way >= NEVER:
                continue
            work.distance[other] = way
            work.parent[other] = t
            work.root[other] = work.root[t]
            if work.queued[other] == 0:
                work.queued[other] = 1
                work.waiting[(first + count) % TERRITORIES] = other
                count += 1


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
    t = target
    while work.marked[t] != work.plan:
        work.marked[t] = work.plan
        work.children[t] = 0
        work.steps[work.step_count] = t
        work.step_count += 1
        work.need[root] += work.cost[t]
        work.spread[root] += work.variance[t]
        work.gain += work.value[t]
        t = work.parent[t]
        work.children[t] += 1
        if work.children[t] > 1:
            work.need[root] += BRANCH
    return True


@compiled
def weigh_plan(view: Position, rules: Rules, memory: Memory, unplaced: int) -> None:
    """Where the plan's armies go, what it takes, what is left, and the chance of success.

    `pooled` is the chance if armies could still be exchanged between its beginnings.
    """
    work = memory.work
    lacking, most = 0.0, 0
    for i in range(work.root_count):
        root = work.roots[i]
        wanted = work.need[root] + MARGIN * math.sqrt(work.spread[root])
        free = work.force[root] - 1 - work.garrison[root]
        work.placed[root] = max(0.0, wanted - free)
        lacking += work.placed[root]
        if work.need[root] > work.need[work.roots[most]]:
            most = i
    work.chance, work.takes, work.left = 1.0, 0.0, 0.0
    surplus, variance = 0.0, 0.0
    for i in range(work.root_count):
        root = work.roots[i]
        if lacking > unplaced:
            work.placed[root] *= unplaced / lacking
        elif i == most:
            work.placed[root] += unplaced - lacking
        free = work.force[root] - 1 - work.garrison[root] + work.placed[root]
        work.takes += min(free, work.need[root])
        work.left += max(0.0, free - work.need[root])
        work.chance *= root_chance(view, rules, work, root, free)
        surplus += free - work.need[root]
        variance += work.spread[root]
    work.pooled = chance_to_last(surplus, variance)


@compiled
def root_chance(view: Position, rules: Rules, work: Workings, root: int, free: float) -> float:
    """The chance that the armies of one root reach all its targets."""
    if work.step_count == 1:
        target = work.steps[0]
        rolls = defence_rolls(rules, view.owner[target])
        return chance_of(rolls, int(free), work.force[target])
    return chance_to_last(free - work.need[root] + 0.5, work.spread[root])
