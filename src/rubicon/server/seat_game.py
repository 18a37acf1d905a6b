"""A game as one seat sees it, as bytes for another process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rubicon.engine.records.position import POSITION, Position
from rubicon.rules.game.game import Game
from rubicon.rules.record.headers import ruleset_headers, ruleset_of
from rubicon.rules.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class SeatGame:
    """The ruleset's headers as JSON, a seat, and the position with only what the seat may see.

    Without a seat (""), the position is a whole one.
    """

    headers: str
    seat: str
    view: bytes

    @classmethod
    def of(cls, game: Game, seat: str) -> SeatGame:
        """What a seat sees of a game."""
        return cls(_headers(game.ruleset), seat, game.view(seat).tobytes())

    @classmethod
    def openly(cls, game: Game, position: Position) -> SeatGame:
        """A whole position of a game that is over."""
        return cls(_headers(game.ruleset), "", position.tobytes())

    def game(self) -> Game:
        """The game again, without what is hidden."""
        position = np.ndarray((1,), POSITION, bytearray(self.view))[0]
        return Game.from_position(_ruleset(self.headers), position)


@lru_cache(maxsize=256)
def _headers(ruleset: Ruleset) -> str:
    return json.dumps(ruleset_headers(ruleset), sort_keys=True)


@lru_cache(maxsize=64)
def _ruleset(headers: str) -> Ruleset:
    return ruleset_of(json.loads(headers))
