"""Fortification and manoeuvres: armies between one's own territories (rulebook 3.5)."""

import numpy as np

from rubicon.engine.ownership import add_armies
from rubicon.engine.records.choices import FortifyReach
from rubicon.engine.records.layout import Cells, compiled
from rubicon.engine.records.position import TERRITORIES, Phase, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.refusal import Refusal


@compiled
def spread(position: Position, board: BoardTables, source: int, reached: Cells) -> None:
    """Mark the unbroken chain of own territories around `source` (S001-64)."""
    # A stack of territories whose neighbours are still to be seen; each is put on it once.
    waiting = np.empty(TERRITORIES, np.int16)
    waiting[0] = source
    count = 1
    reached[source] = 1
    while count > 0:
        count -= 1
        t = waiting[count]
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            if reached[other] == 0 and position.owner[other] == position.owner[source]:
                reached[other] = 1
                waiting[count] = other
                count += 1


@compiled
def fortify_reaches(
    position: Position, rules: Rules, board: BoardTables, source: int, reached: Cells
) -> None:
    """Mark every territory that armies of `source` may move to, and `source` itself."""
    for t in range(board.territories):
        reached[t] = 0
    if rules.fortify_reach == FortifyReach.ANY:
        for t in range(board.territories):
            reached[t] = int(position.owner[t] == position.owner[source])
    elif rules.fortify_reach == FortifyReach.ADJACENT:
        reached[source] = 1
        for i in range(board.degree[source]):
            other = board.neighbour[source, i]
            reached[other] = int(position.owner[other] == position.owner[source])
    else:
        spread(position, board, source, reached)


@compiled
def path_refusal(
    position: Position, rules: Rules, board: BoardTables, source: int, target: int
) -> int:
    """Whether armies may move between two territories of one owner (A-20)."""
    if rules.fortify_reach == FortifyReach.ANY or board.adjacent[source, target] != 0:
        return Refusal.LEGAL
    if rules.fortify_reach == FortifyReach.ADJACENT:
        return Refusal.FORTIFY_NOT_ADJACENT
    # Neighbours are decided above: the search is made for longer chains only.
    reached = np.zeros(TERRITORIES, np.int8)
    spread(position, board, source, reached)
    return Refusal.LEGAL if reached[target] != 0 else Refusal.NOT_CONNECTED


@compiled
def refuse_move(
    position: Position, rules: Rules, board: BoardTables, source: int, target: int, armies: int
) -> int:
    """Whether the acting seat may move these armies, the phase apart (S002-53, S002-54)."""
    if source >= board.territories or target >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    if position.owner[source] != position.turn or position.owner[target] != position.turn:
        return Refusal.NOT_YOUR_TERRITORY
    if source == target:
        return Refusal.SAME_TERRITORY
    if armies < 1:
        return Refusal.ZERO
    if armies >= position.armies[source]:
        return Refusal.LEAVE_ONE
    return path_refusal(position, rules, board, source, target)


@compiled
def can_fortify_from(position: Position, rules: Rules, board: BoardTables, t: int) -> bool:
    """Whether armies on `t` could move anywhere: a chain begins with a neighbour."""
    if position.armies[t] < 2:
        return False
    if rules.fortify_reach == FortifyReach.ANY:
        return position.territories[position.turn] > 1
    for i in range(board.degree[t]):
        if position.owner[board.neighbour[t, i]] == position.turn:
            return True
    return False


@compiled
def can_fortify(position: Position, rules: Rules, board: BoardTables) -> bool:
    """Whether the acting seat has any fortification to choose (A-92)."""
    for t in range(board.territories):
        if position.owner[t] == position.turn and can_fortify_from(position, rules, board, t):
            return True
    return False


@compiled
def move(position: Position, rules: Rules, source: int, target: int, armies: int) -> None:
    position.armies[source] -= armies
    add_armies(position, rules, target, armies)


@compiled
def spend_manoeuvre(position: Position, rules: Rules) -> None:
    """One manoeuvre fewer; a Starting Maneuver ends the first step instead (S001-66, A-53)."""
    if position.phase == Phase.REINFORCE:
        position.phase = Phase.ATTACK
    elif rules.fortify_reach != FortifyReach.CONNECTED_MANY:
        position.moves_left -= 1
