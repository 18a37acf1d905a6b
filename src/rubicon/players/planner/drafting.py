"""The claims and starting armies that the planner plays on in its mind."""

from typing import Any

import numpy.typing as npt

from rubicon.engine.phases.placement import refuse_claim
from rubicon.engine.records.action_codes import ActionKind, encode
from rubicon.engine.records.layout import compiled, inlined
from rubicon.engine.records.position import NEUTRAL, NONE, TERRITORIES, Position
from rubicon.engine.records.tables import CONTINENTS, BoardTables, Rules
from rubicon.players.evaluation import own_neighbours

Values = npt.NDArray[Any]
MOST_TO_TRY = 1 + max(CONTINENTS, TERRITORIES)  # the usual one, and one for each of these


@compiled
def claims_to_try(
    view: Position, rules: Rules, board: BoardTables, seat: int, usual: int, actions: Values
) -> int:
    """Fill `actions`, shape (MOST_TO_TRY,), and return how many there are.

    The usual claim, and for each continent the free territory with most own neighbours.
    """
    actions[0] = usual
    if rules.setup_capitals != 0 and view.capital[seat] == NONE:
        return 1
    count = 1
    for c in range(board.continents):
        most, where = -1, NONE
        for t in range(board.territories):
            if board.continent[t] != c or refuse_claim(view, rules, board, t, False) != 0:
                continue
            near = own_neighbours(view, board, seat, t)
            if near > most:
                most, where = near, t
        if where != NONE:
            action = encode(ActionKind.CLAIM, where, 0, 0, 0)
            if action != usual:
                actions[count] = action
                count += 1
    return count


@compiled
def stacks_to_try(
    view: Position, board: BoardTables, seat: int, usual: int, actions: Values
) -> int:
    """Fill `actions`, shape (MOST_TO_TRY,), and return how many there are.

    The usual place of a starting army, and each own territory beside another seat's.
    """
    actions[0] = usual
    count = 1
    for t in range(board.territories):
        if view.owner[t] == seat and is_beside_another(view, board, seat, t):
            actions[count] = encode(ActionKind.PLACE, t, 0, 0, 1)
            count += 1
    return count


@inlined
def is_beside_another(view: Position, board: BoardTables, seat: int, t: int) -> bool:
    """Whether a territory of a seat has a neighbour that another seat holds."""
    found = False
    for i in range(board.degree[t]):
        foe = view.owner[board.neighbour[t, i]]
        found = found or (foe != seat and foe != NEUTRAL)  # noqa: PLR1714  compiled code
    return found
