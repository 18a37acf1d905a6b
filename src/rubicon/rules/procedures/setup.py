"""From an empty board to turn 1: who begins, what is dealt, claims and placements (rulebook 3.1)."""

from rubicon.rules.choices import (
    Claim,
    ContinentTiming,
    FirstPlayer,
    Goal,
    HqReveal,
    NeutralLayout,
    OwnColour,
    Placing,
    TurnOne,
    UnusedColours,
)
from rubicon.rules.layout import compiled
from rubicon.rules.position import (
    CARDS,
    MISSIONS,
    NEUTRAL,
    NONE,
    OBJECTIVES,
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
from rubicon.rules.procedures.cards import draw, owe_card
from rubicon.rules.procedures.holdings import (
    change_owner,
    continent_award,
    left_of,
    next_playing,
    owe,
    owe_nothing,
)
from rubicon.rules.procedures.missions import seat_of_colour
from rubicon.rules.procedures.reinforce import begin_turn
from rubicon.rules.procedures.turn import forget_order
from rubicon.rules.procedures.victory import mission_test
from rubicon.rules.refusals import Refusal
from rubicon.rules.tables import BoardTables, MissionKind, Rules

OBJECTIVES_A_CLASS = 4
MAJOR_REWARDS = 4  # the first token that belongs on a major objective
TURN_ONE_ROLL = -1  # `dealt` while the roll for turn 1 is owed


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
def unowned(game: Position, board: BoardTables) -> int:
    held = 0
    for owner in range(SEATS + 1):
        held += game.territories[owner]
    return board.territories - held


@compiled
def nth_unowned(game: Position, board: BoardTables, number: int) -> int:
    for t in range(board.territories):
        if game.owner[t] == NONE:
            if number == 0:
                return t
            number -= 1
    return NONE


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
def owe_first_player(game: Position, rules: Rules) -> None:
    """A die a seat, or a pick among the seats (A-04)."""
    game.phase = Phase.FIRST_PLAYER
    if rules.setup_first_player == FirstPlayer.DIE_ROLL:
        for seat in range(game.seats):
            game.chance_seats[seat] = int(game.status[seat] == Seat.PLAYING)
        owe(game, Chance.DICE, 0)
    else:
        owe(game, Chance.FIRST_SEAT, game.seats)


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
def settle_neutral_territory(
    game: Position, rules: Rules, board: BoardTables, number: int
) -> None:
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


@compiled
def refuse_claim(game: Position, rules: Rules, board: BoardTables, t: int, capital: bool) -> int:
    """Whether the acting seat may put an army, and its capital, on an empty territory."""
    if game.phase != Phase.CLAIM:
        return Refusal.WRONG_PHASE
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    if game.owner[t] != NONE:
        return Refusal.CLAIM_TAKEN
    founded = rules.setup_capitals == 0 or game.capital[game.turn] != NONE
    if capital and founded:
        return Refusal.CAPITAL_ALREADY if rules.setup_capitals != 0 else Refusal.WRONG_PHASE
    if not capital and not founded:
        return Refusal.CAPITAL_FIRST
    if capital and rules.revised_capital_on_city == 0 and game.city[t] != 0:
        return Refusal.CAPITAL_ON_CITY
    return Refusal.LEGAL


@compiled
def claim(game: Position, rules: Rules, board: BoardTables, t: int) -> None:
    seat = game.turn
    change_owner(game, t, seat)
    game.armies[t] = 1
    game.unplaced[seat] -= 1
    go_on_claiming(game, rules, board, seat)


@compiled
def next_with_armies(game: Position, seat: int) -> int:
    """The next seat to the left that has starting armies left (A-82); NONE if nobody has."""
    candidate = seat
    for _ in range(game.seats):
        candidate = left_of(game, candidate)
        if game.status[candidate] == Seat.PLAYING and game.unplaced[candidate] > 0:
            return candidate
    return NONE


@compiled
def go_on_claiming(game: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    if unowned(game, board) == 0:
        begin_placing(game, rules, board, seat)
        return
    following = next_with_armies(game, seat)
    if following != NONE:
        game.turn = following
        return
    for t in range(board.territories):  # only where seats resigned while claiming
        if game.owner[t] == NONE:
            change_owner(game, t, NEUTRAL)
            game.armies[t] = 1
    begin_placing(game, rules, board, seat)


@compiled
def begin_placing(game: Position, rules: Rules, board: BoardTables, after: int) -> None:
    """The remaining starting armies: sealed and at once, or seat after seat (A-09)."""
    if rules.setup_place == Placing.ALL_AT_ONCE:
        game.phase = Phase.SEALED
        game.turn = game.first
        for seat in range(game.seats):
            game.sealed[seat] = int(game.unplaced[seat] == 0)
        go_on_sealing(game, rules, board)
    else:
        game.phase = Phase.PLACE
        go_on_placing(game, rules, board, after)


@compiled
def go_on_placing(game: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    following = next_with_armies(game, seat)
    if following == NONE:
        finish_placing(game, rules, board)
        return
    game.turn = following
    if rules.setup_place == Placing.TWO_OWN_ONE_NEUTRAL:
        game.own_left = min(2, game.unplaced[following])
        game.neutral_left = min(1, game.neutral_unplaced)


@compiled
def refuse_first_placement(
    game: Position, rules: Rules, board: BoardTables, t: int, armies: int
) -> int:
    """Whether the acting seat may put starting armies there (A-09)."""
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    if armies < 1:
        return Refusal.ZERO
    if rules.setup_place == Placing.TWO_OWN_ONE_NEUTRAL:
        return refuse_two_and_one(game, t, armies)
    if game.owner[t] != game.turn:
        return Refusal.NOT_YOUR_TERRITORY
    return Refusal.PLACE_ONE if armies > 1 else Refusal.LEGAL


@compiled
def refuse_two_and_one(game: Position, t: int, armies: int) -> int:
    """Two own armies first, then one neutral army (N40, A-09)."""
    if game.owner[t] == NEUTRAL:
        if game.own_left > 0:
            return Refusal.PLACE_OWN_FIRST
        return Refusal.PLACE_ONE if armies > game.neutral_left else Refusal.LEGAL
    if game.owner[t] != game.turn:
        return Refusal.NOT_YOUR_TERRITORY
    if game.own_left == 0:
        return Refusal.PLACE_NEUTRAL
    return Refusal.PLACE_TOO_MANY if armies > game.own_left else Refusal.LEGAL


@compiled
def place_first(game: Position, rules: Rules, board: BoardTables, t: int, armies: int) -> None:
    """Put starting armies down; when the move is complete the next seat places."""
    game.armies[t] += armies
    if game.owner[t] == NEUTRAL:
        game.neutral_unplaced -= armies
        game.neutral_left -= armies
    else:
        game.unplaced[game.turn] -= armies
        if game.own_left > 0:
            game.own_left -= armies
    if game.own_left == 0 and game.neutral_left == 0:
        go_on_placing(game, rules, board, game.turn)


@compiled
def refuse_seal(game: Position, seat: int) -> int:
    if game.phase != Phase.SEALED:
        return Refusal.WRONG_PHASE
    if seat >= game.seats or game.status[seat] != Seat.PLAYING:
        return Refusal.NOT_PLAYING
    if game.sealed[seat] != 0:
        return Refusal.SEALED_ALREADY
    return Refusal.ARMIES_LEFT if game.unplaced[seat] > 0 else Refusal.LEGAL


@compiled
def go_on_sealing(game: Position, rules: Rules, board: BoardTables) -> None:
    """When the last placement is in, all are revealed together (A-07)."""
    for seat in range(game.seats):
        if game.status[seat] == Seat.PLAYING and game.sealed[seat] == 0:
            return
    for seat in range(game.seats):
        game.sealed[seat] = 0
    finish_placing(game, rules, board)


@compiled
def finish_placing(game: Position, rules: Rules, board: BoardTables) -> None:
    """All armies stand: headquarters are chosen, or the first cards dealt."""
    game.neutral_unplaced = 0
    if rules.victory_goal == Goal.HEADQUARTERS:
        game.phase = Phase.HEADQUARTERS
        game.turn = (game.first - 1) % game.seats
        go_on_choosing(game, rules, board)
    else:
        finish_setup(game, rules, board)


@compiled
def refuse_headquarters(game: Position, board: BoardTables, t: int) -> int:
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    return Refusal.LEGAL if game.owner[t] == game.turn else Refusal.NOT_YOUR_TERRITORY


@compiled
def go_on_choosing(game: Position, rules: Rules, board: BoardTables) -> None:
    """The next seat chooses its headquarters; after the last all are shown (A-66)."""
    for step in range(1, game.seats + 1):
        seat = (game.turn + step) % game.seats
        if game.status[seat] == Seat.PLAYING and game.capital[seat] == NONE:
            game.turn = seat
            return
    for seat in range(game.seats):
        remove_headquarters_card(game, seat)
    finish_setup(game, rules, board)


@compiled
def remove_headquarters_card(game: Position, seat: int) -> None:
    """The card of a headquarters leaves the deck and is no hand card (A-86)."""
    t = game.capital[seat]
    if t != NONE and game.card[t] == CardPlace.PILE:
        game.card[t] = CardPlace.REMOVED
        game.pile -= 1


@compiled
def choose_headquarters(game: Position, rules: Rules, board: BoardTables, t: int) -> None:
    game.capital[game.turn] = t
    if rules.hq_reveal == HqReveal.OPEN:
        remove_headquarters_card(game, game.turn)
    go_on_choosing(game, rules, board)


@compiled
def starting_card_seat(game: Position, rules: Rules) -> int:
    """Who receives the next starting card, by place in the order of play (S001-28, S001-29)."""
    before = 0
    for place in range(game.seats):
        before += rules.setup_starting_cards[place]
        if game.dealt < before:
            return (game.first + place) % game.seats
    return NONE


@compiled
def finish_setup(game: Position, rules: Rules, board: BoardTables) -> None:
    """The last cards and the roll for turn 1 where it is due; then the game begins (S002-07)."""
    while True:
        seat = starting_card_seat(game, rules)
        if seat == NONE:
            break
        if game.status[seat] == Seat.PLAYING:
            game.phase = Phase.DEAL
            if owe_card(game, rules, board, Chance.STARTING_CARD):
                return
        game.dealt += 1
    game.dealt = 0
    if rules.setup_turn1 == TurnOne.NEW_ROLL:
        game.dealt = TURN_ONE_ROLL
        owe_first_player(game, rules)
    else:
        begin_first_turn(game, rules, board)


@compiled
def settle_starting_card(game: Position, rules: Rules, board: BoardTables, number: int) -> None:
    draw(game, board, number, starting_card_seat(game, rules))
    game.dealt += 1
    owe_nothing(game)
    finish_setup(game, rules, board)


@compiled
def begin_first_turn(game: Position, rules: Rules, board: BoardTables) -> None:
    """Turn 1: snapshots of the set-up, and missions that are true from the start (A-90)."""
    game.round_number = 1
    if rules.continent_timing == ContinentTiming.SNAPSHOT_END_OF_OWN_TURN:
        for seat in range(game.seats):
            game.snapshot[seat] = continent_award(game, board, seat)
    seat = game.first
    if game.status[seat] != Seat.PLAYING:
        seat = next_playing(game, seat)
    begin_turn(game, rules, board, seat)
    mission_test(game, rules, board, seat)
