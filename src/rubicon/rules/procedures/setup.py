"""From an empty board to the last card of the deal: who begins, and what chance deals out."""

from rubicon.rules.choices import (
    Claim,
    NeutralLayout,
    OwnColour,
    UnusedColours,
)
from rubicon.rules.layout import compiled
from rubicon.rules.position import (
    CARDS,
    MAJOR_REWARDS,
    MISSIONS,
    NEUTRAL,
    NONE,
    OBJECTIVES,
    OBJECTIVES_A_CLASS,
    REWARDS,
    SEATS,
    TERRITORIES,
    CardPlace,
    Chance,
    ObjectivePlace,
    Phase,
    Position,
    RewardPlace,
    Seat,
)
from rubicon.rules.procedures.holdings import (
    change_owner,
    owe,
    owe_nothing,
)
from rubicon.rules.procedures.leftovers import forget_order
from rubicon.rules.procedures.missions import seat_of_colour
from rubicon.rules.procedures.placing import (
    TURN_ONE_ROLL,
    begin_first_turn,
    begin_placing,
    nth_unowned,
    owe_first_player,
    unowned,
)
from rubicon.rules.tables import BoardTables, MissionKind, Rules


@compiled
def empty_board(game: Position) -> None:
    """Write "none" wherever a record of zeros would say something else."""
    for t in range(TERRITORIES):
        game.owner[t] = NONE
    for card in range(CARDS):
        game.card[card] = CardPlace.REMOVED
    for seat in range(SEATS):
        game.colour[seat] = NONE
        game.capital[seat] = NONE
        game.mission[seat] = NONE
    for objective in range(OBJECTIVES):
        game.objective[objective] = ObjectivePlace.BOX
        game.objective_reward[objective] = NONE
    for token in range(REWARDS):
        game.reward[token] = RewardPlace.BOX
        game.airfield[token] = NONE
    game.first = NONE
    game.winner = NONE
    game.attack_source = NONE
    game.attack_target = NONE
    game.eliminated = NONE
    forget_order(game)


@compiled
def open_game(game: Position, rules: Rules, board: BoardTables, seats: int) -> None:
    """A game about to begin, in a record of zeros: seats, armies, the pile; nothing owed yet."""
    empty_board(game)
    game.seats = seats
    for seat in range(seats):
        game.colour[seat] = seat
        game.status[seat] = Seat.PLAYING
        game.unplaced[seat] = rules.setup_armies[seats]
    for card in range(board.cards):
        game.card[card] = CardPlace.PILE
    game.pile = board.cards


@compiled
def face_up(game: Position, board: BoardTables, major: int) -> int:
    """How many objectives of a class lie face up."""
    count = 0
    for objective in range(OBJECTIVES):
        if game.objective[objective] == ObjectivePlace.FACE_UP:
            count += int(board.objective_major[objective] == major)
    return count


@compiled
def objectives_in_box(game: Position, board: BoardTables, major: int) -> int:
    count = 0
    for objective in range(OBJECTIVES):
        count += objective_may_come(game, board, objective, major)
    return count


@compiled
def objective_may_come(game: Position, board: BoardTables, objective: int, major: int) -> int:
    """1 for an objective of the pool and class that does not lie face up yet."""
    return (
        int(board.objective_in_pool[objective] != 0)
        & int(board.objective_major[objective] == major)
        & int(game.objective[objective] == ObjectivePlace.BOX)
    )


@compiled
def rewards_in_box(game: Position, major: int) -> int:
    count = 0
    for token in range(major * MAJOR_REWARDS, (major + 1) * MAJOR_REWARDS):
        count += int(game.reward[token] == RewardPlace.BOX)
    return count


@compiled
def bare_objective(game: Position, board: BoardTables, major: int) -> int:
    """The first face-up objective of a class without a reward; NONE when all have one."""
    for objective in range(OBJECTIVES):
        if game.objective[objective] == ObjectivePlace.FACE_UP:
            if board.objective_major[objective] == major:
                if game.objective_reward[objective] == NONE:
                    return objective
    return NONE


