"""How far a seat has come towards objectives and missions, and what its turn brings."""

from __future__ import annotations

import pytest

from rubicon.engine.records import ObjectivePlace
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.rules.situation import (
    GoalProgress,
    Income,
    income,
    mission_progress,
    objective_progress,
    turn_starts,
)
from tests.orders.scenes import scene

SOUTH_AMERICA = dict.fromkeys(["venezuela", "peru", "brazil"], "r2")


def test_income_is_told_item_by_item() -> None:
    game = scene(SOUTH_AMERICA | {"argentina": "r2", "alaska": "r1"})
    assert income(game.ruleset, game.position, 0) == Income(3, 0, 2, 0, 0)
    assert income(game.ruleset, game.position, 0).total == 5
    assert income(game.ruleset, game.position, 1).territories == 36 // 3


def revised() -> Game:
    """A revised game in which red owns three of four territories of South America."""
    game = scene(SOUTH_AMERICA | {"argentina": "b1"})
    other = Game.new(Ruleset.load("revised"), 3)
    position = game.position.copy()
    position.capital[:] = [other.territories.index("alaska"), -1, -1, -1, -1, -1]
    position.objective[:] = ObjectivePlace.FACE_UP
    return Game.from_position(other.ruleset, position)


def number_of(game: Game, words: str) -> int:
    """The index of the objective whose text has these words."""
    texts = [objective.text for objective in game.ruleset.board.objectives]
    return next(number for number, text in enumerate(texts) if words in text)


def test_a_continent_is_counted_by_its_territories() -> None:
    game = revised()
    ruleset = game.ruleset
    named = [o for o, one in enumerate(ruleset.board.objectives) if one.continent >= 0]
    for number in named:
        continent = ruleset.board.continents[ruleset.board.objectives[number].continent]
        found = objective_progress(ruleset, game.position, 0, number)
        held = sum(int(game.position.owner[t]) == 0 for t in continent.territories)
        assert found == GoalProgress(continent.id, held, len(continent.territories))
    assert named


def test_captures_count_for_the_seat_to_move_only() -> None:
    game = revised()
    game.position.captured[:5] = 1
    number = number_of(game, "10 territories")
    assert objective_progress(game.ruleset, game.position, 0, number).have == 5
    assert objective_progress(game.ruleset, game.position, 1, number).have == 0
    assert int(game.position.captured.sum()) == 5


@pytest.mark.parametrize("number", range(14))
def test_every_mission_is_complete_when_all_its_parts_are(number: int) -> None:
    ruleset = Ruleset.load("secret-mission")
    game = Game.new(ruleset, 3)
    position = game.position.copy()
    position.mission[0] = number
    mission = ruleset.board.missions[number]
    position.owner[: len(game.territories)] = 1
    none = mission_progress(ruleset, position, 0)
    assert none is not None
    assert not none.complete
    assert none.text == mission.text
    assert all(part.have == 0 for part in none.parts)
    position.owner[: len(game.territories)] = 0
    position.armies[: len(game.territories)] = 2
    position.territories[0] = len(game.territories)
    position.status[1] = position.status[2] = 2
    full = mission_progress(ruleset, position, 0)
    assert full is not None
    assert full.complete is all(part.have >= part.needed for part in full.parts)
    assert full.complete or mission.colour not in game.colours[1:]


def test_a_mission_out_of_reach_counts_territories() -> None:
    ruleset = Ruleset.load("secret-mission")
    position = Game.new(ruleset, 3).position.copy()
    position.mission[0], position.mission_fallback[0] = 8, 1
    position.territories[0] = 20
    found = mission_progress(ruleset, position, 0)
    assert found is not None
    assert found.parts == (GoalProgress("territories", 20, 24),)
    assert found.text.endswith("out of reach, so hold 24 territories")
    assert not found.complete


def test_turns_begin_where_the_seat_to_move_changes() -> None:
    game = scene({"alaska": "r5"})
    while int(game.position.turn) != 2:  # the last legal action places, or ends a phase
        game.play(game.legal[-1])
    blue, green = turn_starts(game)
    assert [(turn.number, turn.seat) for turn in (blue, green)] == [(1, "blue"), (2, "green")]
    assert (blue.entry, green.entry) == (0, len(game.history) - 1)
    assert (blue.round, green.round) == (2, 2)
    assert green.strength["red"].armies == 5
    assert green.strength["red"].territories == 1
    assert green.strength["blue"].income == income(game.ruleset, game.position, 1).total
