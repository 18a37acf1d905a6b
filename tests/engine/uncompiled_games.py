"""Plays a short game of every preset; `test_uncompiled.py` runs it without compiling."""

import hashlib

from rubicon.engine.chance import generator
from rubicon.engine.warmup import CONFIG
from rubicon.players.player import Player
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset, presets

LIMITS = {"game.round_limit": "2"}
MOST_ENTRIES = 400


def play(preset: str) -> str:
    """Play on the smallest board between alternating bots; what the game came to."""
    game = Game.new(Ruleset.load(preset, LIMITS, board="skerries"))
    rng = generator(7)
    names = ("greedy", "random")
    bots = {
        colour: Player(names[seat % 2], colour, seed=seat)
        for seat, colour in enumerate(game.colours)
    }
    while not game.over and len(game.history) < MOST_ENTRIES:
        if game.pending is not None:
            game.settle(game.sample(rng))
        else:
            game.play(bots[game.actors[0]].decide(game))
    position = hashlib.sha256(game.position.tobytes()).hexdigest()
    return f"{preset}: {len(game.history)} entries, over: {game.over}, position {position}"


def main() -> None:
    """Print how each game ended, after a line that says whether the rules are compiled."""
    print("uncompiled" if CONFIG.DISABLE_JIT else "compiled")
    for preset in presets():
        print(play(preset))


if __name__ == "__main__":
    main()
