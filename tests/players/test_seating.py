"""A player by name, in one seat."""

from __future__ import annotations

from typing import Any

import pytest

from rubicon.errors import RubiconError
from rubicon.players.bot import REGISTERED
from rubicon.players.player import PLAYERS, Player, random_choice
from rubicon.players.seating import seated
from tests.players.played import first_turn, played


@pytest.mark.parametrize("name", PLAYERS)
def test_our_bots_decide_as_ever(name: str) -> None:
    game = first_turn()
    colour = game.actors[0]
    player = seated(name, colour, seed=4)
    assert player.name == name
    assert player.decide(game) == Player(name, colour, seed=4).decide(game)
    player.close()
    player.close()


@pytest.mark.parametrize("name", ["hunter", "policy", "exec:python"])
@pytest.mark.parametrize("seed", [None, "7", 1.5])
def test_a_seed_is_a_whole_number(name: str, seed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTERED, "policy", random_choice)
    with pytest.raises(RubiconError) as caught:
        seated(name, "red", seed=seed)
    assert caught.value.code == "player/seed"


@pytest.mark.parametrize("preset", ["classic", "secret-mission"])
def test_a_game_of_our_bots(preset: str) -> None:
    assert played(preset, ["greedy", "hunter", "greedy"], cap=500).over
