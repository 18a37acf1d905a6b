"""Why an action is wanted: read off the plan in a bot's memory."""

from typing import Any

import pytest

from rubicon.engine.chance import generator
from rubicon.engine.records import copy_position
from rubicon.players.memory import Memory, empty_memory
from rubicon.players.player import Player
from rubicon.players.review.reason import Reason, reason_of, reason_sentence, sole_owner
from rubicon.rules.actions import (
    Action,
    Attack,
    Claim,
    ClaimObjective,
    DefendWith,
    EndTurn,
    Fortify,
    Place,
    Trade,
)
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller

TELLER = Storyteller(Names(places={"africa": "Africa", "egypt": "Egypt"}))


@pytest.fixture
def game() -> Game:
    """Africa is blue but for nothing; all else is red."""
    game = Game.new(Ruleset.load("classic"), 3)
    position = copy_position(game.position)
    africa = next(one for one in game.ruleset.board.continents if one.id == "africa")
    for t in range(len(game.territories)):
        position.owner[t] = int(t in africa.territories)
        position.armies[t] = 2
    return Game.from_position(game.ruleset, position)


def why(game: Game, action: Action, memory: Memory) -> Reason:
    """The reason for an action that has one."""
    reason = reason_of(game, game.position, 0, action, memory)
    assert reason is not None
    return reason


def planned(game: Game, *wanted: str, victim: int = 0, chance: float = 0.71) -> Any:
    memory = empty_memory()
    for territory in wanted:
        memory.wanted[game.territories.index(territory)] = 1
    memory.victim = victim
    memory.work["best_score"] = 1.0
    memory.work["best_chance"] = chance
    return memory


def test_a_plan_breaks_a_continent(game: Game) -> None:
    memory = planned(game, "egypt")
    reason = why(game, Attack("middle_east", "egypt", 3), memory)
    assert reason == Reason("breaks_continent", continent="africa", seat="blue", chance=0.71)
    assert reason_sentence(reason, TELLER) == "breaks blue's Africa, 71 %"


def test_a_plan_takes_all_that_is_left_of_a_continent(game: Game) -> None:
    africa = next(one for one in game.ruleset.board.continents if one.id == "africa")
    wanted = [game.territories[t] for t in africa.territories]
    reason = why(game, Place("middle_east", 3), planned(game, *wanted))
    assert (reason.kind, reason.continent) == ("takes_continent", "africa")


def test_a_plan_eliminates(game: Game) -> None:
    memory = planned(game, "egypt", victim=2, chance=1.0)
    reason = why(game, Place("middle_east", 3), memory)
    assert (reason.kind, reason.seat) == ("eliminates", "blue")
    assert reason_sentence(reason, TELLER) == "eliminates blue, 99 %"


def test_a_plan_takes_a_territory(game: Game) -> None:
    game.position.owner[game.territories.index("congo")] = 2
    memory = planned(game, "egypt")
    reason = why(game, Attack("middle_east", "egypt", 3), memory)
    assert (reason.kind, reason.territory, reason.seat) == ("takes", "egypt", "blue")


@pytest.mark.parametrize("bot", ["medium", "hard", "expert"])
def test_levels_say_what_they_plan(bot: str) -> None:
    game = Game.new(Ruleset.load("classic", {"setup.claim": "random"}, board="skerries"), 3)
    luck = generator(5)
    bots = {colour: Player(bot, colour, seed=n) for n, colour in enumerate(game.colours)}
    chances: list[float] = []
    while game.pending is not None or (game.actors and len(chances) < 3):
        if game.pending is not None:
            game.settle(game.sample(luck))
            continue
        seat = game.actors[0]
        action = bots[seat].decide(game)
        view = game.view(seat)
        reason = reason_of(game, view, game.seat(seat), action, bots[seat].memory)
        if reason is not None and reason.chance is not None:
            chances.append(reason.chance)
        game.play(action)
    assert len(chances) == 3
    assert all(0.0 < chance <= 1.0 for chance in chances)


def test_without_a_plan_armies_guard(game: Game) -> None:
    memory = empty_memory()
    place = why(game, Place("middle_east", 3), memory)
    assert reason_sentence(place, Storyteller(Names())) == "guards middle_east"
    moved = why(game, Fortify("ural", "middle_east", 1), memory)
    assert moved == Reason("guards", "middle_east")
    assert why(game, EndTurn(), memory).kind == "stops"
    assert why(game, Trade(), memory).kind == "trades"


def test_only_one_seat_holds_a_continent(game: Game) -> None:
    africa = next(one for one in game.ruleset.board.continents if one.id == "africa")
    assert sole_owner(game.position, africa.territories) == 1
    game.position.owner[africa.territories[0]] = 0
    assert sole_owner(game.position, africa.territories) is None


def test_claims_and_defences_are_no_end_of_attacks(game: Game) -> None:
    memory = empty_memory()
    assert reason_sentence(why(game, Claim("egypt"), memory), TELLER) == "takes Egypt"
    game.position.attack_target = game.territories.index("egypt")
    assert reason_sentence(why(game, DefendWith(2), memory), TELLER) == "defends Egypt"


def test_what_speaks_for_itself_has_no_reason(game: Game) -> None:
    objective = ClaimObjective("africa")
    assert reason_of(game, game.position, 0, objective, empty_memory()) is None
