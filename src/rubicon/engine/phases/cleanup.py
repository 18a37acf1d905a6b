"""Resetting the fields of a step that is over, so that equal positions have equal bytes."""

from rubicon.engine.ownership import add_armies
from rubicon.engine.phases.cards import withdraw
from rubicon.engine.records.layout import compiled, inlined
from rubicon.engine.records.position import NONE, SEATS, Phase, Position
from rubicon.engine.records.tables import BoardTables, Rules


@inlined
def clear_attack(position: Position) -> None:
    """Reset the fields of a roll that is settled."""
    position.attack_source = NONE
    position.attack_target = NONE
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
    position.order_source = NONE
    position.order_target = NONE
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
    if position.phase == Phase.OCCUPY:
        move_in(position, rules, position.occupy_minimum)


@compiled
def clear_board(position: Position, rules: Rules, board: BoardTables) -> None:
    """Complete the step under way and reset its fields: a game may end in any phase."""
    finish_pending(position, rules, board)
    position.eliminated = NONE
    clear_attack(position)
    clear_turn(position)
    if position.phase < Phase.REINFORCE:
        for seat in range(SEATS):
            position.unplaced[seat] = 0
        position.neutral_unplaced = 0
        position.own_left = 0
        position.neutral_left = 0
