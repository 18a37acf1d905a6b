"""Which captures to make this turn: the plan of the highest score, and its next battle.

A plan captures a set of territories along the cheapest ways. What it may aim at: a continent, a
seat's last territories, a territory of another's continent, a prize far away, or one neighbour.
"""

from rubicon.engine.codes import CardTrigger, EliminationTrade
from rubicon.engine.records import NEUTRAL, NONE, BoardTables, Position, Rules, compiled, inlined
from rubicon.players.evaluation import mission_target
from rubicon.players.memory import Memory, Workings
from rubicon.players.scripted.battle_odds import ROUNDING, chance_of, defence_rolls
from rubicon.players.scripted.survey import (
    NEVER,
    add_target,
    begin_plan,
    find_routes,
    is_too_far,
    outside_threats,
    plan_chance,
    pooled_chance,
    weigh_plan,
)

PRIZE = 5.0  # a territory worth so much is its own plan, however far
PERSISTENCE = 1.5  # the factor of the score of an elimination that has been begun
HOPE = 0.15  # the chance below which it is given up
DUEL_LOSS, DUEL_CHANCE = 1.0, 0.5  # the most that one opponent left lets a character ask for
WON_GAME = 60.0
TRADED_HAND = 6  # cards that are traded at once after an elimination
OCCUPIED = 0.6  # of an army that stays on a captured territory is not lost


@compiled
def best_plan(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory, unplaced: int
) -> float:
    """Choose what to capture, as `memory.wanted`; return its score, 0 for nothing.

    `unplaced` armies are still to be placed. The survey must be fresh.
    """
    work = memory.work
    for t in range(board.territories):
        memory.wanted[t] = 0
    work.best_score = 0.0
    work.best_root = NONE
    work.best_victim = NONE
    work.best_chance = 0.0
    free = free_armies(work, unplaced)
    more = may_capture_more(view, board, memory)
    if free < 1.0 or not (more or may_eliminate(view, seat, work, free)):
        return 0.0  # before any way is looked for: that takes longest
    find_routes(board, work, unplaced, plan_needs(memory))
    plan_eliminations(view, rules, board, seat, memory, unplaced, free)
    if more:
        plan_continents(view, rules, board, seat, memory, unplaced, free)
        plan_prizes(view, rules, board, seat, memory, unplaced)
        plan_neighbours(view, rules, board, seat, memory, unplaced)
    return work.best_score


@compiled
def free_armies(work: Workings, unplaced: int) -> float:
    """The armies that may attack somewhere, those that are still to be placed included."""
    free = float(unplaced)
    for i in range(work.own_count):
        t = work.own_land[i]
        free += work.force[t] - 1 - work.garrison[t]
    return free


@compiled
def may_capture_more(view: Position, board: BoardTables, memory: Memory) -> bool:
    """Whether the character's limit of captures in a turn leaves one; the limit grows late."""
    work = memory.work
    if work.closing != 0 or work.duel != 0:
        return True
    count = 0
    for t in range(board.territories):
        count += view.captured[t]
    return count < memory.traits.captures + 10.0 * work.daring


@compiled
def may_eliminate(view: Position, seat: int, work: Workings, free: float) -> bool:
    """Whether `free` armies may be enough to capture all that is left of another seat."""
    reached = False
    for other in range(view.seats):
        reached = reached or is_within_reach(view, seat, work, other, free)
    return reached


@inlined
def is_within_reach(view: Position, seat: int, work: Workings, other: int, free: float) -> bool:
    """Whether `free` armies may be enough to eliminate a seat that may be attacked."""
    left = view.territories[other]
    if other == seat or left == 0 or work.barred[other] != 0:
        return False
    return 0.8 * work.armies[other] + left <= free


