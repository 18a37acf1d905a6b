"""How far a seat has come: towards an objective of the revised game, towards its mission."""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.engine.missions import garrisons, mission_complete, seat_of_colour
from rubicon.engine.phases.objectives import objective_measure
from rubicon.engine.records.position import NONE, Position, Seat, copy_position
from rubicon.engine.records.tables import MissionKind
from rubicon.rules.board.board import COLOURS
from rubicon.rules.board.model import Mission
from rubicon.rules.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class GoalProgress:
    """So much of what is needed; `of` says what is counted: a continent's id, or a word."""

    of: str
    have: int
    needed: int


@dataclass(frozen=True, slots=True)
class MissionProgress:
    """The parts of a mission, and whether all of it is true now (rulebook 4.3).

    `replaced`: it is out of reach, and its one part counts the territories to hold instead.
    """

    text: str
    parts: tuple[GoalProgress, ...]
    complete: bool
    replaced: bool = False


def objective_progress(
    ruleset: Ruleset, position: Position, seat: int, objective: int
) -> GoalProgress:
    """How far a seat has come towards an objective (rulebook 5.2), by its index on the board.

    What counts within one turn counts for the seat whose turn it is only. A single continent is
    counted by its territories.
    """
    declared = ruleset.board.objectives[objective]
    if declared.continent != NONE:
        return _continent(ruleset, position, seat, declared.continent)
    trial = copy_position(position)
    if trial.turn != seat:
        trial.turn = seat
        trial.captured[:] = 0  # the captures of the seat whose turn it is
    have = int(objective_measure(trial, ruleset.rules, ruleset.tables, objective))
    return GoalProgress(declared.kind.name.lower(), have, max(1, declared.count))


def mission_progress(ruleset: Ruleset, position: Position, seat: int) -> MissionProgress | None:
    """How far a seat has come with its mission; None where it has none, or it is hidden."""
    number = int(position.mission[seat])
    if number == NONE:
        return None
    mission = ruleset.board.missions[number]
    done = bool(mission_complete(position, ruleset.tables, seat))
    if position.mission_fallback[seat]:
        count = int(ruleset.tables.mission_fallback_count)
        text = f"{mission.text}: out of reach, so hold {count} territories"
        held = GoalProgress("territories", int(position.territories[seat]), count)
        return MissionProgress(text, (held,), done, replaced=True)
    return MissionProgress(mission.text, _parts(ruleset, position, seat, number), done)


def _parts(
    ruleset: Ruleset, position: Position, seat: int, number: int
) -> tuple[GoalProgress, ...]:
    mission = ruleset.board.missions[number]
    if mission.kind == MissionKind.DESTROY:
        return (_destroyed(position, mission),)
    if mission.kind == MissionKind.TERRITORIES:
        minimum = int(ruleset.tables.mission_minimum[number])
        held = int(garrisons(position, ruleset.tables, seat, minimum))
        return (GoalProgress("territories", held, int(ruleset.tables.mission_count[number])),)
    parts = [_continent(ruleset, position, seat, each) for each in mission.continents]
    if mission.third:
        parts.append(_third(ruleset, position, seat, mission))
    return tuple(parts)


def _destroyed(position: Position, mission: Mission) -> GoalProgress:
    target = int(seat_of_colour(position, COLOURS.index(mission.colour)))
    gone = target != NONE and position.status[target] == Seat.ELIMINATED
    return GoalProgress(mission.colour, int(gone), 1)


def _third(ruleset: Ruleset, position: Position, seat: int, mission: Mission) -> GoalProgress:
    """The continent of one's choice of which most is held."""
    others = [c for c in range(len(ruleset.board.continents)) if c not in mission.continents]
    found = [_continent(ruleset, position, seat, each) for each in others]
    return max(found, key=lambda part: part.have / part.needed)


def _continent(ruleset: Ruleset, position: Position, seat: int, number: int) -> GoalProgress:
    continent = ruleset.board.continents[number]
    held = sum(int(position.owner[t]) == seat for t in continent.territories)
    return GoalProgress(continent.id, held, len(continent.territories))
