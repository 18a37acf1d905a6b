"""Leaving a game, at any time and at once (A-88)."""

from rubicon.engine.missions import put_away
from rubicon.engine.ownership import change_owner, next_playing, playing_seats
from rubicon.engine.phases.attack import defend_by_order, pass_spoils, standing_for
from rubicon.engine.phases.cleanup import (
    clear_attack,
    clear_turn,
    finish_pending,
    forget_order,
)
from rubicon.engine.phases.objectives import pass_objectives
from rubicon.engine.phases.placement import (
    go_on_choosing,
    go_on_claiming,
    go_on_placing,
    go_on_sealing,
)
from rubicon.engine.phases.turn import pass_turn
from rubicon.engine.phases.victory import end_game, mission_test
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import (
    DRAWN,
    NEUTRAL,
    NONE,
    CardPlace,
    ObjectivePlace,
    Phase,
    Position,
    Seat,
    Standing,
)
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.refusal import Refusal
from rubicon.engine.rewards import lose_rewards


@compiled
def refuse_resign(position: Position, seat: int) -> int:
    if seat >= position.seats or position.status[seat] != Seat.PLAYING:
        return Refusal.NOT_PLAYING
    return Refusal.LEGAL


@compiled
def leave_board(position: Position, board: BoardTables, seat: int) -> None:
    """Territories turn neutral or rebel with their armies; cards go to the discard pile."""
    for t in range(board.territories):
        if position.owner[t] == seat:
            change_owner(position, t, NEUTRAL)
            if position.order_target == t:
                forget_order(position)
    for card in range(board.cards):
        if position.card[card] == seat:
            position.card[card] = CardPlace.DISCARDS
            position.discards += 1
    position.hand[seat] = 0
    position.unplaced[seat] = 0
    position.sealed[seat] = 0
    position.snapshot[seat] = 0
    position.standing_all[seat] = Standing.NONE


@compiled
def resign(position: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """The seat leaves; the last one that stays wins at once under every preset (A-88).

    Where the last one leaves too (`neutral.must_fall`: its opponents are eliminated and rebels
    still stand), the game ends without a winner.
    """
    mine = position.turn == seat
    # The captured territory is occupied and the spoils are taken before the seat leaves, so that
    # cards and armies go where they would have gone, and none is left between two places.
    if mine:
        finish_pending(position, rules, board)
        if position.eliminated != NONE:
            pass_spoils(position, rules, board)
    leave_board(position, board, seat)
    position.status[seat] = Seat.RESIGNED
    put_away(position, rules, board, seat, NONE)
    pass_objectives(position, seat, ObjectivePlace.BOX)
    lose_rewards(position, seat)
    staying = playing_seats(position)
    if staying < 2:
        winner = next_playing(position, seat) if staying == 1 else DRAWN
        end_game(position, rules, board, winner)
        return
    go_on_without(position, rules, board, seat, mine)
    if position.phase >= Phase.REINFORCE and position.phase != Phase.OVER:
        mission_test(position, rules, board, position.turn)


@compiled
def go_on_without(
    position: Position, rules: Rules, board: BoardTables, seat: int, mine: bool
) -> None:
    """The next seat goes on, in the set-up or in the game."""
    if position.phase == Phase.SEALED:
        go_on_sealing(position, rules, board)
    elif position.phase == Phase.DEFEND and not mine:
        defend_without(position, rules)
    elif not mine:
        return
    elif position.phase == Phase.CLAIM:
        go_on_claiming(position, rules, board, seat)
    elif position.phase == Phase.PLACE:
        position.own_left = 0
        position.neutral_left = 0
        go_on_placing(position, rules, board, seat)
    elif position.phase == Phase.HEADQUARTERS:
        go_on_choosing(position, rules, board)
    else:
        clear_attack(position)
        clear_turn(position)
        pass_turn(position, rules, board)


@compiled
def defend_without(position: Position, rules: Rules) -> None:
    """Armies whose owner left before choosing dice defend by the rule for neutral armies."""
    target = position.attack_target
    if position.owner[target] != NEUTRAL:
        return
    position.defence_extra = 0
    position.defence_plus = 0
    standing = standing_for(position, rules, target)
    if standing != Standing.NONE:
        defend_by_order(position, rules, target, standing)
