"""What a scripted bot reads off its view: strengths, threats, worth of captures, cheapest ways."""

import math

from rubicon.engine import records
from rubicon.engine.attack import in_truce
from rubicon.engine.cards import next_set_value
from rubicon.engine.codes import Goal, SetValues
from rubicon.engine.ownership import playing_seats
from rubicon.engine.records import BoardTables, Position, Rules, compiled, inlined
from rubicon.players.evaluation import MIXED, armies_seen, goal_factor, mission_target
from rubicon.players.memory import Memory, Workings
from rubicon.players.scripted.battle_odds import (
    chance_of,
    chance_to_last,
    defence_rolls,
    loss_of,
    most_missing,
    variance_of,
)

# Only what the seat may see is read: `force` has one army where a placement is still sealed.

PATIENT_ROUNDS = 20  # from then on attacks count for more each round, so that every game ends
ROUNDS_TO_DARE = 30  # rounds until nothing is spared any more
STARS_WORTH = 10.0  # about what a trade in stars brings
# Against the only opponent left, what it loses is won.
DUEL_LAND = 2.0  # for each territory
DUEL_ARMY = 0.7  # for each army
WINNING_LAND = 30.0  # the last territory that a mission asks for
NEVER = 1.0e9


@compiled
def survey(view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory) -> None:
    """Fill the workings with everything that does not depend on a plan."""
    work = memory.work
    count_board(view, board, seat, work)
    judge_seats(view, rules, seat, memory)
    value_continents(view, rules, board, seat, memory)
    survey_borders(view, board, seat, work)
    value_captures(view, rules, board, seat, memory)
    # Nothing is held back from the only opponent, nor while a seat is being eliminated, nor where
    # one more territory wins.
    one_short = missing_territories(view, rules, board, seat) == 1
    if work.closing == 0 and work.duel == 0 and memory.victim == 0 and not one_short:
        set_garrisons(view, rules, board, seat, memory)


@compiled
def count_board(view: Position, board: BoardTables, seat: int, work: Workings) -> None:
    """In one pass: the seat's territories and all others, and what each owner and continent has."""
    own, foreign = 0, 0
    clear_counts(board, work)
    for t in range(board.territories):
        c, owner, force = board.continent[t], view.owner[t], armies_seen(view, t, seat)
        # Both sides of a choice are computed, and one is kept: a branch would be guessed wrongly by
        # the processor at every third territory, which takes longer.
        is_own = int(owner == seat)
        work.own_land[own] = t
        work.foreign_land[foreign] = t
        own += is_own
        foreign += 1 - is_own
        work.force[t] = force
        if owner >= 0:
            work.armies[owner] += force
        work.own[c] += is_own
        work.defenders[c] += (1 - is_own) * force
        holder = owner if work.holder[c] == records.NONE else work.holder[c]
        work.holder[c] = owner if holder == owner else MIXED
    work.own_count = own
    work.foreign_count = foreign


@compiled
def clear_counts(board: BoardTables, work: Workings) -> None:
    """No owner and no continent has anything yet."""
    for owner in range(records.SEATS + 1):
        work.armies[owner] = 0
    for c in range(board.continents):
        work.own[c] = 0
        work.defenders[c] = 0
        work.holder[c] = records.NONE


@compiled
def judge_seats(view: Position, rules: Rules, seat: int, memory: Memory) -> None:
    """Which other seat leads, which may not be attacked, and whether the seat presses on."""
    work = memory.work
    work.set_worth = STARS_WORTH
    if rules.cards_values != SetValues.STARS:
        work.set_worth = float(next_set_value(view, rules, seat))
    work.leader = records.NONE
    work.duel = int(playing_seats(view) == 2)
    for other in range(view.seats):
        work.strength[other] = work.armies[other] + 0.7 * view.territories[other]
        work.strength[other] += view.hand[other] * work.set_worth / 4.0
        if other == seat or view.status[other] != records.Seat.PLAYING:
            continue
        if work.leader == records.NONE or work.strength[other] > work.strength[work.leader]:
            work.leader = other
    mine = work.armies[seat] + max(0, view.unplaced[seat])
    all_armies = max(0, view.unplaced[seat])
    for owner in range(records.SEATS + 1):
        all_armies += work.armies[owner]
    work.closing = int(mine > memory.traits.closing * all_armies)
    work.daring = daring(view, work)
    bar_seats(view, rules, seat, memory)


@compiled
def bar_seats(view: Position, rules: Rules, seat: int, memory: Memory) -> None:
    """A truce bars all seats; a peaceful bot bars those that have left it alone.

    Not when only one opponent is left, nor when it presses on, nor when the game gets old.
    """
    work = memory.work
    truce = in_truce(view, rules)
    calm = memory.traits.peace > 0.5 and work.closing == 0
    calm = calm and work.duel == 0 and view.round_number <= PATIENT_ROUNDS
    work.barred[records.NEUTRAL] = 0
    for other in range(view.seats):
        work.barred[other] = int(truce or (calm and memory.taken[other] == 0))


