"""Whole games between players by name, and a game in which the set-up is over."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing

from rubicon.engine.chance import generator
from rubicon.engine.records import Phase, Standing
from rubicon.players.seating import SeatedPlayer, seated
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

CAP = 60  # rounds
SOON = 100.0  # seconds for a program's answer on a busy machine


def player_count(preset: str) -> int:
    """Three players, or as near as the preset allows."""
    rules = Ruleset.load(preset).rules
    return min(max(3, int(rules.players_min)), int(rules.players_max))


def played(preset: str, names: Sequence[str], *, seed: int = 1, cap: int = CAP) -> Game:
    """A game between these players, to its end or for so many rounds."""
    game = Game.new(Ruleset.load(preset), len(names))
    with ExitStack() as stack:
        players = {
            colour: stack.enter_context(closing(seated(name, colour, seed=seed, seconds=SOON)))
            for colour, name in zip(game.colours, names, strict=True)
        }
        play_on(game, players, seed, cap)
    return game


def play_on(game: Game, players: dict[str, SeatedPlayer], seed: int, cap: int) -> None:
    """Play until the game is over, or so many rounds have begun; illegal actions are refused."""
    rng = generator(seed)
    while not game.over and game.position.round_number <= cap:
        if game.pending is not None:
            game.settle(game.sample(rng))
        else:
            colour = game.actors[0]
            game.play(players[colour].decide(game), seat=colour)


def first_turn(preset: str = "classic", standing: Standing = Standing.MAXIMUM) -> Game:
    """A game whose first player has armies to place."""
    game = Game.new(Ruleset.load(preset), player_count(preset), standing=standing)
    rng = generator(3)
    while game.pending is not None or game.phase != Phase.REINFORCE:
        if game.pending is not None:
            game.settle(game.sample(rng))
        else:
            game.play(game.legal.random(rng))
    return game
