"""Leaving a game, at any time and at once (A-88)."""

from rubicon.rules.layout import compiled
from rubicon.rules.position import (
    NEUTRAL,
    NONE,
    CardPlace,
    ObjectivePlace,
    Phase,
    Position,
    Seat,
    Standing,
)
from rubicon.rules.procedures.attack import defend_by_order, pass_spoils, standing_for
from rubicon.rules.procedures.holdings import change_owner, next_playing, playing_seats
from rubicon.rules.procedures.leftovers import (
    clear_attack,
    clear_turn,
    finish_what_is_pending,
    forget_order,
)
from rubicon.rules.procedures.missions import put_away
from rubicon.rules.procedures.objectives import pass_objectives
from rubicon.rules.procedures.placing import (
    go_on_choosing,
    go_on_claiming,
    go_on_placing,
    go_on_sealing,
)
from rubicon.rules.procedures.rewards import lose_rewards
from rubicon.rules.procedures.turn import pass_turn
from rubicon.rules.procedures.victory import end_game, mission_test
from rubicon.rules.refusals import Refusal
from rubicon.rules.tables import BoardTables, Rules


@compiled
def refuse_resign(game: Position, seat: int) -> int:
    if seat >= game.seats or game.status[seat] != Seat.PLAYING:
        return Refusal.NOT_PLAYING
    return Refusal.LEGAL


@compiled
def leave_board(game: Position, board: BoardTables, seat: int) -> None:
    """Territories turn neutral or rebel with their armies; cards go to the discard pile."""
    for t in range(board.territories):
        if game.owner[t] == seat:
            change_owner(game, t, NEUTRAL)
            if game.order_target == t:
                forget_order(game)
    for card in range(board.cards):
        if game.card[card] == seat:
            game.card[card] = CardPlace.DISCARDS
            game.discards += 1
    game.hand[seat] = 0
    game.unplaced[seat] = 0
    game.sealed[seat] = 0
    game.snapshot[seat] = 0
    game.standing_all[seat] = Standing.NONE


@compiled
def resign(game: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """The seat leaves; the last one that stays wins at once under every preset."""
    mine = game.turn == seat
    if mine:
        finish_what_is_pending(game, rules, board)
        if game.eliminated != NONE:
            pass_spoils(game, rules, board)
    leave_board(game, board, seat)
    game.status[seat] = Seat.RESIGNED
    put_away(game, rules, board, seat, NONE)
    pass_objectives(game, seat, ObjectivePlace.BOX)
    lose_rewards(game, seat)
    if playing_seats(game) == 1:
        end_game(game, rules, board, next_playing(game, seat))
        return
    go_on_without(game, rules, board, seat, mine)
    if game.phase >= Phase.REINFORCE and game.phase != Phase.OVER:
        mission_test(game, rules, board, game.turn)


@compiled
def go_on_without(game: Position, rules: Rules, board: BoardTables, seat: int, mine: bool) -> None:
    """Whoever is next goes on, in the set-up or in the game."""
    if game.phase == Phase.SEALED:
        go_on_sealing(game, rules, board)
    elif game.phase == Phase.DEFEND and not mine:
        defend_without(game, rules)
    elif not mine:
        return
    elif game.phase == Phase.CLAIM:
        go_on_claiming(game, rules, board, seat)
    elif game.phase == Phase.PLACE:
        game.own_left = 0
        game.neutral_left = 0
        go_on_placing(game, rules, board, seat)
    elif game.phase == Phase.HEADQUARTERS:
        go_on_choosing(game, rules, board)
    else:
        clear_attack(game)
        clear_turn(game)
        pass_turn(game, rules, board)


@compiled
def defend_without(game: Position, rules: Rules) -> None:
    """Armies whose owner left while he was asked defend by the rule for neutral armies."""
    target = game.attack_target
    if game.owner[target] != NEUTRAL:
        return
    game.defence_extra = 0
    game.defence_plus = 0
    standing = standing_for(game, rules, target)
    if standing != Standing.NONE:
        defend_by_order(game, rules, target, standing)
