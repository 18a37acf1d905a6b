"""How long a position's text takes: written, and read with all its checks.

    python benchmarks/position_text.py

Positions in the middle of a random game on the world board. Prints JSON: microseconds of processor
time (the best of several rounds, so that other work on the machine counts little), and each as a
ratio to copying the bare record, which compares runs on different machines.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from rubicon.engine.chance import generator
from rubicon.engine.records import Chance, Phase, copy_position
from rubicon.rules.game import Game
from rubicon.rules.notation.positions import parse_position, position_text
from rubicon.rules.ruleset.ruleset import Ruleset

GAMES = (("classic", 3), ("revised", 4))
ENTRIES = 300
ROUNDS = 25
CALLS = 200


def middle(preset: str, players: int) -> Game:
    """A random game that has come to the attack of a later turn."""
    game, rng = Game.new(Ruleset.load(preset), players), generator(1)
    entries = 0
    while entries < ENTRIES or game.phase != Phase.ATTACK or game.position.chance != Chance.NONE:
        if game.pending is not None:
            game.settle(game.sample(rng))
        else:
            game.play(game.legal.random(rng))
        entries += 1
    return game


def microseconds(call: Callable[[], Any]) -> float:
    """The processor time of one call, in the best round."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        for _ in range(CALLS):
            call()
        best = min(best, (time.process_time() - begin) / CALLS)
    return best * 1e6


def measured(preset: str, players: int) -> dict[str, float]:
    """The figures of one position."""
    game = middle(preset, players)
    ruleset, position = game.ruleset, game.position
    text = position_text(ruleset, position)
    copied = microseconds(lambda: copy_position(position))
    written = microseconds(lambda: position_text(ruleset, position))
    read = microseconds(lambda: parse_position(text))
    return {
        "characters": len(text),
        "copy_us": round(copied, 2),
        "write_us": round(written, 1),
        "read_us": round(read, 1),
        "write_to_copy": round(written / copied, 1),
        "read_to_copy": round(read / copied, 1),
    }


if __name__ == "__main__":
    print(json.dumps({preset: measured(preset, players) for preset, players in GAMES}, indent=2))
