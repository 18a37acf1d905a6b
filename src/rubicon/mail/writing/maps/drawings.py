"""The drawings of boards, each read from its file once."""

from __future__ import annotations

from functools import lru_cache

from rubicon.rules.board.board import Board
from rubicon.rules.board.geometry import Geometry


@lru_cache(maxsize=16)
def drawing_of(board: Board) -> Geometry:
    """The drawing of a board; RubiconError (`board/bad-geometry`) where it cannot be read."""
    return board.geometry()
