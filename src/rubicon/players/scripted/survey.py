"""What a scripted bot reads off its view: strengths, threats, continents, the worth of captures.

Only what the seat may see is read: `force` has one army where a placement is still sealed.
"""

from rubicon.engine.ownership import playing_seats
from rubicon.engine.phases.attack import in_truce
from rubicon.engine.phases.cards import next_set_value
from rubicon.engine.records.choices import Goal, SetValues
from rubicon.engine.records.layout import compiled, inlined
from rubicon.engine.records.position import NEUTRAL, NONE, SEATS, Position, Seat
from rubicon.engine.records.tables import BoardTables, MissionKind, Rules
from rubicon.players.evaluation import MIXED, armies_seen, goal_factor, mission_target
from rubicon.players.memory import Memory, Workings
from rubicon.players.scripted.battle_odds import defence_rolls, loss_of, variance_of

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
    count_armies(view, board, seat, work)
    judge_seats(view, rules, seat, memory)
    survey_continents(view, rules, board, seat, memory)
    survey_borders(view, board, seat, memory)
    value_captures(view, rules, board, seat, memory)
    # Nothing is held back from the only opponent, nor while a seat is being eliminated, nor where
    # one more territory wins.
    one_short = missing_territories(view, rules, board, seat) == 1
    if work.closing == 0 and work.duel == 0 and memory.victim == 0 and not one_short:
        set_garrisons(view, rules, board, seat, memory)


@compiled
def count_armies(view: Position, board: BoardTables, seat: int, work: Workings) -> None:
    """Armies on each territory and of each owner."""
    for owner in range(SEATS + 1):
        work.armies[owner] = 0
    work.all_armies = 0
    for t in range(board.territories):
        work.force[t] = armies_seen(view, t, seat)
        if view.owner[t] >= 0:
            work.armies[view.owner[t]] += work.force[t]
            work.all_armies += work.force[t]


@compiled
def judge_seats(view: Position, rules: Rules, seat: int, memory: Memory) -> None:
    """Which other seat leads, which may not be attacked, and whether the seat presses on."""
    work = memory.work
    work.set_worth = STARS_WORTH
    if rules.cards_values != SetValues.STARS:
        work.set_worth = float(next_set_value(view, rules, seat))
    work.leader = NONE
    work.duel = int(playing_seats(view) == 2)
    for other in range(view.seats):
        work.strength[other] = work.armies[other] + 0.7 * view.territories[other]
        work.strength[other] += view.hand[other] * work.set_worth / 4.0
        if other == seat or view.status[other] != Seat.PLAYING:
            continue
        if work.leader == NONE or work.strength[other] > work.strength[work.leader]:
            work.leader = other
    mine = work.armies[seat] + max(0, view.unplaced[seat])
    all_armies = work.all_armies + max(0, view.unplaced[seat])
    work.closing = int(mine > memory.traits.closing * all_armies)
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
    work.barred[NEUTRAL] = 0
    for other in range(view.seats):
        work.barred[other] = int(truce or (calm and memory.taken[other] == 0))