@compiled
def owe_objective(game: Position, board: BoardTables, major: int) -> bool:
    left = objectives_in_box(game, board, major)
    if face_up(game, board, major) >= OBJECTIVES_A_CLASS or left == 0:
        return False
    owe(game, Chance.MAJOR_OBJECTIVE if major != 0 else Chance.MINOR_OBJECTIVE, left)
    return True


@compiled
def owe_reward(game: Position, board: BoardTables, major: int) -> bool:
    if bare_objective(game, board, major) == NONE:
        return False
    chance = Chance.MAJOR_REWARD if major != 0 else Chance.MINOR_REWARD
    owe(game, chance, rewards_in_box(game, major))
    return True


@compiled
def owe_revised_setup(game: Position, rules: Rules, board: BoardTables) -> bool:
    """Cities, objectives and rewards, in the order of S001-15 to S001-21."""
    if game.dealt < rules.setup_cities:
        owe(game, Chance.CITY, board.territories - game.dealt)
        return True
    if rules.objectives_in_play == 0:
        return False
    if owe_objective(game, board, 0) or owe_objective(game, board, 1):
        return True
    return owe_reward(game, board, 0) or owe_reward(game, board, 1)


@compiled
def single_neutral_missing(game: Position, rules: Rules) -> bool:
    if rules.neutral_layout != NeutralLayout.SINGLE40:
        return False
    return game.territories[NEUTRAL] == 0


@compiled
def next_setup_step(game: Position, rules: Rules, board: BoardTables) -> None:
    """Owe what chance has to give next; when it has given all, go on to claims or placements."""
    game.phase = Phase.DEAL
    if game.first == NONE:
        if not owe_revised_setup(game, rules, board):
            game.dealt = 0
            owe_first_player(game, rules)
        return
    if single_neutral_missing(game, rules):
        owe(game, Chance.NEUTRAL_TERRITORY, unowned(game, board))
    elif rules.setup_claim != Claim.DRAFT and unowned(game, board) > 0:
        owe(game, Chance.TERRITORY, unowned(game, board))
    elif rules.missions_in_play != 0 and mission_seat(game) != NONE:
        owe(game, Chance.MISSION, missions_left(game, rules, board))
    else:
        game.dealt = 0
        after_deal(game, rules, board)


@compiled
def after_deal(game: Position, rules: Rules, board: BoardTables) -> None:
    if unowned(game, board) > 0:
        game.phase = Phase.CLAIM
        game.turn = game.first
        return
    if rules.neutral_layout == NeutralLayout.FOURTEEN:
        game.neutral_unplaced = max(0, rules.neutral_armies - game.territories[NEUTRAL])
    begin_placing(game, rules, board, (game.first - 1) % game.seats)


@compiled
def settle_city(game: Position, rules: Rules, board: BoardTables, number: int) -> None:
    for t in range(board.territories):
        if game.city[t] == 0:
            if number == 0:
                game.city[t] = 1
                game.dealt += 1
                next_setup_step(game, rules, board)
                return
            number -= 1


@compiled
def settle_objective(
    game: Position, rules: Rules, board: BoardTables, number: int, major: int
) -> None:
    for objective in range(OBJECTIVES):
        if objective_may_come(game, board, objective, major) != 0:
            if number == 0:
                game.objective[objective] = ObjectivePlace.FACE_UP
                next_setup_step(game, rules, board)
                return
            number -= 1


@compiled
def settle_reward(
    game: Position, rules: Rules, board: BoardTables, number: int, major: int
) -> None:
    """The next objective without a reward gets the token that chance named."""
    for token in range(major * MAJOR_REWARDS, (major + 1) * MAJOR_REWARDS):
        if game.reward[token] == RewardPlace.BOX:
            if number == 0:
                game.reward[token] = RewardPlace.ON_OBJECTIVE
                game.objective_reward[bare_objective(game, board, major)] = token
                next_setup_step(game, rules, board)
                return
            number -= 1


