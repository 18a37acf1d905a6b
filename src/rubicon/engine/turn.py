"""The steps of a turn apart from attacks: new armies, objectives, fortification, and its end."""

import numpy as np

from rubicon.engine import codes, ownership, records
from rubicon.engine.cards import card_earned, offered_stars, trade_forced, wait_for_draws
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.engine.victory import clear_turn, forget_order, round_limit_reached, turn_end_test

# The start of a turn: the award, and placing armies (rulebook 3.2).

TWO_TROOPS = 2


@compiled
def cities_held(position: Position, board: BoardTables, seat: int) -> int:
    count = 0
    for t in range(board.territories):
        count += int(position.city[t] != 0) & int(position.owner[t] == seat)
    return count


@compiled
def capital_counts(position: Position, rules: Rules, of: int) -> bool:
    """Whether the capital of a seat is on the board and still means something (A-46)."""
    if position.capital[of] == records.NONE:
        return False
    return rules.capital_dead_counts != 0 or position.status[of] == records.Seat.PLAYING


@compiled
def capitals_held(position: Position, rules: Rules, seat: int) -> int:
    """Capital markers on the seat's territories, its own included (S001-35)."""
    count = 0
    for other in range(position.seats):
        if capital_counts(position, rules, other):
            count += int(position.owner[position.capital[other]] == seat)
    return count