@compiled
def exposure(view: Position, board: BoardTables, seat: int, work: Workings, t: int) -> int:
    """The strongest foreign neighbour of a territory that the plan leaves there."""
    strongest = 0
    for i in range(board.degree[t]):
        other = board.neighbour[t, i]
        if view.owner[other] in (seat, NEUTRAL) or work.marked[other] == work.plan:
            continue
        strongest = max(strongest, work.force[other])
    return strongest


@compiled
def consider(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    unplaced: int,
    completion: float,
    victim: int,
) -> None:
    """Weigh the plan that was made with `add_target`, and keep it if it is the best so far.

    `victim` is the seat that it eliminates, or NONE.
    """
    if memory.work.step_count > 0:
        weigh_plan(memory.work, unplaced)
        judge_plan(view, rules, board, seat, memory, completion, victim)


@compiled
def judge_plan(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    completion: float,
    victim: int,
) -> None:
    """Keep the plan that was weighed if it is the best so far."""
    begun = is_begun(memory, victim)
    if not begun and highest_score(view, rules, memory, completion) <= memory.work.best_score:
        return
    if is_likely(view, rules, memory, begun):
        score_plan(view, rules, board, seat, memory, completion, victim)


@inlined
def is_begun(memory: Memory, victim: int) -> bool:
    """Whether a plan carries on an elimination that was begun; it is given up less easily."""
    return victim != NONE and memory.victim == victim + 1


@inlined
def plan_needs(memory: Memory) -> float:
    """The chance that the character asks of a plan, unless it carries on an elimination."""
    work, needed = memory.work, memory.traits.plan_chance
    if work.duel != 0:
        needed = min(needed, DUEL_CHANCE)
    return needed * (1.0 - 0.5 * work.daring)


@inlined
def losses_of(memory: Memory, takes: float, steps: int) -> float:
    """What the armies weigh that a plan loses: it takes so many for so many steps."""
    work, loss = memory.work, memory.traits.loss
    if work.duel != 0:
        loss = min(loss, DUEL_LOSS)
    return loss * (1.0 - work.daring) * (takes - OCCUPIED * steps)


@compiled
def highest_score(view: Position, rules: Rules, memory: Memory, completion: float) -> float:
    """The score if success were certain and nothing in danger: a plan never has more.

    Most plans are dropped by it, before their chance is computed.
    """
    work = memory.work
    gain = work.gain + completion + card_value(view, rules, memory, work.steps[0])
    return max(0.0, gain) - losses_of(memory, work.takes, work.step_count)


@compiled
def is_likely(view: Position, rules: Rules, memory: Memory, begun: bool) -> bool:
    """Compute the chance of the plan that was weighed; whether it is enough for the character."""
    work = memory.work
    work.chance = plan_chance(view, rules, work)
    if begun:
        # Ways that begin at several places may be divided badly now, and better later.
        work.chance = max(work.chance, pooled_chance(work))
        return work.chance >= HOPE
    return work.chance >= plan_needs(memory)


@compiled
def score_plan(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    completion: float,
    victim: int,
) -> None:
    """Score the plan whose chance was computed, and keep it if it is the best so far."""
    work, begun = memory.work, is_begun(memory, victim)
    gain = work.gain + completion + card_value(view, rules, memory, work.steps[0])
    score = work.chance * gain - losses_of(memory, work.takes, work.step_count)
    if not begun and score <= work.best_score:
        return  # danger only lowers it
    if work.daring < 1.0 and work.duel == 0:
        danger = exposure(view, board, seat, work, work.roots[0])
        danger = max(danger, exposure(view, board, seat, work, work.steps[0]))
        caution = memory.traits.caution * (1.0 - work.daring)
        score -= caution * max(0.0, danger - work.left)
    if begun:
        score = PERSISTENCE * score + work.chance * completion
    if score > work.best_score:
        work.best_victim = victim
        keep_plan(board, memory, score)