@compiled
def settle_dice(game: Position, rules: Rules, board: BoardTables, outcome: int) -> None:
    """The highest die begins; only those who tie for it roll again (A-04)."""
    highest = 0
    code = outcome
    for back in range(SEATS):
        if game.chance_seats[SEATS - 1 - back] != 0:
            highest = max(highest, code % 6)
            code //= 6
    best = NONE
    count = 0
    code = outcome
    for back in range(SEATS):
        seat = SEATS - 1 - back
        if game.chance_seats[seat] != 0:
            game.chance_seats[seat] = int(code % 6 == highest)
            code //= 6
            if game.chance_seats[seat] != 0:
                best = seat
                count += 1
    if count == 1:
        game.chance_seats[best] = 0
        settle_first(game, rules, board, best)


@compiled
def settle_first(game: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """Somebody begins: with the deal, or where the roll was for it, with turn 1 (A-58)."""
    owe_nothing(game)
    game.first = seat
    game.turn = seat
    if game.dealt == TURN_ONE_ROLL:
        game.dealt = 0
        begin_first_turn(game, rules, board)
    else:
        next_setup_step(game, rules, board)


@compiled
def dealt_to(game: Position, rules: Rules) -> int:
    """Who receives the next territory of the deal (A-07, A-83)."""
    if rules.setup_claim == Claim.DEAL_THREE_PILES:
        pile = game.dealt % 3
        if pile == 2:
            return NEUTRAL
        return (game.first + pile) % game.seats
    if rules.setup_claim == Claim.DEAL_CARDS:
        return (game.first + 1 + game.dealt) % game.seats
    return (game.first + game.dealt) % game.seats


@compiled
def settle_territory(game: Position, rules: Rules, board: BoardTables, number: int) -> None:
    t = nth_unowned(game, board, number)
    owner = dealt_to(game, rules)
    change_owner(game, t, owner)
    game.armies[t] = 1
    game.dealt += 1
    if owner != NEUTRAL:
        game.unplaced[owner] -= 1
    next_setup_step(game, rules, board)


@compiled
def settle_neutral_territory(game: Position, rules: Rules, board: BoardTables, number: int) -> None:
    """One territory holds all neutral armies (A-27)."""
    t = nth_unowned(game, board, number)
    change_owner(game, t, NEUTRAL)
    game.armies[t] = rules.neutral_armies
    next_setup_step(game, rules, board)


@compiled
def mission_seat(game: Position) -> int:
    """Who receives the next mission: from the General's left; NONE when all have one."""
    for step in range(1, game.seats + 1):
        seat = (game.first + step) % game.seats
        if game.status[seat] == Seat.PLAYING and game.mission[seat] == NONE:
            return seat
    return NONE


@compiled
def mission_left(game: Position, rules: Rules, board: BoardTables, mission: int) -> bool:
    """Whether a mission card is still in the deck (rulebook 4.1, 4.3)."""
    if board.mission_in_deck[mission] == 0:
        return False
    for seat in range(game.seats):
        if game.mission[seat] == mission:
            return False
    if board.mission_kind[mission] != MissionKind.DESTROY:
        return True
    if rules.missions_unused_colours == UnusedColours.KEPT_24:
        return True
    return seat_of_colour(game, board.mission_colour[mission]) != NONE


@compiled
def missions_left(game: Position, rules: Rules, board: BoardTables) -> int:
    count = 0
    for mission in range(MISSIONS):
        count += int(mission_left(game, rules, board, mission))
    return count


@compiled
def settle_mission(game: Position, rules: Rules, board: BoardTables, number: int) -> None:
    for mission in range(MISSIONS):
        if mission_left(game, rules, board, mission):
            if number == 0:
                deal_mission(game, rules, board, mission)
                next_setup_step(game, rules, board)
                return
            number -= 1


@compiled
def deal_mission(game: Position, rules: Rules, board: BoardTables, mission: int) -> None:
    """Give the card out, as 24 territories where its colour is one's own or nobody's (4.3)."""
    seat = mission_seat(game)
    if board.mission_kind[mission] == MissionKind.DESTROY:
        target = seat_of_colour(game, board.mission_colour[mission])
        if target == seat and rules.missions_own_colour == OwnColour.REDRAW:
            return
        if target in (seat, NONE):
            game.mission_fallback[seat] = 1
    game.mission[seat] = mission
