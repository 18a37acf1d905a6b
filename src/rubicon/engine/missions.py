"""Secret missions: when one is complete, and what it falls back to (rulebook chapter 4)."""

from rubicon.engine.ownership import holds_continent
from rubicon.engine.records.choices import MissionKiller
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NONE, Position, Seat
from rubicon.engine.records.tables import BoardTables, MissionKind, Rules


@compiled
def seat_of_colour(position: Position, colour: int) -> int:
    for seat in range(position.seats):
        if position.colour[seat] == colour:
            return seat
    return NONE


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
    if mission == NONE or position.status[seat] != Seat.PLAYING:
        return False
    if position.mission_fallback[seat] != 0:
        return position.territories[seat] >= board.mission_fallback_count
    kind = board.mission_kind[mission]
    if kind == MissionKind.DESTROY:
        target = seat_of_colour(position, board.mission_colour[mission])
        return target != NONE and position.status[target] == Seat.ELIMINATED
    if kind == MissionKind.TERRITORIES:
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
    if mission == NONE or board.mission_kind[mission] != MissionKind.DESTROY:
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
    if killer == NONE or rules.missions_killer == MissionKiller.SELF_ELSE_24:
        fall_back(position, board, gone, killer)
    position.mission[gone] = NONE
    position.mission_fallback[gone] = 0