@compiled
def keep_plan(board: BoardTables, memory: Memory, score: float) -> None:
    """Remember the plan that was weighed last."""
    work = memory.work
    work.best_score = score
    work.best_chance = work.chance
    for t in range(board.territories):
        memory.wanted[t] = 0
    for i in range(work.step_count):
        memory.wanted[work.steps[i]] = 1
    best = work.roots[0]
    for i in range(work.root_count):
        if work.placed[work.roots[i]] > work.placed[best]:
            best = work.roots[i]
    work.best_root = best
    work.best_placed = work.placed[best]
    work.best_left = work.left


@compiled
def card_value(view: Position, rules: Rules, memory: Memory, captured: int) -> float:
    """What the card of the turn is worth, where the capture of a territory earns it."""
    if view.conquered_from_player != 0:
        return 0.0
    if rules.cards_trigger == CardTrigger.CAPTURED_FROM_PLAYER:
        if view.owner[captured] == NEUTRAL:
            return 0.0
    elif view.conquered != 0:
        return 0.0
    return memory.traits.card * memory.work.set_worth / 3.0


@compiled
def plan_eliminations(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    unplaced: int,
    free: float,
) -> None:
    """Consider to capture all that is left of each other seat."""
    work = memory.work
    for other in range(view.seats):
        if not is_within_reach(view, seat, work, other, free):
            continue
        if aim_at_seat(view, work, other, is_begun(memory, other)):
            value = elimination_value(view, rules, board, seat, memory, other)
            consider(view, rules, board, seat, memory, unplaced, value, other)


@compiled
def aim_at_seat(view: Position, work: Workings, other: int, begun: bool) -> bool:
    """A plan that captures all that a seat has left; False where a way is missing, or too far."""
    begin_plan(work)
    left = view.territories[other]
    for i in range(work.foreign_count):
        t = work.foreign_land[i]
        if view.owner[t] == other:
            left -= 1
            if (not begun and is_too_far(work, t)) or not add_target(work, t):
                return False
            if left == 0:
                break
    return True


@compiled
def elimination_value(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory, other: int
) -> float:
    """What it is worth that a seat is gone: its cards, above all those that are traded at once."""
    if memory.work.duel != 0 and rules.neutral_must_fall == 0:
        return WON_GAME
    if mission_target(view, rules, board, seat) == other:
        return WON_GAME
    traits, work = memory.traits, memory.work
    cards = float(view.hand[other])
    enough = view.hand[other] + view.hand[seat] >= TRADED_HAND
    if enough and rules.elim_trade != EliminationTrade.NONE:
        cards *= 1.5
    return traits.elimination + traits.spoils * cards * work.set_worth / 3.0


@compiled
def plan_continents(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    unplaced: int,
    free: float,
) -> None:
    """Consider to complete each continent, and to break each one that another seat holds."""
    work, traits = memory.work, memory.traits
    for c in range(board.continents):
        holder = work.holder[c]
        if holder == seat or board.continent_bonus[c] == 0:
            continue
        if 0 <= holder < NEUTRAL and work.barred[holder] == 0 and traits.breaking > 0.0:
            value = traits.breaking * board.continent_bonus[c]
            aim_at(view, rules, board, seat, memory, unplaced, nearest_in(board, work, c), value)
        if traits.continent <= 0.0 or 0.8 * work.defenders[c] > free:
            continue
        if not aim_at_continent(view, board, seat, work, c):
            continue
        weigh_plan(work, unplaced)
        value = traits.continent * work.promise[c]
        if highest_score(view, rules, memory, value) <= work.best_score:
            continue
        if is_likely(view, rules, memory, False):
            held = work.left + work.own[c] + 1.0
            held /= held + traits.fear * outside_threats(view, board, seat, work, c)
            score_plan(view, rules, board, seat, memory, value * held, NONE)


@compiled
def aim_at(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    unplaced: int,
    target: int,
    completion: float,
) -> None:
    """Consider to capture one territory, with what lies on the way there."""
    if not is_too_far(memory.work, target):
        begin_plan(memory.work)
        if add_target(memory.work, target):
            consider(view, rules, board, seat, memory, unplaced, completion, NONE)


