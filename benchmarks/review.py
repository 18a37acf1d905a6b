"""How long a review takes, and whether the value model's chances come true.

    python benchmarks/review.py
    python benchmarks/review.py --games 300 --cards fixed
    python benchmarks/review.py --limit 10

Prints JSON: the entries and rounds of a long game of six bots and the seconds of its review; then
calibration over games between bots that are drawn for each game: by tenth of the predicted chance,
the mean chance, the share of games that were won, and how many predictions there are, over all and
by number of players; the mean distance of the two (`error`), and the mean squared error (`brier`).
One prediction a seat at the beginning of each turn. With a limit of rounds, the same by round.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from research.calibration import calibration, predictions
from rubicon.engine.chance import generator
from rubicon.players.player import Player
from rubicon.players.review.game_review import review_of
from rubicon.players.warmup import warm
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

RULESETS: dict[str, dict[str, str]] = {"rising": {}, "fixed": {"cards.values": "fixed"}}
SLOW = ("turtle", "economist", "peaceful", "turtle", "farmer", "expander")
SEED = 1  # of a game of 43 rounds
ROUND_CAP = 300


def long_game() -> Game:
    """A long game of six bots."""
    game = Game.new(Ruleset.load("classic"), len(SLOW))
    seats = enumerate(zip(game.colours, SLOW, strict=True))
    bots = {colour: Player(bot, colour, seed=10 * SEED + seat) for seat, (colour, bot) in seats}
    dice = generator(SEED)
    while not game.over and game.position.round_number < ROUND_CAP:
        if game.awaits_chance:
            game.settle(game.sample(dice))
        else:
            game.play(bots[game.actors[0]].decide(game))
    return game


def timed_review() -> dict[str, Any]:
    """The review of the long game."""
    game = long_game()
    began, worked = time.perf_counter(), time.process_time()
    review_of(game)
    return {
        "entries": len(game.history),
        "rounds": int(game.position.round_number),
        "seconds": round(time.perf_counter() - began, 2),
        "processor_seconds": round(time.process_time() - worked, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games for each number of players")
    parser.add_argument("--cards", choices=list(RULESETS), default="rising")
    parser.add_argument("--limit", type=int, default=0, help="rounds of a game; 0 for no limit")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    warm()
    options = RULESETS[arguments.cards] | {"game.round_limit": str(arguments.limit)}
    ruleset = Ruleset.load("classic", options)
    found = {
        players: predictions(ruleset, players, arguments.games, arguments.seed)
        for players in (3, 4, 5, 6)
    }
    everything = [one for each in found.values() for one in each]
    rounds = range(1, arguments.limit + 1)
    result = {
        "review": timed_review(),
        "calibration": {
            "all": calibration(everything),
            **{str(players): calibration(each) for players, each in found.items()},
        },
        "by_round": {
            number: calibration([one for one in everything if one.round == number])
            for number in rounds
        },
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
