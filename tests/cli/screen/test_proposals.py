"""What Enter does on an empty line: always an order that takes an action now."""

from __future__ import annotations

import pytest

from rubicon.cli.screen.desk import Desk
from rubicon.engine.chance import generator
from rubicon.orders.execute.executor import OrderExecutor
from rubicon.orders.execute.program import Progress
from rubicon.orders.parse.parser import read_orders
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from tests.players.played import player_count

DECISIONS = 400


def first_action_of(order: str, game: Game, colour: str) -> object:
    """The action that an order takes now; the order must be one, word for word."""
    orders = read_orders(order, game.ruleset.board, game.colours)
    assert not orders.warnings, order
    return OrderExecutor(orders, game, colour).decide(game.view(colour), Progress()).action


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("seed", [1, 2])
def test_enter_always_takes_an_action(preset: str, seed: int) -> None:
    game = Game.new(Ruleset.load(preset), player_count(preset))
    geometry = game.ruleset.board.geometry()
    desks = {colour: Desk(game, geometry) for colour in game.colours}
    rng, proposed = generator(seed), 0
    for _ in range(DECISIONS):
        if game.over:
            break
        if game.pending is not None:
            game.settle(game.sample(rng))
            continue
        colour = game.actors[0]
        desk = desks[colour]
        desk.renew(colour)
        if order := desk.proposal():
            assert first_action_of(order, game, colour) is not None, order
            proposed += 1
        game.play(game.legal_for(colour).random(rng), seat=colour)
    assert proposed > DECISIONS / 10
