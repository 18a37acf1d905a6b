"""The decisions of a scripted bot: one skeleton for all characters."""

import math

import numpy as np

from rubicon.engine import records
from rubicon.engine.attack import most_attack_dice, most_defence_dice, target_refusal
from rubicon.engine.cards import holds_set, next_set_value, trade_forced, trading_refusal
from rubicon.engine.chance import Generator, below
from rubicon.engine.codes import ActionKind, Placing, SetValues, encode
from rubicon.engine.placement import refuse_claim
from rubicon.engine.records import BoardTables, Position, Rules, compiled, inlined
from rubicon.engine.turn import fortify_reaches
from rubicon.players.characters import FIRST_SCRIPTED, TRAITS_OF
from rubicon.players.evaluation import continent_value, own_neighbours
from rubicon.players.greedy import (
    CLAIM_NOISE,
    FAR,
    NO_ACTION,
    at_front,
    best_set,
    front_distance,
    headquarters,
    neutral_site,
    objective_choice,
    star_choice,
)
from rubicon.players.memory import Memory, remember
from rubicon.players.scripted.battle_odds import chance_of, defence_rolls
from rubicon.players.scripted.plans import best_plan, needed_chance, next_battle
from rubicon.players.scripted.survey import NEVER, survey

# When a scripted bot trades its cards.

DECISIVE = 12.0  # the score that armies of a set must add to a plan, as for an elimination


@inlined
def sets_rise(rules: Rules) -> bool:
    """Whether each set of cards brings more than the one before."""
    return rules.cards_values in (SetValues.ESCALATING, SetValues.PLUS_ONE)


