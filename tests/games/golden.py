"""Golden games: whole games of every preset, played by a fixed seed and kept as records.

`python -m tests.games.golden` writes them anew; the diff shows what plays differently.
"""

from pathlib import Path

from rubicon.engine.chance import generator
from rubicon.players.player import Player
from rubicon.rules.game import Game
from rubicon.rules.record import Record
from rubicon.rules.ruleset.ruleset import Ruleset, presets

FOLDER = Path(__file__).parent
BOARDS = {"world": 2024, "skerries": 7}


def golden_file(preset: str, board: str) -> Path:
    """Where a golden game is kept."""
    return FOLDER / f"{preset}-{board}.rubicon"


def played(preset: str, board: str, entries: int = 100_000) -> Game:
    """The golden game, played to its end or so far."""
    ruleset = Ruleset.load(preset, board=board)
    game = Game.new(ruleset)
    rng = generator(BOARDS[board])
    bots = {colour: Player("greedy", colour, seed=seat) for seat, colour in enumerate(game.seats)}
    while not game.over and len(game.history) < entries:
        if game.pending is not None:
            game.settle(game.sample(rng))
        else:
            game.play(bots[game.actors[0]].decide(game))
    return game


if __name__ == "__main__":
    for name in presets():
        for board in BOARDS:
            golden_file(name, board).write_text(Record.of(played(name, board)).text())
