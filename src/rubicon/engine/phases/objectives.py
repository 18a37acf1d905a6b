"""Objectives of the revised game: conditions, claims, transfer (rulebook chapter 5)."""

from rubicon.engine.ownership import broken_continents, holds_continent
from rubicon.engine.phases.reinforce import capital_counts, cities_held
from rubicon.engine.records.action_codes import NOWHERE
from rubicon.engine.records.choices import ContinentTurn, RewardStart
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import (
    NONE,
    OBJECTIVES,
    ObjectivePlace,
    Position,
)
from rubicon.engine.records.tables import BoardTables, ObjectiveKind, RewardKind, Rules
from rubicon.engine.refusal import Refusal


@compiled
def cities_captured(position: Position, board: BoardTables) -> int:
    count = 0
    for t in range(board.territories):
        count += int(position.city[t] != 0) & int(position.captured[t] != 0)
    return count


@compiled
def territories_captured(position: Position, board: BoardTables) -> int:
    """Held now and not at the turn's start: what was captured, as own turns lose nothing."""
    count = 0
    for t in range(board.territories):
        count += int(position.captured[t] != 0)
    return count


@compiled
def enemy_capitals(position: Position, rules: Rules, seat: int) -> int:
    """Capitals of other seats on the seat's territories (S001-54, A-46)."""
    count = 0
    for other in range(position.seats):
        if other != seat and capital_counts(position, rules, other):
            count += int(position.owner[position.capital[other]] == seat)
    return count


@compiled
def continents_held(position: Position, board: BoardTables, seat: int) -> int:
    broken = broken_continents(position, board, seat)
    count = 0
    for continent in range(board.continents):
        count += int((broken >> continent) & 1 == 0)
    return count


@compiled
def continent_captured(position: Position, rules: Rules, board: BoardTables) -> bool:
    """A whole continent in one turn: all of it captured, or by A-45 its last part."""
    captured = 0  # a bit for each continent of which a part was captured
    kept = 0  # and for each of which a part was not
    for t in range(board.territories):
        captured |= int(position.captured[t] != 0) << int(board.continent[t])
        kept |= int(position.captured[t] == 0) << int(board.continent[t])
    if rules.objectives_continent_turn == ContinentTurn.NO_PRESENCE:
        return captured & ~kept != 0
    return captured & ~broken_continents(position, board, position.turn) != 0


@compiled
def objective_measure(position: Position, rules: Rules, board: BoardTables, objective: int) -> int:
    """How far the acting seat has come towards an objective, in the unit it counts."""
    seat = position.turn
    kind = board.objective_kind[objective]
    if kind == ObjectiveKind.CITIES:
        return cities_held(position, board, seat)
    if kind == ObjectiveKind.CITIES_IN_TURN:
        return cities_captured(position, board)
    if kind == ObjectiveKind.ENEMY_CAPITALS:
        return enemy_capitals(position, rules, seat)
    if kind == ObjectiveKind.CONTINENTS:
        return continents_held(position, board, seat)
    if kind == ObjectiveKind.TERRITORIES_IN_TURN:
        return territories_captured(position, board)
    if kind == ObjectiveKind.TERRITORIES:
        return position.territories[seat]
    if kind == ObjectiveKind.CONTINENT:
        return int(holds_continent(position, board, seat, board.objective_continent[objective]))
    return int(continent_captured(position, rules, board))


@compiled
def objective_met(position: Position, rules: Rules, board: BoardTables, objective: int) -> bool:
    """Whether the acting seat meets the condition now (rulebook 5.2)."""
    needed = max(1, board.objective_count[objective])
    return objective_measure(position, rules, board, objective) >= needed


@compiled
def can_claim(position: Position, rules: Rules, board: BoardTables) -> bool:
    """Whether a face-up objective is met: otherwise nothing is to decide (A-92)."""
    for objective in range(OBJECTIVES):
        if position.objective[objective] == ObjectivePlace.FACE_UP:
            if objective_met(position, rules, board, objective):
                return True
    return False


@compiled
def brings_airfield(position: Position, rules: Rules, objective: int) -> bool:
    token = position.objective_reward[objective]
    return token != NONE and rules.reward_kind[token] == RewardKind.AIRFIELD


@compiled
def airfield_refusal(
    position: Position, rules: Rules, board: BoardTables, objective: int, t: int
) -> int:
    """Whether the airfield of a claim is named where it must be (RW1)."""
    if not brings_airfield(position, rules, objective):
        return Refusal.LEGAL if t == NOWHERE else Refusal.AIRFIELD_NOT_DUE
    if t == NOWHERE:
        return Refusal.AIRFIELD_UNNAMED
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    return Refusal.LEGAL if position.owner[t] == position.turn else Refusal.NOT_YOUR_TERRITORY


@compiled
def refuse_objective(
    position: Position, rules: Rules, board: BoardTables, objective: int, t: int
) -> int:
    """Whether the acting seat may claim this objective (S001-49, A-91)."""
    if objective >= OBJECTIVES:
        return Refusal.MALFORMED
    if position.objective[objective] == ObjectivePlace.BOX:
        return Refusal.OBJECTIVE_NOT_FACE_UP
    if position.objective[objective] != ObjectivePlace.FACE_UP:
        return Refusal.OBJECTIVE_TAKEN
    if not objective_met(position, rules, board, objective):
        return Refusal.OBJECTIVE_NOT_MET
    return airfield_refusal(position, rules, board, objective, t)


@compiled
def claim_objective(position: Position, rules: Rules, objective: int, t: int) -> None:
    """The objective and the token on it go to the acting seat (S001-49, A-50)."""
    position.objective[objective] = position.turn
    position.claimed = 1
    token = position.objective_reward[objective]
    if token == NONE:
        return
    position.objective_reward[objective] = NONE
    position.reward[token] = position.turn
    position.reward_from[token] = int(rules.reward_effective == RewardStart.NEXT_TURN)
    if t != NOWHERE:
        position.airfield[token] = t


@compiled
def pass_objectives(position: Position, seat: int, to: int) -> None:
    """An eliminated seat's objectives go to the victor, a resigned one's out of the game."""
    for objective in range(OBJECTIVES):
        if position.objective[objective] == seat:
            position.objective[objective] = to
