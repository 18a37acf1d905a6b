"""Which territory fills each point of a drawing, at any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from rubicon.rules.board.geometry import Geometry
from rubicon.rules.board.paths import polylines

SUBPOINTS = 4  # sampled in each direction of a point
LAND_SHARE = 0.4  # of a point that is land: a smaller share would lose islands
SEA = -1
Points = npt.NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Extent:
    """The part of a drawing that is shown, in its units: all columns, the rows that hold land."""

    width: float
    top: float
    bottom: float

    @classmethod
    def of(cls, geometry: Geometry) -> Extent:
        """The whole width, and the rows from the northernmost land to the southernmost."""
        boxes = [shape["box"] for shape in geometry["territories"]]
        return cls(geometry["width"], min(b[1] for b in boxes), max(b[3] for b in boxes))

    @property
    def height(self) -> float:
        """From the first row to the last."""
        return self.bottom - self.top

    def scaled(self, x: float, y: float, width: int, height: int) -> tuple[float, float]:
        """A place of the drawing in a grid of `width` columns and `height` rows."""
        return x * width / self.width, (y - self.top) * height / self.height


def raster(geometry: Geometry, width: int, height: int) -> Points:
    """The territory that fills most of each of `height` x `width` points; SEA elsewhere."""
    fine = _filled(geometry, width * SUBPOINTS, height * SUBPOINTS)
    kinds = len(geometry["territories"]) + 1  # the last is the sea
    rows = np.arange(height).repeat(SUBPOINTS)[:, None] * width
    points = rows + np.arange(width).repeat(SUBPOINTS)[None, :]
    keys = points * kinds + fine % kinds
    counts = np.bincount(keys.ravel(), minlength=height * width * kinds)
    shares = counts.reshape(height, width, kinds)[:, :, :-1]
    land = shares.sum(axis=2) >= LAND_SHARE * SUBPOINTS**2
    return np.where(land, shares.argmax(axis=2), SEA).astype(np.int16)


def _filled(geometry: Geometry, width: int, height: int) -> Points:
    """The territory at the middle of each point."""
    extent = Extent.of(geometry)
    found = np.full((height, width), SEA, np.int16)
    for index, shape in enumerate(geometry["territories"]):
        scale = np.array([width / extent.width, height / extent.height])
        rings = [(line - np.array([0.0, extent.top])) * scale for line in _outline(shape["d"])]
        for row, start, end in _spans(rings, height):
            found[row, max(0, round(start)) : max(0, round(end))] = index
    return found


@lru_cache(maxsize=512)
def _outline(path: str) -> list[npt.NDArray[np.float64]]:
    """The closed lines of an outline; every size of a map begins with them."""
    return [np.array(line) for line in polylines(path)]


def _spans(rings: list[npt.NDArray[np.float64]], height: int) -> Iterator[tuple[int, float, float]]:
    """The pieces of rows that lie inside an outline: row, first and last column."""
    first = np.concatenate(rings)
    then = np.concatenate([np.roll(ring, -1, 0) for ring in rings])
    low = max(0, int(first[:, 1].min()))
    high = min(height, int(first[:, 1].max()) + 1)
    for row in range(low, high):
        y = row + 0.5
        hit = (first[:, 1] <= y) != (then[:, 1] <= y)
        a, b = first[hit], then[hit]
        cuts = np.sort(a[:, 0] + (y - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0]))
        for at in range(0, len(cuts) - 1, 2):
            yield row, float(cuts[at]), float(cuts[at + 1])
