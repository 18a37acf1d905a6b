"""What a step leaves behind until it is over, and how it is cleared away."""

from rubicon.rules.layout import compiled, inlined
from rubicon.rules.position import NONE, SEATS, Phase, Position
from rubicon.rules.procedures.cards import withdraw
from rubicon.rules.procedures.holdings import add_armies
from rubicon.rules.tables import BoardTables, Rules


@inlined
def clear_attack(game: Position) -> None:
    """Nothing of the roll that was settled stays behind."""
    game.attack_source = NONE
    game.attack_target = NONE
    game.attack_dice = 0
    game.defence_dice = 0
    game.attack_extra = 0
    game.defence_extra = 0
    game.attack_plus = 0
    game.defence_plus = 0


@compiled
def move_in(game: Position, rules: Rules, armies: int) -> None:
    """Occupy what was captured."""
    game.armies[game.attack_source] -= armies
    add_armies(game, rules, game.attack_target, armies)
    game.occupy_minimum = 0
    clear_attack(game)


@compiled
def forget_order(game: Position) -> None:
    """No attack order is under way any more."""
    game.order_source = NONE
    game.order_target = NONE
    game.order_standing = 0


@compiled
def clear_turn(game: Position) -> None:
    """Forget what only the turn that ends needed, so that equal positions have equal bytes."""
    game.moves_left = 0
    game.draws_owed = 0
    forget_order(game)


@compiled
def finish_what_is_pending(game: Position, rules: Rules, board: BoardTables) -> None:
    """A pending occupation takes its minimum; cards on offer go back to the hand."""
    withdraw(game, board)
    if game.phase == Phase.OCCUPY:
        move_in(game, rules, game.occupy_minimum)


@compiled
def clear_board(game: Position, rules: Rules, board: BoardTables) -> None:
    """Leave a board that can be looked at: the game is over in the middle of whatever it was."""
    finish_what_is_pending(game, rules, board)
    game.eliminated = NONE
    clear_attack(game)
    clear_turn(game)
    if game.phase < Phase.REINFORCE:
        for seat in range(SEATS):
            game.unplaced[seat] = 0
        game.neutral_unplaced = 0
        game.own_left = 0
        game.neutral_left = 0
