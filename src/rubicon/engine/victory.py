"""The end of a game: missions, goals, limits, and what is cleared away."""

from rubicon.engine import codes, records
from rubicon.engine.cards import withdraw
from rubicon.engine.ownership import add_armies, clear_pending, holds_continent, playing_seats
from rubicon.engine.records import BoardTables, Position, Rules, compiled, inlined

# Resetting the fields of a step that is over, so that equal positions have equal bytes.


@inlined
def clear_attack(position: Position) -> None:
    """Reset the fields of a roll that is settled."""
    position.attack_source = records.NONE
    position.attack_target = records.NONE
    position.attack_dice = 0
    position.defence_dice = 0
    position.attack_extra = 0
    position.defence_extra = 0
    position.attack_plus = 0
    position.defence_plus = 0


@compiled
def move_in(position: Position, rules: Rules, armies: int) -> None:
    """Move armies into the captured territory."""
    position.armies[position.attack_source] -= armies
    add_armies(position, rules, position.attack_target, armies)
    position.occupy_minimum = 0
    clear_attack(position)


@compiled
def forget_order(position: Position) -> None:
    """No attack order is under way any more."""
    position.order_source = records.NONE
    position.order_target = records.NONE
    position.order_standing = 0


@compiled
def clear_turn(position: Position) -> None:
    """Reset the fields that only the ending turn needed."""
    position.moves_left = 0
    position.draws_due = 0
    forget_order(position)


@compiled
def finish_pending(position: Position, rules: Rules, board: BoardTables) -> None:
    """A pending occupation takes its minimum; cards on offer go back to the hand."""
    withdraw(position, board)
    if position.phase == records.Phase.OCCUPY:
        move_in(position, rules, position.occupy_minimum)


@compiled
def clear_board(position: Position, rules: Rules, board: BoardTables) -> None:
    """Complete the step under way and reset its fields: a game may end in any phase."""
    finish_pending(position, rules, board)
    position.eliminated = records.NONE
    clear_attack(position)
    clear_turn(position)
    if position.phase < records.Phase.REINFORCE:
        for seat in range(records.SEATS):
            position.unplaced[seat] = 0
        position.neutral_unplaced = 0
        position.own_left = 0
        position.neutral_left = 0


# Secret missions: when one is complete, and what it falls back to (rulebook chapter 4).


@compiled
def seat_of_colour(position: Position, colour: int) -> int:
    for seat in range(position.seats):
        if position.colour[seat] == colour:
            return seat
    return records.NONE


@compiled
def garrisons(position: Position, board: BoardTables, seat: int, minimum: int) -> int:
    """How many territories the seat holds with at least `minimum` armies each.

    One that waits for its occupation counts as held by one army.
    """
    count = 0
    for t in range(board.territories):
        count += int(position.owner[t] == seat and max(1, position.armies[t]) >= minimum)
    return count


@compiled
def third_continent(position: Position, board: BoardTables, seat: int, mission: int) -> bool:
    for continent in range(board.continents):
        if continent in (board.mission_first[mission], board.mission_second[mission]):
            continue
        if holds_continent(position, board, seat, continent):
            return True
    return False


@compiled
def mission_complete(position: Position, board: BoardTables, seat: int) -> bool:
    """Whether the seat's mission is true now (rulebook 4.2, 4.3)."""
    mission = position.mission[seat]
    if mission == records.NONE or position.status[seat] != records.Seat.PLAYING:
        return False
    if position.mission_fallback[seat] != 0:
        return position.territories[seat] >= board.mission_fallback_count
    kind = board.mission_kind[mission]
    if kind == records.MissionKind.DESTROY:
        target = seat_of_colour(position, board.mission_colour[mission])
        return target != records.NONE and position.status[target] == records.Seat.ELIMINATED
    if kind == records.MissionKind.TERRITORIES:
        minimum = board.mission_minimum[mission]
        return garrisons(position, board, seat, minimum) >= board.mission_count[mission]
    if not holds_continent(position, board, seat, board.mission_first[mission]):
        return False
    if not holds_continent(position, board, seat, board.mission_second[mission]):
        return False
    return board.mission_third[mission] == 0 or third_continent(position, board, seat, mission)


@compiled
def targets(position: Position, board: BoardTables, seat: int, colour: int) -> bool:
    """Whether the seat's mission is to destroy this colour."""
    mission = position.mission[seat]
    if mission == records.NONE or board.mission_kind[mission] != records.MissionKind.DESTROY:
        return False
    return board.mission_colour[mission] == colour


@compiled
def fall_back(position: Position, board: BoardTables, gone: int, killer: int) -> None:
    """Missions to destroy `gone` mean 24 territories from now on, but for the killer's own."""
    for seat in range(position.seats):
        if seat != killer and targets(position, board, seat, position.colour[gone]):
            position.mission_fallback[seat] = 1


@compiled
def put_away(position: Position, rules: Rules, board: BoardTables, gone: int, killer: int) -> None:
    """An eliminated seat's mission is dead; those that named it may fall back (A-33)."""
    if rules.missions_in_play == 0:
        return
    if killer == records.NONE or rules.missions_killer == codes.MissionKiller.SELF_ELSE_24:
        fall_back(position, board, gone, killer)
    position.mission[gone] = records.NONE
    position.mission_fallback[gone] = 0


# Every way to win (rulebook 3.7).