@compiled
def value_continents(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> None:
    """What each continent promises, and adds to the worth of its territories."""
    work = memory.work
    for c in range(board.continents):
        work.promise[c] = board.continent_bonus[c] * goal_factor(view, rules, board, seat, c)
        share = memory.traits.progress * work.promise[c] * work.own[c]
        work.part_worth[c] = share / board.continent_size[c]


@compiled
def survey_borders(view: Position, board: BoardTables, seat: int, work: Workings) -> None:
    """The own territories next to others, and the strongest foreign neighbour of each."""
    count = 0
    for i in range(work.own_count):
        t = work.own_land[i]
        strongest, foreign = 0, 0
        for j in range(board.degree[t]):
            other = board.neighbour[t, j]
            owner = view.owner[other]
            foreign |= int(owner != seat)
            if owner != seat and 0 <= owner < records.NEUTRAL:
                strongest = max(strongest, work.force[other])
        work.threat[t] = strongest
        work.garrison[t] = 0
        work.borders[count] = t
        count += foreign
    work.border_count = count


@compiled
def outside_threats(
    view: Position, board: BoardTables, seat: int, work: Workings, continent: int
) -> int:
    """The strongest foreign neighbours outside a continent, summed over its territories."""
    total = 0
    for t in range(board.continent_first[continent], board.continent_last[continent] + 1):
        if board.continent[t] != continent:
            continue
        strongest = 0
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            if (
                view.owner[other] in (seat, records.NEUTRAL, records.NONE)
                or board.continent[other] == continent
            ):
                continue
            strongest = max(strongest, work.force[other])
        total += strongest
    return total


@inlined
def daring(view: Position, work: Workings) -> float:
    """From 0 to 1: how little is spared, by the round; much by a seat that presses on."""
    if work.closing != 0:
        return 0.9
    return min(1.0, max(0, view.round_number - PATIENT_ROUNDS) / ROUNDS_TO_DARE)


@compiled
def seat_value(memory: Memory, owner: int) -> float:
    """What a territory of an owner is worth, wherever it lies."""
    work, traits = memory.work, memory.traits
    if owner == records.NEUTRAL:
        return 0.5 * traits.land
    value = traits.land + traits.leader if owner == work.leader else traits.land * traits.others
    return value + traits.grudge * int(memory.taken[owner] > 0)


@compiled
def value_captures(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> None:
    """By territory, what its capture is worth and costs; NEVER where it is barred."""
    work, connection = memory.work, memory.traits.connection
    closing, duel = work.closing != 0, work.duel != 0
    hunted = mission_target(view, rules, board, seat)
    for owner in range(records.NEUTRAL + 1):
        work.owner_worth[owner] = seat_value(memory, owner)
    for i in range(work.own_count):
        work.cost[work.own_land[i]] = NEVER  # no way leads through an own territory
    for i in range(work.foreign_count):
        t = work.foreign_land[i]
        owner = view.owner[t]
        work.value[t] = 0.0
        work.cost[t] = 0.0
        work.variance[t] = 0.0
        if owner < 0:
            continue
        rolls = defence_rolls(rules, owner)
        work.cost[t] = 1.0 + loss_of(rolls, work.force[t])
        work.variance[t] = variance_of(rolls, work.force[t])
        if work.barred[owner] != 0:
            work.cost[t] = NEVER
        value = work.owner_worth[owner] + work.part_worth[board.continent[t]]
        if owner == hunted:
            value += 3.0
        if closing:
            value += 3.0
        if duel and owner != records.NEUTRAL:
            value += DUEL_LAND + DUEL_ARMY * work.force[t]
        for j in range(board.degree[t]):
            value += connection if view.owner[board.neighbour[t, j]] == seat else 0.0
        work.value[t] = value
    add_landmarks(view, rules, board, seat, work)
    missing = missing_territories(view, rules, board, seat)
    if missing > 0:
        for i in range(work.foreign_count):
            work.value[work.foreign_land[i]] += WINNING_LAND if missing == 1 else 2.0


@compiled
def add_landmarks(
    view: Position, rules: Rules, board: BoardTables, seat: int, work: Workings
) -> None:
    """Cities, capitals and headquarters are worth more."""
    if rules.setup_cities > 0:
        for i in range(work.foreign_count):
            t = work.foreign_land[i]
            work.value[t] += 0.7 * view.city[t]
    headquarters = rules.victory_goal == Goal.HEADQUARTERS
    for other in range(view.seats):
        place = view.capital[other]
        if place != records.NONE and view.owner[place] != seat:
            work.value[place] += 10.0 if headquarters else 2.5
            if other == seat:
                work.value[place] += 10.0


@compiled
def missing_territories(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """How many territories a mission, or the last rounds, ask for beyond those held; else 0."""
    if 0 < rules.game_round_limit <= view.round_number + 1:
        return board.territories
    mission = view.mission[seat]
    if rules.missions_in_play == 0 or mission == records.NONE:
        return 0
    if view.mission_fallback[seat] != 0:
        return max(0, board.mission_fallback_count - view.territories[seat])
    if board.mission_kind[mission] == records.MissionKind.TERRITORIES:
        return max(0, board.mission_count[mission] - view.territories[seat])
    return 0


@compiled
def set_garrisons(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> None:
    """Armies that stay at the borders of own continents, and on a capital.

    Fewer as rounds go by: between seats that only guard, a game would never end.
    """
    work, traits = memory.work, memory.traits
    kept = traits.guard * (1.0 - work.daring)
    for i in range(work.own_count):
        t = work.own_land[i]
        if work.holder[board.continent[t]] == seat:
            work.garrison[t] = min(work.force[t] - 1, int(kept * work.threat[t]))
    place = view.capital[seat]
    if place != records.NONE and view.owner[place] == seat:
        share = 2.0 if rules.victory_goal == Goal.HEADQUARTERS else 1.0
        guard = int(share * (1.0 - work.daring) * work.threat[place])
        work.garrison[place] = max(0, min(work.force[place] - 1, guard))


# The cheapest ways from own territories to all others, and what a plan along them takes.

FROM_WEAKER = 0.3  # of the armies that another own territory has more, a way counts as longer
MARGIN = 1.0  # standard deviations that a plan has in reserve
BRANCH = 2.5  # armies that stay behind where a way branches
HALF_AN_ARMY = 0.5  # the step between whole armies and a curve, which passes through its middle
QUEUE_MASK = (
    records.TERRITORIES - 1
)  # the queue's length is a power of two, and its end is its beginning


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
