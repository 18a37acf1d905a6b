"""A small finished game between bots, and its review."""

from functools import cache

from rubicon.engine.chance import generator
from rubicon.players.player import Player
from rubicon.players.review.game_review import WinningReview, review_of
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

BOTS = ("hunter", "greedy", "random")


@cache
def finished_game() -> Game:
    """A game of three bots of very different strength, on a small board."""
    game = Game.new(Ruleset.load("classic", board="skerries"), len(BOTS))
    bots = {
        colour: Player(bot, colour, seed=number)
        for number, (colour, bot) in enumerate(zip(game.colours, BOTS, strict=True))
    }
    dice = generator(3)
    while not game.over:
        if game.awaits_chance:
            game.settle(game.sample(dice))
        else:
            game.play(bots[game.actors[0]].decide(game))
    return game


@cache
def review() -> WinningReview:
    """The review of the game."""
    return review_of(finished_game())