WINNING_OBJECTIVES = 3


@compiled
def end_game(position: Position, rules: Rules, board: BoardTables, winner: int) -> None:
    """End the game with a winner, or without one (DRAWN); nothing stays pending (A-89)."""
    clear_board(position, rules, board)
    position.winner = winner
    position.phase = records.Phase.OVER
    clear_pending(position)


@compiled
def owns_capital(position: Position, seat: int) -> bool:
    capital = position.capital[seat]
    return capital != records.NONE and position.owner[capital] == seat


@compiled
def objectives_of(position: Position, seat: int) -> int:
    count = 0
    for objective in range(records.OBJECTIVES):
        count += int(position.objective[objective] == seat)
    return count


@compiled
def objectives_won(position: Position, seat: int) -> bool:
    """Three objectives and one's own capital (S001-70)."""
    return owns_capital(position, seat) and objectives_of(position, seat) >= WINNING_OBJECTIVES


@compiled
def headquarters_won(position: Position, rules: Rules, seat: int) -> bool:
    """One's own headquarters and as many opposing ones as the game asks for (A-36, A-80)."""
    if not owns_capital(position, seat):
        return False
    opposing = 0
    taken = 0
    for other in range(position.seats):
        if other != seat and position.capital[other] != records.NONE:
            opposing += 1
            taken += int(position.owner[position.capital[other]] == seat)
    # The short game is won with two foreign headquarters, with three among five or six seats.
    needed = opposing
    if rules.hq_needed == codes.HqNeeded.SHORT:
        needed = min(opposing, 2 if position.seats <= 4 else 3)
    return opposing > 0 and taken >= needed


@compiled
def goal_reached(position: Position, rules: Rules, board: BoardTables, seat: int) -> bool:
    """Whether the acting seat has just reached the goal of the game, missions apart."""
    if rules.victory_goal == codes.Goal.CONQUEST:
        if position.territories[seat] == board.territories:
            return True
        return rules.neutral_must_fall == 0 and playing_seats(position) == 1
    if playing_seats(position) == 1:
        return True
    if rules.victory_goal == codes.Goal.HEADQUARTERS:
        return headquarters_won(position, rules, seat)
    if rules.victory_goal == codes.Goal.OBJECTIVES:
        return rules.revised_win == codes.RevisedWin.IMMEDIATE and objectives_won(position, seat)
    return False


@compiled
def mission_winner(position: Position, board: BoardTables, active: int) -> int:
    """The first seat clockwise from the active one whose mission is complete (A-35)."""
    for step in range(position.seats):
        seat = (active + step) % position.seats
        if mission_complete(position, board, seat):
            return seat
    return records.NONE


@compiled
def missions_watched(rules: Rules) -> bool:
    """Whether missions are judged at every moment (A-34)."""
    return (
        rules.missions_in_play != 0
        and rules.missions_reveal == codes.MissionReveal.AUTO
        and rules.missions_check == codes.MissionCheck.IMMEDIATE_ANY_PLAYER
    )


@compiled
def win_test(position: Position, rules: Rules, board: BoardTables, active: int) -> bool:
    """End the game if a seat has just won; the active seat is tested first."""
    if goal_reached(position, rules, board, active):
        end_game(position, rules, board, active)
        return True
    return mission_test(position, rules, board, active)


@compiled
def mission_test(position: Position, rules: Rules, board: BoardTables, active: int) -> bool:
    """End the game if a mission is complete and missions are judged at every moment."""
    if not missions_watched(rules):
        return False
    winner = mission_winner(position, board, active)
    if winner == records.NONE:
        return False
    end_game(position, rules, board, winner)
    return True


@compiled
def turn_end_test(position: Position, rules: Rules, board: BoardTables, seat: int) -> bool:
    """End the game if the seat wins by how its own turn ends (S001-70, A-34)."""
    won = rules.victory_goal == codes.Goal.OBJECTIVES and objectives_won(position, seat)
    if rules.missions_in_play != 0 and rules.missions_check == codes.MissionCheck.OWN_TURN_END:
        if rules.missions_reveal == codes.MissionReveal.AUTO and mission_complete(
            position, board, seat
        ):
            won = True
    if won:
        end_game(position, rules, board, seat)
    return won


@compiled
def armies_of(position: Position, board: BoardTables, seat: int) -> int:
    total = 0
    for t in range(board.territories):
        if position.owner[t] == seat:
            total += position.armies[t]
    return total


@compiled
def leader(position: Position, board: BoardTables) -> int:
    """The seat with most territories, then most armies; NONE where two are level."""
    best = records.NONE
    level = False
    for seat in range(position.seats):
        if position.status[seat] != records.Seat.PLAYING:
            continue
        if best == records.NONE:
            best = seat
            continue
        lead = position.territories[seat] - position.territories[best]
        if lead == 0:
            lead = armies_of(position, board, seat) - armies_of(position, board, best)
        if lead > 0:
            best = seat
            level = False
        elif lead == 0:
            level = True
    return records.NONE if level else best


@compiled
def round_limit_reached(position: Position, rules: Rules, board: BoardTables) -> None:
    """End a game whose rounds are used up (A-94)."""
    winner = leader(position, board)
    if winner == records.NONE or rules.game_limit_winner == codes.LimitWinner.DRAW:
        winner = records.DRAWN
    end_game(position, rules, board, winner)
