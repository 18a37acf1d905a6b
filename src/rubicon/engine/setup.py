"""The set-up until the first armies are placed: what is dealt and laid out."""

from rubicon.engine import placement, records
from rubicon.engine.codes import ClaimMode, NeutralLayout, OwnColour, UnusedColours
from rubicon.engine.ownership import change_owner, clear_pending, set_pending
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.engine.victory import forget_order, seat_of_colour


@compiled
def empty_board(position: Position) -> None:
    """Write "none" wherever a record of zeros would say something else."""
    for t in range(records.TERRITORIES):
        position.owner[t] = records.NONE
    for card in range(records.CARDS):
        position.card[card] = records.CardPlace.REMOVED
    for seat in range(records.SEATS):
        position.colour[seat] = records.NONE
        position.capital[seat] = records.NONE
        position.mission[seat] = records.NONE
    for objective in range(records.OBJECTIVES):
        position.objective[objective] = records.ObjectivePlace.BOX
        position.objective_reward[objective] = records.NONE
    for token in range(records.REWARDS):
        position.reward[token] = records.RewardPlace.BOX
        position.airfield[token] = records.NONE
    position.first = records.NONE
    position.winner = records.NONE
    position.attack_source = records.NONE
    position.attack_target = records.NONE
    position.eliminated = records.NONE
    forget_order(position)


@compiled
def open_game(position: Position, rules: Rules, board: BoardTables, seats: int) -> None:
    """A game about to begin, in a record of zeros: seats, armies, the pile; nothing pending yet."""
    empty_board(position)
    position.seats = seats
    for seat in range(seats):
        position.colour[seat] = seat
        position.status[seat] = records.Seat.PLAYING
        position.unplaced[seat] = rules.setup_armies[seats]
    for card in range(board.cards):
        position.card[card] = records.CardPlace.PILE
    position.pile = board.cards


@compiled
def face_up(position: Position, board: BoardTables, major: int) -> int:
    """How many objectives of a class lie face up."""
    count = 0
    for objective in range(records.OBJECTIVES):
        if position.objective[objective] == records.ObjectivePlace.FACE_UP:
            count += int(board.objective_major[objective] == major)
    return count


@compiled
def objectives_in_box(position: Position, board: BoardTables, major: int) -> int:
    count = 0
    for objective in range(records.OBJECTIVES):
        count += objective_may_come(position, board, objective, major)
    return count


@compiled
def objective_may_come(position: Position, board: BoardTables, objective: int, major: int) -> int:
    """1 for an objective of the pool and class that does not lie face up yet."""
    return (
        int(board.objective_in_pool[objective] != 0)
        & int(board.objective_major[objective] == major)
        & int(position.objective[objective] == records.ObjectivePlace.BOX)
    )


@compiled
def rewards_in_box(position: Position, major: int) -> int:
    count = 0
    for token in range(major * records.MAJOR_REWARDS, (major + 1) * records.MAJOR_REWARDS):
        count += int(position.reward[token] == records.RewardPlace.BOX)
    return count


@compiled
def bare_objective(position: Position, board: BoardTables, major: int) -> int:
    """The first face-up objective of a class without a reward; NONE when all have one."""
    for objective in range(records.OBJECTIVES):
        if position.objective[objective] == records.ObjectivePlace.FACE_UP:
            if board.objective_major[objective] == major:
                if position.objective_reward[objective] == records.NONE:
                    return objective
    return records.NONE


@compiled
def wait_for_objective(position: Position, board: BoardTables, major: int) -> bool:
    left = objectives_in_box(position, board, major)
    if face_up(position, board, major) >= records.OBJECTIVES_A_CLASS or left == 0:
        return False
    set_pending(
        position,
        records.Chance.MAJOR_OBJECTIVE if major != 0 else records.Chance.MINOR_OBJECTIVE,
        left,
    )
    return True


@compiled
def wait_for_reward(position: Position, board: BoardTables, major: int) -> bool:
    if bare_objective(position, board, major) == records.NONE:
        return False
    chance = records.Chance.MAJOR_REWARD if major != 0 else records.Chance.MINOR_REWARD
    set_pending(position, chance, rewards_in_box(position, major))
    return True