@compiled
def territory_award(position: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Territories and cities by three, with the minimum where it belongs (S001-32 to S001-34)."""
    counted = position.territories[seat]
    if rules.setup_cities > 0:
        counted += cities_held(position, board, seat)
    if rules.revised_rounding == codes.Rounding.UP:
        counted += 2
    base = counted // 3
    if rules.reinforce_min_scope == codes.MinimumScope.TERRITORY_PART:
        return max(base, rules.reinforce_min)
    return base


@compiled
def continents_due(position: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Continental armies of this award, by the timing in force (A-06)."""
    if rules.continent_timing == codes.ContinentTiming.TURN_START:
        return ownership.continent_award(position, board, seat)
    if rules.continent_timing == codes.ContinentTiming.SNAPSHOT_END_OF_OWN_TURN:
        return position.snapshot[seat]
    return 0


@compiled
def award(position: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """Fix the armies of the turn, item by item, and hand them over (rulebook 5.4, S002-14)."""
    position.award_territories = territory_award(position, rules, board, seat)
    position.award_continents = continents_due(position, rules, board, seat)
    position.award_capitals = 0
    position.award_rewards = 0
    if rules.setup_capitals != 0:
        position.award_capitals = capitals_held(position, rules, seat)
    if rules.objectives_in_play != 0:
        if ownership.has_reward(position, rules, seat, records.RewardKind.TWO_TROOPS):
            position.award_rewards = TWO_TROOPS
    total = position.award_territories + position.award_continents
    total += position.award_capitals + position.award_rewards
    if rules.reinforce_min_scope == codes.MinimumScope.TURN_TOTAL and total < rules.reinforce_min:
        position.award_territories += rules.reinforce_min - total
        total = rules.reinforce_min
    position.unplaced[seat] = total


@compiled
def begin_turn(position: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """The seat's turn starts: nothing captured yet, the award received."""
    position.turn = seat
    position.phase = records.Phase.REINFORCE
    for t in range(board.territories):
        position.captured[t] = 0
    position.hand_at_start = position.hand[seat]
    position.sets_this_turn = 0
    position.bonus_taken = 0
    position.conquered = 0
    position.conquered_from_player = 0
    position.claimed = 0
    position.draws_due = 0
    if rules.objectives_in_play != 0:
        ownership.wake_rewards(position, seat)
    award(position, rules, board, seat)


@compiled
def refuse_place(position: Position, board: BoardTables, seat: int, t: int, armies: int) -> int:
    """Whether received armies may be put there (S001-42)."""
    if t >= board.territories:
        return codes.Refusal.UNKNOWN_TERRITORY
    if position.owner[t] != seat:
        return codes.Refusal.NOT_YOUR_TERRITORY
    if armies < 1:
        return codes.Refusal.ZERO
    return codes.Refusal.PLACE_TOO_MANY if armies > position.unplaced[seat] else codes.Refusal.LEGAL


@compiled
def place(position: Position, rules: Rules, t: int, armies: int) -> None:
    ownership.add_armies(position, rules, t, armies)
    position.unplaced[position.owner[t]] -= armies


@compiled
def first_step_refusal(position: Position, rules: Rules, board: BoardTables) -> int:
    """What keeps the first step of the turn from ending (A-84)."""
    if position.unplaced[position.turn] > 0:
        return codes.Refusal.ARMIES_LEFT
    if trade_forced(position, rules, board):
        return codes.Refusal.TRADE_FORCED
    if rules.cards_values == codes.SetValues.STARS and offered_stars(position, board) > 0:
        return codes.Refusal.OFFER_OPEN
    return codes.Refusal.LEGAL


# Objectives of the revised game: conditions, claims, transfer (rulebook chapter 5).


@compiled
def cities_captured(position: Position, board: BoardTables) -> int:
    count = 0
    for t in range(board.territories):
        count += int(position.city[t] != 0) & int(position.captured[t] != 0)
    return count


@compiled
def territories_captured(position: Position, board: BoardTables) -> int:
    """Held now and not at the turn's start: what was captured, as own turns lose nothing."""
    count = 0
    for t in range(board.territories):
        count += int(position.captured[t] != 0)
    return count


@compiled
def enemy_capitals(position: Position, rules: Rules, seat: int) -> int:
    """Capitals of other seats on the seat's territories (S001-54, A-46)."""
    count = 0
    for other in range(position.seats):
        if other != seat and capital_counts(position, rules, other):
            count += int(position.owner[position.capital[other]] == seat)
    return count


@compiled
def continents_held(position: Position, board: BoardTables, seat: int) -> int:
    broken = ownership.broken_continents(position, board, seat)
    count = 0
    for continent in range(board.continents):
        count += int((broken >> continent) & 1 == 0)
    return count


@compiled
def continent_captured(position: Position, rules: Rules, board: BoardTables) -> bool:
    """A whole continent in one turn: all of it captured, or by A-45 its last part."""
    captured = 0  # a bit for each continent of which a part was captured
    kept = 0  # and for each of which a part was not
    for t in range(board.territories):
        captured |= int(position.captured[t] != 0) << int(board.continent[t])
        kept |= int(position.captured[t] == 0) << int(board.continent[t])
    if rules.objectives_continent_turn == codes.ContinentTurn.NO_PRESENCE:
        return captured & ~kept != 0
    return captured & ~ownership.broken_continents(position, board, position.turn) != 0


@compiled
def objective_measure(position: Position, rules: Rules, board: BoardTables, objective: int) -> int:
    """How far the acting seat has come towards an objective, in the unit it counts."""
    seat = position.turn
    kind = board.objective_kind[objective]
    if kind == records.ObjectiveKind.CITIES:
        return cities_held(position, board, seat)
    if kind == records.ObjectiveKind.CITIES_IN_TURN:
        return cities_captured(position, board)
    if kind == records.ObjectiveKind.ENEMY_CAPITALS:
        return enemy_capitals(position, rules, seat)
    if kind == records.ObjectiveKind.CONTINENTS:
        return continents_held(position, board, seat)
    if kind == records.ObjectiveKind.TERRITORIES_IN_TURN:
        return territories_captured(position, board)
    if kind == records.ObjectiveKind.TERRITORIES:
        return position.territories[seat]
    if kind == records.ObjectiveKind.CONTINENT:
        return int(
            ownership.holds_continent(position, board, seat, board.objective_continent[objective])
        )
    return int(continent_captured(position, rules, board))


@compiled
def objective_met(position: Position, rules: Rules, board: BoardTables, objective: int) -> bool:
    """Whether the acting seat meets the condition now (rulebook 5.2)."""
    needed = max(1, board.objective_count[objective])
    return objective_measure(position, rules, board, objective) >= needed


@compiled
def can_claim(position: Position, rules: Rules, board: BoardTables) -> bool:
    """Whether a face-up objective is met: otherwise nothing is to decide (A-92)."""
    for objective in range(records.OBJECTIVES):
        if position.objective[objective] == records.ObjectivePlace.FACE_UP:
            if objective_met(position, rules, board, objective):
                return True
    return False


@compiled
def brings_airfield(position: Position, rules: Rules, objective: int) -> bool:
    token = position.objective_reward[objective]
    return token != records.NONE and rules.reward_kind[token] == records.RewardKind.AIRFIELD


@compiled
def airfield_refusal(
    position: Position, rules: Rules, board: BoardTables, objective: int, t: int
) -> int:
    """Whether the airfield of a claim is named where it must be (RW1)."""
    if not brings_airfield(position, rules, objective):
        return codes.Refusal.LEGAL if t == codes.NOWHERE else codes.Refusal.AIRFIELD_NOT_DUE
    if t == codes.NOWHERE:
        return codes.Refusal.AIRFIELD_UNNAMED
    if t >= board.territories:
        return codes.Refusal.UNKNOWN_TERRITORY
    return (
        codes.Refusal.LEGAL
        if position.owner[t] == position.turn
        else codes.Refusal.NOT_YOUR_TERRITORY
    )


@compiled
def refuse_objective(
    position: Position, rules: Rules, board: BoardTables, objective: int, t: int
) -> int:
    """Whether the acting seat may claim this objective (S001-49, A-91)."""
    if objective >= records.OBJECTIVES:
        return codes.Refusal.MALFORMED
    if position.objective[objective] == records.ObjectivePlace.BOX:
        return codes.Refusal.OBJECTIVE_NOT_FACE_UP
    if position.objective[objective] != records.ObjectivePlace.FACE_UP:
        return codes.Refusal.OBJECTIVE_TAKEN
    if not objective_met(position, rules, board, objective):
        return codes.Refusal.OBJECTIVE_NOT_MET
    return airfield_refusal(position, rules, board, objective, t)


@compiled
def claim_objective(position: Position, rules: Rules, objective: int, t: int) -> None:
    """The objective and the token on it go to the acting seat (S001-49, A-50)."""
    position.objective[objective] = position.turn
    position.claimed = 1
    token = position.objective_reward[objective]
    if token == records.NONE:
        return
    position.objective_reward[objective] = records.NONE
    position.reward[token] = position.turn
    position.reward_from[token] = int(rules.reward_effective == codes.RewardStart.NEXT_TURN)
    if t != codes.NOWHERE:
        position.airfield[token] = t


@compiled
def pass_objectives(position: Position, seat: int, to: int) -> None:
    """An eliminated seat's objectives go to the victor, a resigned one's out of the game."""
    for objective in range(records.OBJECTIVES):
        if position.objective[objective] == seat:
            position.objective[objective] = to


# Fortification and manoeuvres: armies between one's own territories (rulebook 3.5).


@compiled
def spread(position: Position, board: BoardTables, source: int, reached: records.Cells) -> None:
    """Mark the unbroken chain of own territories around `source` (S001-64)."""
    # A stack of territories whose neighbours are still to be seen; each is put on it once.
    waiting = np.empty(records.TERRITORIES, np.int16)
    waiting[0] = source
    count = 1
    reached[source] = 1
    while count > 0:
        count -= 1
        t = waiting[count]
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            if reached[other] == 0 and position.owner[other] == position.owner[source]:
                reached[other] = 1
                waiting[count] = other
                count += 1


@compiled
def fortify_reaches(
    position: Position, rules: Rules, board: BoardTables, source: int, reached: records.Cells
) -> None:
    """Mark every territory that armies of `source` may move to, and `source` itself."""
    for t in range(board.territories):
        reached[t] = 0
    if rules.fortify_reach == codes.FortifyReach.ANY:
        for t in range(board.territories):
            reached[t] = int(position.owner[t] == position.owner[source])
    elif rules.fortify_reach == codes.FortifyReach.ADJACENT:
        reached[source] = 1
        for i in range(board.degree[source]):
            other = board.neighbour[source, i]
            reached[other] = int(position.owner[other] == position.owner[source])
    else:
        spread(position, board, source, reached)


@compiled
def path_refusal(
    position: Position, rules: Rules, board: BoardTables, source: int, target: int
) -> int:
    """Whether armies may move between two territories of one owner (A-20)."""
    if rules.fortify_reach == codes.FortifyReach.ANY or board.adjacent[source, target] != 0:
        return codes.Refusal.LEGAL
    if rules.fortify_reach == codes.FortifyReach.ADJACENT:
        return codes.Refusal.FORTIFY_NOT_ADJACENT
    # Neighbours are decided above: the search is made for longer chains only.
    reached = np.zeros(records.TERRITORIES, np.int8)
    spread(position, board, source, reached)
    return codes.Refusal.LEGAL if reached[target] != 0 else codes.Refusal.NOT_CONNECTED


@compiled
def refuse_move(
    position: Position, rules: Rules, board: BoardTables, source: int, target: int, armies: int
) -> int:
    """Whether the acting seat may move these armies, the phase apart (S002-53, S002-54)."""
    if source >= board.territories or target >= board.territories:
        return codes.Refusal.UNKNOWN_TERRITORY
    if position.owner[source] != position.turn or position.owner[target] != position.turn:
        return codes.Refusal.NOT_YOUR_TERRITORY
    if source == target:
        return codes.Refusal.SAME_TERRITORY
    if armies < 1:
        return codes.Refusal.ZERO
    if armies >= position.armies[source]:
        return codes.Refusal.LEAVE_ONE
    return path_refusal(position, rules, board, source, target)


@compiled
def can_fortify_from(position: Position, rules: Rules, board: BoardTables, t: int) -> bool:
    """Whether armies on `t` could move anywhere: a chain begins with a neighbour."""
    if position.armies[t] < 2:
        return False
    if rules.fortify_reach == codes.FortifyReach.ANY:
        return position.territories[position.turn] > 1
    for i in range(board.degree[t]):
        if position.owner[board.neighbour[t, i]] == position.turn:
            return True
    return False


@compiled
def can_fortify(position: Position, rules: Rules, board: BoardTables) -> bool:
    """Whether the acting seat has any fortification to choose (A-92)."""
    for t in range(board.territories):
        if position.owner[t] == position.turn and can_fortify_from(position, rules, board, t):
            return True
    return False


@compiled
def move(position: Position, rules: Rules, source: int, target: int, armies: int) -> None:
    position.armies[source] -= armies
    ownership.add_armies(position, rules, target, armies)


@compiled
def spend_manoeuvre(position: Position, rules: Rules) -> None:
    """One manoeuvre fewer; a Starting Maneuver ends the first step instead (S001-66, A-53)."""
    if position.phase == records.Phase.REINFORCE:
        position.phase = records.Phase.ATTACK
    elif rules.fortify_reach != codes.FortifyReach.CONNECTED_MANY:
        position.moves_left -= 1


# How a turn goes on and ends: the order of its phases (S001-31, S002-09).


@compiled
def pass_turn(position: Position, rules: Rules, board: BoardTables) -> None:
    """The next seat to the left begins; passing the first seat's place begins a round."""
    # Places count from the first seat. A place that is not after the last one begins a round,
    # also where the first seat itself has left the game.
    place = (position.turn - position.first) % position.seats
    seat = ownership.next_playing(position, position.turn)
    if (seat - position.first) % position.seats <= place:
        position.round_number += 1
        if 0 < rules.game_round_limit < position.round_number:
            round_limit_reached(position, rules, board)
            return
    begin_turn(position, rules, board, seat)


@compiled
def close_turn(position: Position, rules: Rules, board: BoardTables) -> None:
    """After the last card: continental armies where they are due now, then the next seat."""
    seat = position.turn
    clear_turn(position)
    if rules.continent_timing == codes.ContinentTiming.SNAPSHOT_END_OF_OWN_TURN:
        position.snapshot[seat] = ownership.continent_award(position, board, seat)
    elif rules.continent_timing == codes.ContinentTiming.PLACED_END_OF_OWN_TURN:
        position.award_continents = ownership.continent_award(position, board, seat)
        position.unplaced[seat] = position.award_continents
        if position.award_continents > 0:
            position.phase = records.Phase.CONTINENTS
            return
    pass_turn(position, rules, board)


@compiled
def end_turn(position: Position, rules: Rules, board: BoardTables) -> None:
    """The turn is over: the win test of revised games, then the card where it is due now."""
    if turn_end_test(position, rules, board, position.turn):
        return
    if rules.cards_draw_time == codes.DrawTime.END_OF_TURN:
        count_draws(position, rules)
        if wait_for_draws(position, rules, board):
            return
    close_turn(position, rules, board)


@compiled
def count_draws(position: Position, rules: Rules) -> None:
    """How many cards this turn has earned (S000-17, S001-67, S001-68, A-51)."""
    position.draws_due = int(card_earned(position, rules))
    if rules.objectives_in_play != 0:
        if ownership.has_reward(position, rules, position.turn, records.RewardKind.GUARANTEED_CARD):
            position.draws_due += 1
            if rules.guaranteed_max_one != 0:
                position.draws_due = 1


@compiled
def enter_fortify(position: Position, rules: Rules, board: BoardTables) -> None:
    """The fortification, or the end of the turn where there is none to choose (A-92)."""
    position.phase = records.Phase.FORTIFY
    position.moves_left = rules.fortify_count
    if rules.objectives_in_play != 0:
        if ownership.has_reward(
            position, rules, position.turn, records.RewardKind.ADDITIONAL_MANOEUVRE
        ):
            position.moves_left += 1
    go_on_fortifying(position, rules, board)


@compiled
def go_on_fortifying(position: Position, rules: Rules, board: BoardTables) -> None:
    if position.moves_left == 0 or not can_fortify(position, rules, board):
        end_turn(position, rules, board)


@compiled
def enter_objectives(position: Position, rules: Rules, board: BoardTables) -> None:
    """The claim of an objective, where one is met (S001-49, A-92)."""
    if rules.objectives_in_play != 0 and can_claim(position, rules, board):
        position.phase = records.Phase.OBJECTIVE
    else:
        enter_fortify(position, rules, board)


@compiled
def end_attack(position: Position, rules: Rules, board: BoardTables) -> None:
    """No attack any more: the card where it is due now, then the rest of the turn (S000-16)."""
    forget_order(position)
    if rules.cards_draw_time == codes.DrawTime.END_OF_ATTACK:
        count_draws(position, rules)
        position.phase = records.Phase.ATTACK
        if wait_for_draws(position, rules, board):
            return
    enter_objectives(position, rules, board)


@compiled
def after_draw(position: Position, rules: Rules, board: BoardTables) -> None:
    """Go on after a card was drawn, at the end of the attacks or of the turn."""
    if wait_for_draws(position, rules, board):
        return
    if position.phase == records.Phase.ATTACK:
        enter_objectives(position, rules, board)
    else:
        close_turn(position, rules, board)
