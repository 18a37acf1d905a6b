"""The levels: who decides a round, and that the same seeds give the same decisions."""

from __future__ import annotations

import pytest

from rubicon.engine.chance import generator
from rubicon.players.characters import (
    BOTS,
    CERTAIN,
    FIRST_LEVEL,
    LEVEL_NAMES,
    LEVEL_PLAYS,
    NAMES,
    STRONGEST_LEVEL,
    full_name,
    policy_of,
)
from rubicon.players.player import Player
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

SKERRIES = Ruleset.load("classic", board="skerries")
SEEDS = 200


def decided_by(level: str, seed: int) -> int:
    """The policy that decides the first round of a level with this seed."""
    game, dice = Game.new(SKERRIES, 3), generator(seed)
    while game.awaits_chance:
        game.settle(game.sample(dice))
    player = Player(level, game.actors[0], seed=seed)
    player.decide(game)
    return int(player.memory.deciding)


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_a_weaker_policy_decides_its_share_of_rounds(level: str) -> None:
    play = LEVEL_PLAYS[NAMES[level] - FIRST_LEVEL]
    seeds = SEEDS if 0 < play["weaker_rounds"] < CERTAIN else 3
    found = [decided_by(level, seed) for seed in range(seeds)]
    assert set(found) <= {int(play["stronger"]), int(play["weaker"])}
    share = found.count(int(play["weaker"])) / seeds
    assert abs(share - play["weaker_rounds"] / CERTAIN) < 0.12


def test_one_policy_decides_a_whole_round() -> None:
    rounds: dict[tuple[str, int], set[int]] = {}
    game, dice = Game.new(SKERRIES, 3), generator(4)
    players = {colour: Player("easy", colour, seed=3) for colour in game.colours}
    while not game.over and game.position.round_number <= 6:
        if game.awaits_chance:
            game.settle(game.sample(dice))
            continue
        colour = game.actors[0]
        action = players[colour].decide(game)
        key = colour, int(game.position.round_number)
        rounds.setdefault(key, set()).add(int(players[colour].memory.deciding))
        game.play(action)
    assert {len(found) for found in rounds.values()} == {1}
    assert len(set.union(*rounds.values())) == 2


def test_a_decision_is_bounded_by_counted_games() -> None:
    budgets = [int(play["thinking"]["budget"]) for play in LEVEL_PLAYS]
    assert budgets == sorted(budgets)
    assert 0 < budgets[-1] <= 1000


def test_the_strongest_level_is_the_first_bot() -> None:
    assert BOTS[0] == STRONGEST_LEVEL
    assert [bot.name for bot in BOTS[: len(LEVEL_NAMES)]] == list(LEVEL_NAMES[::-1])


def test_the_strongest_level_has_another_name_too() -> None:
    assert full_name("strongest") == STRONGEST_LEVEL.name
    assert policy_of("strongest") == STRONGEST_LEVEL.policy
    assert "strongest" not in NAMES