@compiled
def wait_for_revised_setup(position: Position, rules: Rules, board: BoardTables) -> bool:
    """Cities, objectives and rewards, in the order of S001-15 to S001-21."""
    if position.dealt < rules.setup_cities:
        set_pending(position, records.Chance.CITY, board.territories - position.dealt)
        return True
    if rules.objectives_in_play == 0:
        return False
    if wait_for_objective(position, board, 0) or wait_for_objective(position, board, 1):
        return True
    return wait_for_reward(position, board, 0) or wait_for_reward(position, board, 1)


@compiled
def single_neutral_missing(position: Position, rules: Rules) -> bool:
    if rules.neutral_layout != NeutralLayout.SINGLE40:
        return False
    return position.territories[records.NEUTRAL] == 0


@compiled
def next_setup_step(position: Position, rules: Rules, board: BoardTables) -> None:
    """Wait for the next chance event of the set-up; after the last, claims or placements."""
    position.phase = records.Phase.DEAL
    if position.first == records.NONE:
        if not wait_for_revised_setup(position, rules, board):
            # `dealt` has counted the cities; from here on it counts the territories.
            position.dealt = 0
            placement.wait_for_first_player(position, rules)
        return
    if single_neutral_missing(position, rules):
        set_pending(position, records.Chance.NEUTRAL_TERRITORY, placement.unowned(position, board))
    elif rules.setup_claim != ClaimMode.DRAFT and placement.unowned(position, board) > 0:
        set_pending(position, records.Chance.TERRITORY, placement.unowned(position, board))
    elif rules.missions_in_play != 0 and mission_seat(position) != records.NONE:
        set_pending(position, records.Chance.MISSION, missions_left(position, rules, board))
    else:
        position.dealt = 0
        after_deal(position, rules, board)


@compiled
def after_deal(position: Position, rules: Rules, board: BoardTables) -> None:
    if placement.unowned(position, board) > 0:
        position.phase = records.Phase.CLAIM
        position.turn = position.first
        return
    if rules.neutral_layout == NeutralLayout.FOURTEEN:
        position.neutral_unplaced = max(
            0, rules.neutral_armies - position.territories[records.NEUTRAL]
        )
    placement.begin_placing(position, rules, board, (position.first - 1) % position.seats)


@compiled
def settle_city(position: Position, rules: Rules, board: BoardTables, number: int) -> None:
    # Chance names one of the things that are left by its place among them: count down to it.
    for t in range(board.territories):
        if position.city[t] == 0:
            if number == 0:
                position.city[t] = 1
                position.dealt += 1
                next_setup_step(position, rules, board)
                return
            number -= 1


@compiled
def settle_objective(
    position: Position, rules: Rules, board: BoardTables, number: int, major: int
) -> None:
    for objective in range(records.OBJECTIVES):
        if objective_may_come(position, board, objective, major) != 0:
            if number == 0:
                position.objective[objective] = records.ObjectivePlace.FACE_UP
                next_setup_step(position, rules, board)
                return
            number -= 1


@compiled
def settle_reward(
    position: Position, rules: Rules, board: BoardTables, number: int, major: int
) -> None:
    """The next objective without a reward gets the token that chance named."""
    for token in range(major * records.MAJOR_REWARDS, (major + 1) * records.MAJOR_REWARDS):
        if position.reward[token] == records.RewardPlace.BOX:
            if number == 0:
                position.reward[token] = records.RewardPlace.ON_OBJECTIVE
                position.objective_reward[bare_objective(position, board, major)] = token
                next_setup_step(position, rules, board)
                return
            number -= 1


@compiled
def settle_dice(position: Position, rules: Rules, board: BoardTables, outcome: int) -> None:
    """The highest die begins; only those who tie for it roll again (A-04)."""
    # The outcome has one base-6 digit for each seat that rolls, the last seat's the lowest.
    highest = 0
    code = outcome
    for back in range(records.SEATS):
        if position.chance_seats[records.SEATS - 1 - back] != 0:
            highest = max(highest, code % 6)
            code //= 6
    best = records.NONE
    count = 0
    code = outcome
    for back in range(records.SEATS):
        seat = records.SEATS - 1 - back
        if position.chance_seats[seat] != 0:
            position.chance_seats[seat] = int(code % 6 == highest)
            code //= 6
            if position.chance_seats[seat] != 0:
                best = seat
                count += 1
    if count == 1:
        position.chance_seats[best] = 0
        settle_first(position, rules, board, best)


