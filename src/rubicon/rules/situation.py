"""What players ask of a game: income, armies on the board, progress towards goals, turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass

from rubicon.engine import records
from rubicon.engine.ownership import wake_rewards
from rubicon.engine.records import Position
from rubicon.engine.turn import award, objective_measure, territory_award
from rubicon.engine.victory import garrisons, mission_complete, seat_of_colour
from rubicon.rules.board.board import COLOURS
from rubicon.rules.board.format import Mission
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

# The armies that a seat gets at the start of its turn, item by item.


@dataclass(frozen=True, slots=True)
class Income:
    """The armies of one turn. `cities` are those that the territories alone would not give.

    Where a minimum for the whole turn applies, `territories` holds what fills it up.
    """

    territories: int
    cities: int
    continents: int
    capitals: int
    rewards: int

    @property
    def total(self) -> int:
        """All armies of the turn."""
        return self.territories + self.cities + self.continents + self.capitals + self.rewards


def income(ruleset: Ruleset, position: Position, seat: int) -> Income:
    """The armies that a seat would get if its turn began now (S001-32 to S001-36).

    `position` may be a seat's view: what is hidden in it does not count for the armies.
    """
    trial = records.copy_position(position)
    if ruleset.rules.objectives_in_play:
        wake_rewards(trial, seat)  # rewards of the last turn begin with this one
    award(trial, ruleset.rules, ruleset.tables, seat)
    cities = _for_cities(ruleset, trial, seat)
    return Income(
        territories=int(trial.award_territories) - cities,
        cities=cities,
        continents=int(trial.award_continents),
        capitals=int(trial.award_capitals),
        rewards=int(trial.award_rewards),
    )


def _for_cities(ruleset: Ruleset, position: Position, seat: int) -> int:
    """The armies that the seat's cities add to those for its territories."""
    if not ruleset.rules.setup_cities:
        return 0
    without = copy(ruleset.rules)
    without.setup_cities = 0
    counted = territory_award(position, ruleset.rules, ruleset.tables, seat)
    return int(counted - territory_award(position, without, ruleset.tables, seat))


# What a position waits for, in words that players use.

PHASES: Mapping[records.Phase, str] = {
    records.Phase.FIRST_PLAYER: "deciding who begins",
    records.Phase.DEAL: "the deal",
    records.Phase.CLAIM: "claim a territory",
    records.Phase.PLACE: "place starting armies",
    records.Phase.SEALED: "place starting armies (the others see them later)",
    records.Phase.HEADQUARTERS: "choose a headquarters",
    records.Phase.REINFORCE: "reinforce",
    records.Phase.ATTACK: "attack",
    records.Phase.DEFEND: "defend",
    records.Phase.OCCUPY: "advance",
    records.Phase.TRADE: "trade the cards you won",
    records.Phase.OBJECTIVE: "claim an objective",
    records.Phase.FORTIFY: "fortify",
    records.Phase.CONTINENTS: "place continental armies",
    records.Phase.OVER: "the game is over",
}


def phase_words(ruleset: Ruleset, view: Position) -> str:
    """The phase of a position in words."""
    return "found a capital" if capital_due(ruleset, view) else PHASES[phase_shown(view)]


def phase_shown(view: Position) -> records.Phase:
    """The phase as players see it: with all armies placed, a turn is in its attacks."""
    phase = records.Phase(int(view.phase))
    placed = view.first != records.NONE and int(view.unplaced[int(view.turn)]) == 0
    return records.Phase.ATTACK if phase == records.Phase.REINFORCE and placed else phase


def capital_due(ruleset: Ruleset, view: Position) -> bool:
    """Whether the first territory of the seat to move is its capital (S001-24)."""
    founds = view.phase == records.Phase.CLAIM and bool(ruleset.rules.setup_capitals)
    return bool(
        founds and view.first != records.NONE and int(view.capital[int(view.turn)]) == records.NONE
    )


# Pieces: the armies of a territory in large and small, as on a table (S003-05, S001-05).
#
# Pieces only show a number of armies. They may be exchanged at any time (S003-06, S004-02), so
# the fewest that show the number are given, and no game stores them.

# The pieces of each value of the option `pieces.denominations`: how many armies, which piece.
NAMES: Mapping[str, Mapping[int, str]] = {
    "1/5/10": {10: "artillery", 5: "cavalry", 1: "infantry"},
    "1/3": {3: "large", 1: "small"},
}