@compiled
def survey_continents(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> None:
    """Who holds how much of each continent, and what it promises."""
    work = memory.work
    for c in range(board.continents):
        work.own[c] = 0
        work.exposed[c] = 0
        work.defenders[c] = 0
        work.holder[c] = NONE
    for t in range(board.territories):
        c, owner = board.continent[t], view.owner[t]
        if owner == seat:
            work.own[c] += 1
        else:
            work.defenders[c] += work.force[t]
        if work.holder[c] == NONE:
            work.holder[c] = owner
        elif work.holder[c] != owner:
            work.holder[c] = MIXED
    for c in range(board.continents):
        work.promise[c] = board.continent_bonus[c] * goal_factor(view, rules, board, seat, c)


@compiled
def survey_borders(view: Position, board: BoardTables, seat: int, memory: Memory) -> None:
    """The strongest foreign neighbour of each own territory, and the threats to each continent."""
    work = memory.work
    for t in range(board.territories):
        strongest, outside = 0, 0
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            if view.owner[other] in (seat, NEUTRAL, NONE):
                continue
            strongest = max(strongest, work.force[other])
            if board.continent[other] != board.continent[t]:
                outside = max(outside, work.force[other])
        work.threat[t] = strongest
        work.garrison[t] = 0
        work.exposed[board.continent[t]] += outside


@inlined
def daring(view: Position, work: Workings) -> float:
    """From 0 to 1: how little is spared, by the round; much by a seat that presses on."""
    if work.closing != 0:
        return 0.9
    return min(1.0, max(0, view.round_number - PATIENT_ROUNDS) / ROUNDS_TO_DARE)


@compiled
def seat_value(view: Position, seat: int, memory: Memory, owner: int) -> float:
    """What a territory of an owner is worth, wherever it lies."""
    work, traits = memory.work, memory.traits
    if owner == NEUTRAL:
        return 0.5 * traits.land
    value = traits.land + traits.leader if owner == work.leader else traits.land * traits.others
    return value + traits.grudge * int(memory.taken[owner] > 0)


@compiled
def value_captures(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> None:
    """By territory, what its capture is worth and costs; NEVER where it is barred."""
    work, traits = memory.work, memory.traits
    hunted = mission_target(view, rules, board, seat)
    for t in range(board.territories):
        owner, c = view.owner[t], board.continent[t]
        work.value[t] = 0.0
        work.cost[t] = 0.0
        work.variance[t] = 0.0
        if owner == seat or owner < 0:
            continue
        rolls = defence_rolls(rules, owner)
        work.cost[t] = 1.0 + loss_of(rolls, work.force[t])
        work.variance[t] = variance_of(rolls, work.force[t])
        if work.barred[owner] != 0:
            work.cost[t] = NEVER
        value = seat_value(view, seat, memory, owner)
        value += traits.progress * work.promise[c] * work.own[c] / board.continent_size[c]
        if owner == hunted:
            value += 3.0
        if work.closing != 0:
            value += 3.0
        if work.duel != 0 and owner != NEUTRAL:
            value += DUEL_LAND + DUEL_ARMY * work.force[t]
        for i in range(board.degree[t]):
            value += traits.connection * int(view.owner[board.neighbour[t, i]] == seat)
        work.value[t] = value
    add_landmarks(view, rules, board, seat, work)
    missing = missing_territories(view, rules, board, seat)
    if missing > 0:
        for t in range(board.territories):
            work.value[t] += WINNING_LAND if missing == 1 else 2.0


@compiled
def add_landmarks(
    view: Position, rules: Rules, board: BoardTables, seat: int, work: Workings
) -> None:
    """Cities, capitals and headquarters are worth more."""
    if rules.setup_cities > 0:
        for t in range(board.territories):
            work.value[t] += 0.7 * view.city[t]
    headquarters = rules.victory_goal == Goal.HEADQUARTERS
    for other in range(view.seats):
        place = view.capital[other]
        if place != NONE and view.owner[place] != seat:
            work.value[place] += 10.0 if headquarters else 2.5
            if other == seat:
                work.value[place] += 10.0


@compiled
def missing_territories(view: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """How many territories a mission, or the last rounds, ask for beyond those held; else 0."""
    if 0 < rules.game_round_limit <= view.round_number + 1:
        return board.territories
    mission = view.mission[seat]
    if rules.missions_in_play == 0 or mission == NONE:
        return 0
    if view.mission_fallback[seat] != 0:
        return max(0, board.mission_fallback_count - view.territories[seat])
    if board.mission_kind[mission] == MissionKind.TERRITORIES:
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
    kept = traits.guard * (1.0 - daring(view, work))
    for t in range(board.territories):
        if view.owner[t] == seat and work.holder[board.continent[t]] == seat:
            work.garrison[t] = min(work.force[t] - 1, int(kept * work.threat[t]))
    place = view.capital[seat]
    if place != NONE and view.owner[place] == seat:
        share = 2.0 if rules.victory_goal == Goal.HEADQUARTERS else 1.0
        guard = int(share * (1.0 - daring(view, work)) * work.threat[place])
        work.garrison[place] = max(0, min(work.force[place] - 1, guard))
