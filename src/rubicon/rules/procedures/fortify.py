"""Fortification and manoeuvres: armies between one's own territories (rulebook 3.5)."""

import numpy as np

from rubicon.rules.choices import FortifyReach
from rubicon.rules.layout import Cells, compiled
from rubicon.rules.position import TERRITORIES, Phase, Position
from rubicon.rules.procedures.holdings import add_armies
from rubicon.rules.refusals import Refusal
from rubicon.rules.tables import BoardTables, Rules


@compiled
def spread(game: Position, board: BoardTables, source: int, reached: Cells) -> None:
    """Mark the unbroken chain of own territories around `source` (S001-64)."""
    waiting = np.empty(TERRITORIES, np.int16)
    waiting[0] = source
    count = 1
    reached[source] = 1
    while count > 0:
        count -= 1
        t = waiting[count]
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            if reached[other] == 0 and game.owner[other] == game.owner[source]:
                reached[other] = 1
                waiting[count] = other
                count += 1


@compiled
def fortify_reaches(
    game: Position, rules: Rules, board: BoardTables, source: int, reached: Cells
) -> None:
    """Mark every territory that armies of `source` may move to, and `source` itself."""
    for t in range(board.territories):
        reached[t] = 0
    if rules.fortify_reach == FortifyReach.ANY:
        for t in range(board.territories):
            reached[t] = int(game.owner[t] == game.owner[source])
    elif rules.fortify_reach == FortifyReach.ADJACENT:
        reached[source] = 1
        for i in range(board.degree[source]):
            other = board.neighbour[source, i]
            reached[other] = int(game.owner[other] == game.owner[source])
    else:
        spread(game, board, source, reached)


@compiled
def path_refusal(game: Position, rules: Rules, board: BoardTables, source: int, target: int) -> int:
    """Whether armies may move between two territories of one owner (A-20)."""
    if rules.fortify_reach == FortifyReach.ANY or board.adjacent[source, target] != 0:
        return Refusal.LEGAL
    if rules.fortify_reach == FortifyReach.ADJACENT:
        return Refusal.FORTIFY_NOT_ADJACENT
    reached = np.zeros(TERRITORIES, np.int8)
    spread(game, board, source, reached)
    return Refusal.LEGAL if reached[target] != 0 else Refusal.NOT_CONNECTED


@compiled
def refuse_move(
    game: Position, rules: Rules, board: BoardTables, source: int, target: int, armies: int
) -> int:
    """Whether the acting seat may move these armies, the phase apart (S002-53, S002-54)."""
    if source >= board.territories or target >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    if game.owner[source] != game.turn or game.owner[target] != game.turn:
        return Refusal.NOT_YOUR_TERRITORY
    if source == target:
        return Refusal.SAME_TERRITORY
    if armies < 1:
        return Refusal.ZERO
    if armies >= game.armies[source]:
        return Refusal.LEAVE_ONE
    return path_refusal(game, rules, board, source, target)


@compiled
def can_fortify_from(game: Position, rules: Rules, board: BoardTables, t: int) -> bool:
    """Whether armies on `t` could move anywhere: a chain begins with a neighbour."""
    if game.armies[t] < 2:
        return False
    if rules.fortify_reach == FortifyReach.ANY:
        return game.territories[game.turn] > 1
    for i in range(board.degree[t]):
        if game.owner[board.neighbour[t, i]] == game.turn:
            return True
    return False


@compiled
def can_fortify(game: Position, rules: Rules, board: BoardTables) -> bool:
    """Whether the acting seat has any fortification to choose (A-92)."""
    for t in range(board.territories):
        if game.owner[t] == game.turn and can_fortify_from(game, rules, board, t):
            return True
    return False


@compiled
def move(game: Position, rules: Rules, source: int, target: int, armies: int) -> None:
    game.armies[source] -= armies
    add_armies(game, rules, target, armies)


@compiled
def spend_manoeuvre(game: Position, rules: Rules) -> None:
    """One manoeuvre fewer; a Starting Maneuver ends the first step instead (S001-66, A-53)."""
    if game.phase == Phase.REINFORCE:
        game.phase = Phase.ATTACK
    elif rules.fortify_reach != FortifyReach.CONNECTED_MANY:
        game.moves_left -= 1
