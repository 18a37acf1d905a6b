"""Every way to win (rulebook 3.7)."""

from rubicon.engine.missions import mission_complete
from rubicon.engine.ownership import clear_pending, playing_seats
from rubicon.engine.phases.cleanup import clear_board
from rubicon.engine.records.choices import (
    Goal,
    HqNeeded,
    LimitWinner,
    MissionCheck,
    MissionReveal,
    RevisedWin,
)
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import DRAWN, NONE, OBJECTIVES, Phase, Position, Seat
from rubicon.engine.records.tables import BoardTables, Rules

WINNING_OBJECTIVES = 3


@compiled
def end_game(position: Position, rules: Rules, board: BoardTables, winner: int) -> None:
    """End the game with a winner, or without one (DRAWN); nothing stays pending (A-89)."""
    clear_board(position, rules, board)
    position.winner = winner
    position.phase = Phase.OVER
    clear_pending(position)


@compiled
def owns_capital(position: Position, seat: int) -> bool:
    capital = position.capital[seat]
    return capital != NONE and position.owner[capital] == seat


@compiled
def objectives_of(position: Position, seat: int) -> int:
    count = 0
    for objective in range(OBJECTIVES):
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
        if other != seat and position.capital[other] != NONE:
            opposing += 1
            taken += int(position.owner[position.capital[other]] == seat)
    # The short game is won with two foreign headquarters, with three among five or six seats.
    needed = opposing
    if rules.hq_needed == HqNeeded.SHORT:
        needed = min(opposing, 2 if position.seats <= 4 else 3)
    return opposing > 0 and taken >= needed


@compiled
def goal_reached(position: Position, rules: Rules, board: BoardTables, seat: int) -> bool:
    """Whether the acting seat has just reached the goal of the game, missions apart."""
    if rules.victory_goal == Goal.CONQUEST:
        if position.territories[seat] == board.territories:
            return True
        return rules.neutral_must_fall == 0 and playing_seats(position) == 1
    if playing_seats(position) == 1:
        return True
    if rules.victory_goal == Goal.HEADQUARTERS:
        return headquarters_won(position, rules, seat)
    if rules.victory_goal == Goal.OBJECTIVES:
        return rules.revised_win == RevisedWin.IMMEDIATE and objectives_won(position, seat)
    return False


@compiled
def mission_winner(position: Position, board: BoardTables, active: int) -> int:
    """The first seat clockwise from the active one whose mission is complete (A-35)."""
    for step in range(position.seats):
        seat = (active + step) % position.seats
        if mission_complete(position, board, seat):
            return seat
    return NONE


@compiled
def missions_watched(rules: Rules) -> bool:
    """Whether missions are judged at every moment (A-34)."""
    return (
        rules.missions_in_play != 0
        and rules.missions_reveal == MissionReveal.AUTO
        and rules.missions_check == MissionCheck.IMMEDIATE_ANY_PLAYER
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
    if winner == NONE:
        return False
    end_game(position, rules, board, winner)
    return True


@compiled
def turn_end_test(position: Position, rules: Rules, board: BoardTables, seat: int) -> bool:
    """End the game if the seat wins by how its own turn ends (S001-70, A-34)."""
    won = rules.victory_goal == Goal.OBJECTIVES and objectives_won(position, seat)
    if rules.missions_in_play != 0 and rules.missions_check == MissionCheck.OWN_TURN_END:
        if rules.missions_reveal == MissionReveal.AUTO and mission_complete(position, board, seat):
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
    best = NONE
    level = False
    for seat in range(position.seats):
        if position.status[seat] != Seat.PLAYING:
            continue
        if best == NONE:
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
    return NONE if level else best


@compiled
def round_limit_reached(position: Position, rules: Rules, board: BoardTables) -> None:
    """End a game whose rounds are used up (A-94)."""
    winner = leader(position, board)
    if winner == NONE or rules.game_limit_winner == LimitWinner.DRAW:
        winner = DRAWN
    end_game(position, rules, board, winner)