@compiled
def settle_first(position: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """The seat begins: with the deal, or, where the roll was for it, with turn 1 (A-58)."""
    clear_pending(position)
    position.first = seat
    position.turn = seat
    if position.dealt == placement.TURN_ONE_ROLL:
        position.dealt = 0
        placement.begin_first_turn(position, rules, board)
    else:
        next_setup_step(position, rules, board)


@compiled
def dealt_to(position: Position, rules: Rules) -> int:
    """The owner that receives the next territory of the deal (A-07, A-83)."""
    if rules.setup_claim == ClaimMode.DEAL_THREE_PILES:
        pile = position.dealt % 3
        if pile == 2:
            return records.NEUTRAL
        return (position.first + pile) % position.seats
    if rules.setup_claim == ClaimMode.DEAL_CARDS:
        return (position.first + 1 + position.dealt) % position.seats
    return (position.first + position.dealt) % position.seats


@compiled
def settle_territory(position: Position, rules: Rules, board: BoardTables, number: int) -> None:
    t = placement.nth_unowned(position, board, number)
    owner = dealt_to(position, rules)
    change_owner(position, t, owner)
    position.armies[t] = 1
    position.dealt += 1
    if owner != records.NEUTRAL:
        position.unplaced[owner] -= 1
    next_setup_step(position, rules, board)


@compiled
def settle_neutral_territory(
    position: Position, rules: Rules, board: BoardTables, number: int
) -> None:
    """One territory holds all neutral armies (A-27)."""
    t = placement.nth_unowned(position, board, number)
    change_owner(position, t, records.NEUTRAL)
    position.armies[t] = rules.neutral_armies
    next_setup_step(position, rules, board)


@compiled
def mission_seat(position: Position) -> int:
    """The seat that receives the next mission: from the General's left; NONE when all have one."""
    for step in range(1, position.seats + 1):
        seat = (position.first + step) % position.seats
        if position.status[seat] == records.Seat.PLAYING and position.mission[seat] == records.NONE:
            return seat
    return records.NONE


@compiled
def mission_left(position: Position, rules: Rules, board: BoardTables, mission: int) -> bool:
    """Whether a mission card is still in the deck (rulebook 4.1, 4.3)."""
    if board.mission_in_deck[mission] == 0:
        return False
    for seat in range(position.seats):
        if position.mission[seat] == mission:
            return False
    if board.mission_kind[mission] != records.MissionKind.DESTROY:
        return True
    if rules.missions_unused_colours == UnusedColours.KEPT_24:
        return True
    return seat_of_colour(position, board.mission_colour[mission]) != records.NONE


@compiled
def missions_left(position: Position, rules: Rules, board: BoardTables) -> int:
    count = 0
    for mission in range(records.MISSIONS):
        count += int(mission_left(position, rules, board, mission))
    return count


@compiled
def settle_mission(position: Position, rules: Rules, board: BoardTables, number: int) -> None:
    for mission in range(records.MISSIONS):
        if mission_left(position, rules, board, mission):
            if number == 0:
                deal_mission(position, rules, board, mission)
                next_setup_step(position, rules, board)
                return
            number -= 1


@compiled
def deal_mission(position: Position, rules: Rules, board: BoardTables, mission: int) -> None:
    """Deal the card; it means 24 territories if its colour is the seat's own or absent (4.3)."""
    seat = mission_seat(position)
    if board.mission_kind[mission] == records.MissionKind.DESTROY:
        target = seat_of_colour(position, board.mission_colour[mission])
        if target == seat and rules.missions_own_colour == OwnColour.REDRAW:
            return  # the seat still has no mission, so the next step of the set-up draws again
        if target in (seat, records.NONE):
            position.mission_fallback[seat] = 1
    position.mission[seat] = mission