@compiled
def aim_at_continent(
    view: Position, board: BoardTables, seat: int, work: Workings, continent: int
) -> bool:
    """A plan that captures the rest of a continent; False where a way is missing, or too far."""
    begin_plan(work)
    for t in range(board.continent_first[continent], board.continent_last[continent] + 1):
        if board.continent[t] != continent or view.owner[t] == seat:
            continue
        if is_too_far(work, t) or not add_target(work, t):
            return False
    return True


@compiled
def nearest_in(board: BoardTables, work: Workings, continent: int) -> int:
    """The territory of a continent that is captured at the lowest cost."""
    best, where = 2.0 * NEVER, 0
    for t in range(board.continent_first[continent], board.continent_last[continent] + 1):
        if board.continent[t] == continent and work.distance[t] < best:
            best, where = work.distance[t], t
    return where


@compiled
def plan_prizes(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory, unplaced: int
) -> None:
    """Consider each territory of high value, wherever it lies."""
    work = memory.work
    for i in range(work.foreign_count):
        t = work.foreign_land[i]
        if work.value[t] >= PRIZE:
            aim_at(view, rules, board, seat, memory, unplaced, t, 0.0)


@compiled
def plan_neighbours(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory, unplaced: int
) -> None:
    """Consider each territory next to an own one, alone."""
    work = memory.work
    for i in range(work.foreign_count):
        t = work.foreign_land[i]
        if work.distance[t] >= NEVER:
            continue
        if work.parent[t] != work.root[t] or work.value[t] >= PRIZE:
            continue
        if highest_alone(view, rules, memory, unplaced, t) > work.best_score:
            aim_at(view, rules, board, seat, memory, unplaced, t, 0.0)


@compiled
def highest_alone(view: Position, rules: Rules, memory: Memory, unplaced: int, t: int) -> float:
    """`highest_score` of the plan that captures one neighbour, or a hair more: a limit for it."""
    work, root = memory.work, memory.work.root[t]
    gain = float(work.value[t]) + card_value(view, rules, memory, t)
    free = work.force[root] - 1 - work.garrison[root] + unplaced - ROUNDING
    return max(0.0, gain) - losses_of(memory, min(free, work.cost[t]), 1)


@inlined
def needed_chance(memory: Memory) -> float:
    """The chance of success that a battle needs now; half as much for an elimination."""
    eased = max(memory.work.daring, 1.0 if memory.victim != 0 else 0.0)
    needed = memory.traits.battle_chance
    if memory.work.duel != 0:
        needed = min(needed, 0.8 * DUEL_CHANCE)
    return needed * (1.0 - 0.5 * eased)


@compiled
def next_battle(view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory) -> int:
    """Source and target of the plan's next battle as source * 256 + target; NONE for no battle.

    Dead ends first, so that the army goes on from what it captures; then the strongest source.
    """
    work = memory.work
    needed = needed_chance(memory)
    best, battle = -NEVER, NONE
    for k in range(work.foreign_count):
        t = work.foreign_land[k]
        if memory.wanted[t] == 0:
            continue
        source, ways = NONE, 0
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            if view.owner[other] == seat:
                free = work.force[other] - work.garrison[other]
                if free > 1 and (
                    source == NONE or free > work.force[source] - work.garrison[source]
                ):
                    source = other
            else:
                ways += memory.wanted[other]
        if source == NONE:
            continue
        rolls = defence_rolls(rules, view.owner[t])
        free = work.force[source] - work.garrison[source] - 1
        chance = chance_of(rolls, free, work.force[t])
        if chance < needed:
            continue
        score = free - 3.0 * ways + 0.01 * chance
        if score > best:
            best, battle = score, source * 256 + t
    return battle
