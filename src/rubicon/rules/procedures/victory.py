"""Every way to win (rulebook 3.7)."""

from rubicon.rules.choices import (
    Goal,
    HqNeeded,
    LimitWinner,
    MissionCheck,
    MissionReveal,
    RevisedWin,
)
from rubicon.rules.layout import compiled
from rubicon.rules.position import DRAWN, NONE, OBJECTIVES, Phase, Position, Seat
from rubicon.rules.procedures.holdings import owe_nothing, playing_seats
from rubicon.rules.procedures.leftovers import clear_board
from rubicon.rules.procedures.missions import mission_complete
from rubicon.rules.tables import BoardTables, Rules

WINNING_OBJECTIVES = 3


@compiled
def end_game(game: Position, rules: Rules, board: BoardTables, winner: int) -> None:
    """Somebody has won, or nobody (DRAWN): nothing is left open (A-89)."""
    clear_board(game, rules, board)
    game.winner = winner
    game.phase = Phase.OVER
    owe_nothing(game)


@compiled
def owns_capital(game: Position, seat: int) -> bool:
    capital = game.capital[seat]
    return capital != NONE and game.owner[capital] == seat


@compiled
def objectives_of(game: Position, seat: int) -> int:
    count = 0
    for objective in range(OBJECTIVES):
        count += int(game.objective[objective] == seat)
    return count


@compiled
def objectives_won(game: Position, seat: int) -> bool:
    """Three objectives and one's own capital (S001-70)."""
    return owns_capital(game, seat) and objectives_of(game, seat) >= WINNING_OBJECTIVES


@compiled
def headquarters_won(game: Position, rules: Rules, seat: int) -> bool:
    """One's own headquarters and as many opposing ones as the game asks for (A-36, A-80)."""
    if not owns_capital(game, seat):
        return False
    opposing = 0
    taken = 0
    for other in range(game.seats):
        if other != seat and game.capital[other] != NONE:
            opposing += 1
            taken += int(game.owner[game.capital[other]] == seat)
    needed = opposing
    if rules.hq_needed == HqNeeded.SHORT:
        needed = min(opposing, 2 if game.seats <= 4 else 3)
    return opposing > 0 and taken >= needed


@compiled
def goal_reached(game: Position, rules: Rules, board: BoardTables, seat: int) -> bool:
    """Whether the acting seat has just reached the goal of the game, missions apart."""
    if rules.victory_goal == Goal.CONQUEST:
        if game.territories[seat] == board.territories:
            return True
        return rules.neutral_must_fall == 0 and playing_seats(game) == 1
    if playing_seats(game) == 1:
        return True
    if rules.victory_goal == Goal.HEADQUARTERS:
        return headquarters_won(game, rules, seat)
    if rules.victory_goal == Goal.OBJECTIVES:
        return rules.revised_win == RevisedWin.IMMEDIATE and objectives_won(game, seat)
    return False


@compiled
def mission_winner(game: Position, board: BoardTables, active: int) -> int:
    """The first seat clockwise from the active one whose mission is complete (A-35)."""
    for step in range(game.seats):
        seat = (active + step) % game.seats
        if mission_complete(game, board, seat):
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
def win_test(game: Position, rules: Rules, board: BoardTables, active: int) -> bool:
    """End the game if somebody has won by what just happened; the active seat comes first."""
    if goal_reached(game, rules, board, active):
        end_game(game, rules, board, active)
        return True
    return mission_test(game, rules, board, active)


@compiled
def mission_test(game: Position, rules: Rules, board: BoardTables, active: int) -> bool:
    """End the game if a mission is complete and missions are judged at every moment."""
    if not missions_watched(rules):
        return False
    winner = mission_winner(game, board, active)
    if winner == NONE:
        return False
    end_game(game, rules, board, winner)
    return True


@compiled
def turn_end_test(game: Position, rules: Rules, board: BoardTables, seat: int) -> bool:
    """End the game if the seat wins by how its own turn ends (S001-70, A-34)."""
    won = rules.victory_goal == Goal.OBJECTIVES and objectives_won(game, seat)
    if rules.missions_in_play != 0 and rules.missions_check == MissionCheck.OWN_TURN_END:
        if rules.missions_reveal == MissionReveal.AUTO and mission_complete(game, board, seat):
            won = True
    if won:
        end_game(game, rules, board, seat)
    return won


@compiled
def armies_of(game: Position, board: BoardTables, seat: int) -> int:
    total = 0
    for t in range(board.territories):
        if game.owner[t] == seat:
            total += game.armies[t]
    return total


@compiled
def leader(game: Position, board: BoardTables) -> int:
    """Who holds most territories, then most armies; NONE where two are level."""
    best = NONE
    level = False
    for seat in range(game.seats):
        if game.status[seat] != Seat.PLAYING:
            continue
        if best == NONE:
            best = seat
            continue
        lead = game.territories[seat] - game.territories[best]
        if lead == 0:
            lead = armies_of(game, board, seat) - armies_of(game, board, best)
        if lead > 0:
            best = seat
            level = False
        elif lead == 0:
            level = True
    return NONE if level else best


@compiled
def round_limit_reached(game: Position, rules: Rules, board: BoardTables) -> None:
    """End a game whose rounds are used up (A-94)."""
    winner = leader(game, board)
    if winner == NONE or rules.game_limit_winner == LimitWinner.DRAW:
        winner = DRAWN
    end_game(game, rules, board, winner)
