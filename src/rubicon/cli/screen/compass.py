"""Which neighbour lies in a direction, for the arrow keys."""

from __future__ import annotations

from math import hypot

from rubicon.rules.board.geometry import Geometry

DIRECTIONS = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, -1.0), "down": (0.0, 1.0)}
LEAST_COSINE = 0.35  # a neighbour farther off the direction is not meant


def neighbour_towards(geometry: Geometry, near: set[int], start: int, direction: str) -> int | None:
    """The neighbour of `start` that lies closest to a direction; None if none does.

    Over the edge of the drawing the way is as long as across its seam.
    """
    right, down = DIRECTIONS[direction]
    x, y = geometry["territories"][start]["disc"]
    best: tuple[float, int] | None = None
    for other in sorted(near):
        ox, oy = geometry["territories"][other]["disc"]
        width = geometry["width"]
        dx = (ox - x + width / 2) % width - width / 2
        dy = oy - y
        length = hypot(dx, dy) or 1.0
        cosine = (dx * right + dy * down) / length
        if cosine > LEAST_COSINE and (best is None or cosine > best[0]):
            best = cosine, other
    return None if best is None else best[1]