@compiled
def trade_choice(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> int:
    """The trade to make now, or NO_ACTION."""
    if rules.cards_values == SetValues.STARS:
        return star_choice(view, rules, board, seat)
    if view.hand[seat] < 3 or trading_refusal(view, rules, board) != 0:
        return NO_ACTION
    if not holds_set(view, rules, board, seat):
        return NO_ACTION
    if trade_forced(view, rules, board) or pays_now(view, rules, board, seat, memory):
        return best_set(view, rules, board, seat)
    return NO_ACTION


@compiled
def pays_now(view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory) -> bool:
    """Whether a set is worth as much now as later, or decides something now."""
    if not sets_rise(rules) or view.phase == records.Phase.TRADE:
        return True
    if view.hand[seat] >= memory.traits.patience:
        return True
    survey(view, rules, board, seat, memory)
    if memory.work.closing != 0:
        return True
    unplaced = view.unplaced[seat]
    without = best_plan(view, rules, board, seat, memory, unplaced)
    more = unplaced + next_set_value(view, rules, seat)
    return best_plan(view, rules, board, seat, memory, more) > without + DECISIVE


# Where a scripted bot places its armies: for its plan, at its borders, or onto its stacks.


@compiled
def placement(view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory) -> int:
    """A capital in danger first; then what the best plan leaves over guards borders."""
    work = memory.work
    armies = view.unplaced[seat]
    thin = thin_territory(view, rules, board, seat)
    if thin != records.NONE:
        return encode(ActionKind.PLACE, thin, 0, 0, 1)
    place = view.capital[seat]
    if place != records.NONE and view.owner[place] == seat and work.closing == 0 and armies > 3:
        lacking = work.threat[place] + 1 - work.force[place]
        if lacking > 0:
            return encode(ActionKind.PLACE, place, 0, 0, min(lacking, armies // 2))
    planned = view.phase != records.Phase.CONTINENTS
    if planned and best_plan(view, rules, board, seat, memory, armies) > 0.0:
        memory.victim = work.best_victim + 1
        gate = weakest_gate(view, board, seat, memory)
        left = min(armies, int(work.best_left))
        if gate != records.NONE and left > 0:
            lacking = int(memory.traits.guard * work.threat[gate]) + 1 - work.force[gate]
            return encode(ActionKind.PLACE, gate, 0, 0, min(lacking, left))
        most = max(1, min(armies, math.ceil(work.best_placed)))
        return encode(ActionKind.PLACE, work.best_root, 0, 0, most)
    rate_places(view, board, seat, memory)
    return encode(ActionKind.PLACE, best_place(view, board, seat, memory), 0, 0, armies)


@compiled
def thin_territory(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """A territory that lacks armies for the seat's mission, once it has enough territories."""
    mission = view.mission[seat]
    if rules.missions_in_play == 0 or mission == records.NONE or view.mission_fallback[seat] != 0:
        return records.NONE
    if board.mission_kind[mission] != records.MissionKind.TERRITORIES:
        return records.NONE
    if view.territories[seat] < board.mission_count[mission]:
        return records.NONE
    for t in range(board.territories):
        if view.owner[t] == seat and view.armies[t] < board.mission_minimum[mission]:
            return t
    return records.NONE


@compiled
def weakest_gate(view: Position, board: BoardTables, seat: int, memory: Memory) -> int:
    """The border of an own continent that lacks most armies; NONE where none lacks any."""
    work = memory.work
    most, where = 0, records.NONE
    if work.closing != 0:
        return records.NONE
    for i in range(work.own_count):
        t = work.own_land[i]
        if work.holder[board.continent[t]] != seat:
            continue
        lacking = int(memory.traits.guard * work.threat[t]) + 1 - work.force[t]
        if work.threat[t] > 0 and lacking > most:
            most, where = lacking, t
    return where


@compiled
def rate_places(view: Position, board: BoardTables, seat: int, memory: Memory) -> None:
    """By own territory, what an army is worth there; negative away from all borders."""
    work = memory.work
    for i in range(work.own_count):
        t = work.own_land[i]
        work.worth[t] = worth_at(view, board, seat, memory, t)


@compiled
def worth_at(view: Position, board: BoardTables, seat: int, memory: Memory, t: int) -> float:
    """What an army is worth on an own territory; negative away from all borders."""
    work, traits = memory.work, memory.traits
    best, border = 0.0, 0.0
    for i in range(board.degree[t]):
        other = board.neighbour[t, i]
        if view.owner[other] == seat:
            continue
        border = max(border, 0.1 if view.owner[other] == records.NEUTRAL else 1.0)
        if work.cost[other] < NEVER:
            best = max(best, work.value[other] / work.cost[other])
    if border == 0.0:
        return -1.0
    worth = traits.stack * work.force[t] + traits.target * best
    if work.holder[board.continent[t]] == seat:
        worth += traits.gate * max(0, work.threat[t] + 1 - work.force[t])
    else:
        worth += work.part_worth[board.continent[t]]
    return (worth + 0.1) * border


@compiled
def best_place(view: Position, board: BoardTables, seat: int, memory: Memory) -> int:
    """The own territory where an army is worth most."""
    work = memory.work
    best, where = -2.0 * NEVER, records.NONE
    for i in range(work.own_count):
        t = work.own_land[i]
        if work.worth[t] > best:
            best, where = work.worth[t], t
    return where


# How many armies a scripted bot moves into what it has captured.

RESERVE = 1.2  # of what the smaller part of a divided plan takes


@compiled
def occupy_choice(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> int:
    """As many as the rest of the plan needs on this side; without a plan, where they do more."""
    work = memory.work
    source, target = view.attack_source, view.attack_target
    least, most = view.occupy_minimum, view.armies[source] - 1
    if least >= most:
        return encode(ActionKind.OCCUPY, 0, 0, 0, most)
    survey(view, rules, board, seat, memory)
    ahead, behind = remaining_needs(view, board, seat, memory, source, target)
    if ahead + behind == 0.0:
        return encode(
            ActionKind.OCCUPY, 0, 0, 0, at_rest(view, rules, board, seat, memory, least, most)
        )
    stay = min(work.garrison[source], most)
    if behind > 0.0:
        stay = max(stay, staying(most, ahead, behind))
    return encode(ActionKind.OCCUPY, 0, 0, 0, max(least, most - stay))


@compiled
def staying(most: int, ahead: float, behind: float) -> int:
    """How many of `most` stay for what is behind: the smaller task gets its need and a reserve."""
    smaller = RESERVE * min(ahead, behind) + 1.5
    share = most * min(ahead, behind) / (ahead + behind)
    smaller = min(smaller, max(share, 0.5 * most))
    if smaller + max(ahead, behind) > most:
        smaller = share
    return int(smaller if behind <= ahead else most - smaller)


@compiled
def remaining_needs(
    view: Position, board: BoardTables, seat: int, memory: Memory, source: int, target: int
) -> tuple[float, float]:
    """Armies that the rest of the plan takes from the target on, and from the source only."""
    work = memory.work
    if memory.planned == 0:
        return 0.0, 0.0
    work.plan += 1
    ahead = needs_from(view, board, seat, memory, target)
    return ahead, needs_from(view, board, seat, memory, source)


@compiled
def needs_from(view: Position, board: BoardTables, seat: int, memory: Memory, start: int) -> float:
    """Armies for the wanted territories that hang together with `start`, those marked apart."""
    work = memory.work
    need = 0.0
    work.waiting[0] = start
    count = 1
    while count > 0:
        count -= 1
        t = work.waiting[count]
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            if memory.wanted[other] == 0 or view.owner[other] == seat:
                continue
            if work.marked[other] != work.plan:
                work.marked[other] = work.plan
                need += work.cost[other]
                work.waiting[count] = other
                count += 1
    return need


@compiled
def at_rest(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    least: int,
    most: int,
) -> int:
    """The plan is carried out: armies go where the next one begins, or where they guard more."""
    work = memory.work
    source, target = view.attack_source, view.attack_target
    work.force[target] = most
    stay = min(work.garrison[source], most)
    if best_plan(view, rules, board, seat, memory, 0) > 0.0:
        moving = least if work.best_root == source else most - stay
        return max(least, moving)
    work.force[target] = work.force[source]
    if worth_at(view, board, seat, memory, source) > worth_at(view, board, seat, memory, target):
        return least
    return max(least, most - stay)


# Where a scripted bot moves armies at the end of its turn.


@compiled
def fortify_choice(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> int:
    """Move the largest army that is not at the front to where it is worth most, or nearer to it."""
    work = memory.work
    if not may_move(view, board, seat):
        return encode(ActionKind.END_TURN, 0, 0, 0, 0)
    source = records.NONE
    distance = front_distance(view, board, seat)
    for t in range(board.territories):
        # A shortest way to the front leads over own neighbours, so an army that is not FAR has
        # somewhere nearer to go.
        if view.owner[t] != seat or distance[t] in (0, FAR) or view.armies[t] < 2:
            continue
        if source == records.NONE or view.armies[t] > view.armies[source]:
            source = t
    if source == records.NONE:
        return encode(ActionKind.END_TURN, 0, 0, 0, 0)
    survey(view, rules, board, seat, memory)
    rate_places(view, board, seat, memory)
    fortify_reaches(view, rules, board, source, work.queued)
    where = records.NONE
    for t in range(board.territories):
        if work.queued[t] == 0 or distance[t] >= distance[source]:
            continue
        if (
            where == records.NONE
            or distance[t] < distance[where]
            or (distance[t] == distance[where] and work.worth[t] > work.worth[where])
        ):
            where = t
    return encode(ActionKind.FORTIFY, source, where, 0, view.armies[source] - 1)


@compiled
def may_move(view: Position, board: BoardTables, seat: int) -> bool:
    """Whether an army is away from all other players; where none does, nothing is to be moved.

    Mostly none does, and to ask is quicker than to count all distances to the front.
    """
    for t in range(board.territories):
        if view.owner[t] != seat or view.armies[t] < 2:
            continue
        if not at_front(view, board, seat, t, True):
            return True
    return False


# The scripted bots before the first turn: claims and starting armies.


@compiled
def claim_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    rng: Generator,
) -> int:
    """Claim where a continent is easy to hold and own territories are near, with a random part."""
    continents = np.zeros(records.CONTINENTS)
    continent_value(view, rules, board, seat, continents)
    foreign = np.zeros(records.CONTINENTS)
    for t in range(board.territories):
        if view.owner[t] != records.NONE and view.owner[t] != seat:
            foreign[board.continent[t]] += 1.0 / board.continent_size[board.continent[t]]
    near = 0.25 + 1.5 * memory.traits.connection
    capital = rules.setup_capitals != 0 and view.capital[seat] == records.NONE
    best, where = -1.0, 0
    for t in range(board.territories):
        if refuse_claim(view, rules, board, t, capital) == 0:
            c = board.continent[t]
            value = continents[c] * (1.0 - 0.7 * foreign[c])
            value += near * own_neighbours(view, board, seat, t)
            value += 0.002 * below(rng, CLAIM_NOISE)
            if value > best:
                best, where = value, t
    return encode(ActionKind.CAPITAL if capital else ActionKind.CLAIM, where, 0, 0, 0)


@inlined
def places_neutral(view: Position, rules: Rules) -> bool:
    """Whether the next starting army is a neutral one."""
    return rules.setup_place == Placing.TWO_OWN_ONE_NEUTRAL and view.own_left == 0


@compiled
def starting_armies(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> int:
    """Starting armies where an army is worth most; by thirds where any number may be placed."""
    if view.phase == records.Phase.SEALED and view.unplaced[seat] == 0:
        return encode(ActionKind.SEAL, seat, 0, 0, 0)
    if view.phase == records.Phase.PLACE:
        if places_neutral(view, rules):
            return encode(ActionKind.PLACE, neutral_site(view, board, seat), 0, 0, 1)
        if memory.stacked != 0:
            return encode(ActionKind.PLACE, memory.stacked - 1, 0, 0, 1)
    survey(view, rules, board, seat, memory)
    rate_places(view, board, seat, memory)
    where = best_place(view, board, seat, memory)
    armies = (view.unplaced[seat] + 2) // 3 if view.phase == records.Phase.SEALED else 1
    return encode(ActionKind.PLACE, where, 0, 0, armies)


@compiled
def scripted_choice(
    policy: int,
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    rng: Generator,
) -> int:
    """The action of a scripted bot; a function of view and memory, but for ties in its claims."""
    if memory.policy != policy:
        memory.policy = policy
        memory.traits = TRAITS_OF[policy - FIRST_SCRIPTED, int(sets_rise(rules))]
    return traits_choice(view, rules, board, seat, memory, rng)


@compiled
def traits_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    rng: Generator,
) -> int:
    """The action of whoever has the traits in `memory`."""
    phase = view.phase
    if phase == records.Phase.ATTACK and goes_on(view, rules, seat, memory):
        return attack_from(view, rules, memory.source, memory.target)
    if phase == records.Phase.DEFEND:
        return defence(view, rules, seat, memory)
    if memory.round_number != view.round_number:
        memory.victim = 0
    remember(memory, view, board, seat)
    if phase == records.Phase.CLAIM:
        return claim_choice(view, rules, board, seat, memory, rng)
    if phase == records.Phase.HEADQUARTERS:
        return headquarters(view, board, seat)
    if phase == records.Phase.OBJECTIVE:
        return objective_choice(view, rules, board, seat)
    if phase in (records.Phase.PLACE, records.Phase.SEALED):
        return starting_armies(view, rules, board, seat, memory)
    if phase in (records.Phase.REINFORCE, records.Phase.TRADE, records.Phase.CONTINENTS):
        return first_step(view, rules, board, seat, memory)
    if phase == records.Phase.ATTACK:
        survey(view, rules, board, seat, memory)
        return attack_choice(view, rules, board, seat, memory)
    if phase == records.Phase.OCCUPY:
        return occupy_choice(view, rules, board, seat, memory)
    return fortify_choice(view, rules, board, seat, memory)


@compiled
def defence(view: Position, rules: Rules, seat: int, memory: Memory) -> int:
    """Most dice; the attacker is remembered as one."""
    if view.owner[view.attack_target] == seat:
        memory.taken[view.turn] += 1
    most = most_defence_dice(view, rules, view.attack_target)
    return encode(ActionKind.DEFEND, 0, 0, 0, most)


@compiled
def goes_on(view: Position, rules: Rules, seat: int, memory: Memory) -> bool:
    """Whether the attack under way still promises enough."""
    source, target = memory.source, memory.target
    if memory.planned == 0 or source == target:
        return False
    if view.owner[source] != seat or view.owner[target] == seat:
        return False
    if target_refusal(view, rules, target) != 0:
        return False
    free = view.armies[source] - 1 - memory.kept
    rolls = defence_rolls(rules, view.owner[target])
    if chance_of(rolls, free, view.armies[target]) >= memory.needed:
        return True
    memory.planned = 0
    return False


@compiled
def first_step(view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory) -> int:
    """Trade, place, attack, in this order."""
    memory.planned = 0
    if view.phase != records.Phase.CONTINENTS:
        trade = trade_choice(view, rules, board, seat, memory)
        if trade != NO_ACTION:
            return trade
    survey(view, rules, board, seat, memory)
    if view.unplaced[seat] > 0:
        return placement(view, rules, board, seat, memory)
    if view.phase == records.Phase.TRADE:
        return encode(ActionKind.DECLINE, 0, 0, 0, 0)
    return attack_choice(view, rules, board, seat, memory)


@compiled
def attack_from(view: Position, rules: Rules, source: int, target: int) -> int:
    """One roll with most dice."""
    dice = most_attack_dice(view, rules, source)
    return encode(ActionKind.ATTACK, source, target, 0, dice)


@compiled
def attack_choice(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> int:
    """The first battle of the best plan, or the end of the attacks. The survey must be fresh."""
    memory.planned = 0
    battle = records.NONE
    if best_plan(view, rules, board, seat, memory, 0) > 0.0:
        memory.victim = memory.work.best_victim + 1
        battle = next_battle(view, rules, board, seat, memory)
    if battle == records.NONE:
        return encode(ActionKind.END_ATTACK, 0, 0, 0, 0)
    memory.planned = 1
    memory.source = battle // 256
    memory.target = battle % 256
    memory.needed = needed_chance(memory)
    memory.kept = memory.work.garrison[memory.source]
    return attack_from(view, rules, memory.source, memory.target)