def pieces(ruleset: Ruleset, armies: int) -> dict[int, int]:
    """How many pieces of each value show so many armies, largest first: {3: 2, 1: 2} for 8."""
    found: dict[int, int] = {}
    for value in _names(ruleset):
        found[value], armies = divmod(armies, value)
    return found


def named_pieces(ruleset: Ruleset, armies: int) -> dict[str, int]:
    """The same by name, without those of which there are none: {"large": 2, "small": 2}."""
    names = _names(ruleset)
    return {names[value]: count for value, count in pieces(ruleset, armies).items() if count}


def pieces_on_board(ruleset: Ruleset, view: Position) -> dict[str, dict[str, int]]:
    """The pieces on every territory of a seat's view, by id, without hidden armies."""
    return {
        territory.id: named_pieces(ruleset, int(view.armies[index]))
        for index, territory in enumerate(ruleset.board.territories)
        if view.armies[index] >= 0
    }


def _names(ruleset: Ruleset) -> Mapping[int, str]:
    return NAMES[ruleset.option_text("pieces.denominations")]


# How far a seat has come: towards an objective of the revised game, towards its mission.


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
    if declared.continent != records.NONE:
        return _continent(ruleset, position, seat, declared.continent)
    trial = records.copy_position(position)
    if trial.turn != seat:
        trial.turn = seat
        trial.captured[:] = 0  # the captures of the seat whose turn it is
    have = int(objective_measure(trial, ruleset.rules, ruleset.tables, objective))
    return GoalProgress(declared.kind.name.lower(), have, max(1, declared.count))


def mission_progress(ruleset: Ruleset, position: Position, seat: int) -> MissionProgress | None:
    """How far a seat has come with its mission; None where it has none, or it is hidden."""
    number = int(position.mission[seat])
    if number == records.NONE:
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
    if mission.kind == records.MissionKind.DESTROY:
        return (_destroyed(position, mission),)
    if mission.kind == records.MissionKind.TERRITORIES:
        minimum = int(ruleset.tables.mission_minimum[number])
        held = int(garrisons(position, ruleset.tables, seat, minimum))
        return (GoalProgress("territories", held, int(ruleset.tables.mission_count[number])),)
    parts = [_continent(ruleset, position, seat, each) for each in mission.continents]
    if mission.third:
        parts.append(_third(ruleset, position, seat, mission))
    return tuple(parts)


def _destroyed(position: Position, mission: Mission) -> GoalProgress:
    target = int(seat_of_colour(position, COLOURS.index(mission.colour)))
    gone = target != records.NONE and position.status[target] == records.Seat.ELIMINATED
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


# The turns of a game that was played: where each begins, and how the seats stood then.


@dataclass(frozen=True, slots=True)
class SeatStrength:
    """How a seat stands: territories and armies on the board, and the armies of its next turn."""

    territories: int
    armies: int
    income: int


@dataclass(frozen=True, slots=True)
class TurnStart:
    """A turn: the number of the history's entry that began it, and the strength of each colour.

    `number` counts turns from 1. The last one is the end of the game, where it is over.
    """

    entry: int
    number: int
    round: int
    seat: str
    strength: dict[str, SeatStrength]


def turn_starts(game: Game) -> Iterator[TurnStart]:
    """The turns of a game in its history, and its end."""
    number, known = 0, (0, -1)
    for entry, position in enumerate((*game.positions[1:], game.position)):
        over = position.phase == records.Phase.OVER
        turn = int(position.round_number), int(position.turn)
        if position.round_number and (turn != known or over):
            known = turn
            number += not over
            yield TurnStart(
                entry, number, turn[0], game.colours[turn[1]], strengths(game, position)
            )


def strengths(game: Game, position: Position) -> dict[str, SeatStrength]:
    """How each colour is in a position of the game."""
    return {colour: _strength(game, position, s) for s, colour in enumerate(game.colours)}


def _strength(game: Game, position: Position, seat: int) -> SeatStrength:
    playing = position.status[seat] == records.Seat.PLAYING
    return SeatStrength(
        territories=int(position.territories[seat]),
        armies=int(position.armies[position.owner[: records.TERRITORIES] == seat].sum()),
        income=income(game.ruleset, position, seat).total if playing else 0,
    )
