"""Whole games between bots in compiled code, as the blocks of `rubicon arena` play them."""

from collections.abc import Sequence

import numpy as np

from rubicon.engine.chance import generator
from rubicon.engine.legal_actions import range_buffer
from rubicon.engine.records import POSITION, SEATS, Position
from rubicon.lab.arena.match import TALLIED, dice_keys, play_keyed
from rubicon.players.characters import NAMES, full_name
from rubicon.players.memory import MEMORY
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset


class Arena:
    """Plays games of one ruleset, one after another."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.ruleset = ruleset
        self.seed = seed * 1_000_003  # of the next game
        self.games = np.zeros(2, POSITION)
        self.buffer = range_buffer()

    def play(self, bots: Sequence[str], round_cap: int = 500) -> Position:
        """Play a new game, one bot a seat; return its last position, valid until the next call.

        A game that is not over after `round_cap` rounds is cut off.
        """
        self.games[0] = Game.new(self.ruleset, len(bots)).position
        with np.errstate(over="ignore"):  # generators count modulo 2**64
            play_keyed(
                self.games,
                self.ruleset.rules,
                self.ruleset.tables,
                np.array([NAMES[full_name(bot)] for bot in bots], np.int64),
                np.zeros(SEATS, MEMORY),
                self.buffer,
                generator(0),
                generator(0),
                dice_keys(self.seed),
                round_cap,
                np.zeros((SEATS, TALLIED), np.int64),
            )
        self.seed += 1
        position: Position = self.games[0]
        return position
