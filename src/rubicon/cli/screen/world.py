"""The board at one size in cells: land, coasts, sea routes, shades; computed once a size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import hypot

import numpy as np
import numpy.typing as npt

from rubicon.cli.screen.canvas import SHADES
from rubicon.rules.board.board import Board
from rubicon.rules.board.geometry import Geometry, polylines
from rubicon.rules.game import Game

# Which territory fills each point of a drawing, at any size.

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
        # The middle of a row: an outline has corners on whole numbers, which would count twice.
        y = row + 0.5
        hit = (first[:, 1] <= y) != (then[:, 1] <= y)
        a, b = first[hit], then[hit]
        cuts = np.sort(a[:, 0] + (y - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0]))
        # Every second piece between two cuts is inside, whichever way the outline runs.
        for at in range(0, len(cuts) - 1, 2):
            yield row, float(cuts[at]), float(cuts[at + 1])


# A shade for each territory, so that neighbours of one owner can be told apart.


def neighbours_of(board: Board) -> list[set[int]]:
    """The territories that each territory borders on, by land or sea."""
    near: list[set[int]] = [set() for _ in board.territories]
    for one, other in board.borders_under():
        near[one].add(other)
        near[other].add(one)
    return near


def neighbours_in(game: Game, t: int) -> set[int]:
    """The territories that one borders on by the rules of a game, which may close a border."""
    tables = game.tables
    return {int(tables.neighbour[t, i]) for i in range(int(tables.degree[t]))}


def tints(board: Board) -> list[int]:
    """The number of a shade for each territory; two neighbours share one only where four are few.

    Territories with the most neighbours choose first.
    """
    near = neighbours_of(board)
    shade: dict[int, int] = {}
    for t in sorted(range(len(near)), key=lambda n: -len(near[n])):
        taken = [shade[other] for other in near[t] if other in shade]
        shade[t] = min(range(SHADES), key=lambda k: (taken.count(k), k))
    return [shade[t] for t in range(len(near))]


# The board at one size, computed once.

QUADRANTS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # bit 0 upper left, 1 upper right, 2 lower left, 3 lower right
DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))  # bits of braille
BRAILLE = 0x2800
DOT_EVERY = 9  # units of the drawing between two dots of a sea route
SHALLOW = -2  # the sea along a coast; next to it SEA and the numbers of territories


@dataclass(frozen=True, slots=True)
class Land:
    """One cell of the map: a sign of one ground on another; what each ground is."""

    sign: str
    front: int
    back: int


@dataclass(frozen=True, slots=True)
class World:
    """A board in `width` x `height` cells."""

    board: Board
    geometry: Geometry
    width: int
    height: int
    land: list[list[Land]]
    routes: dict[tuple[int, int], str]
    outlines: dict[tuple[int, int], str]
    tints: list[int]
    cells: Points  # the territory that fills most of each cell

    def place(self, x: float, y: float) -> tuple[int, int]:
        """The cell of a place of the drawing."""
        column, row = Extent.of(self.geometry).scaled(x, y, self.width, self.height)
        return min(self.width - 1, int(column)), min(self.height - 1, int(row))

    def disc(self, t: int) -> tuple[int, int]:
        """The cell of a territory's armies."""
        return self.place(*self.geometry["territories"][t]["disc"])

    def territory_at(self, column: int, row: int) -> int | None:
        """The territory in a cell, or None for the sea."""
        if not (0 <= column < self.width and 0 <= row < self.height):
            return None
        found = int(self.cells[row, column])
        return None if found == SEA else found


def make_world(
    board: Board, geometry: Geometry, width: int, height: int, *, outlines: bool = False
) -> World:
    """The board at this size; coasts and borders as lines only if `outlines` are asked for."""
    points = raster(geometry, width * 2, height * 2)
    return World(
        board=board,
        geometry=geometry,
        width=width,
        height=height,
        land=_land(points),
        routes=_routes(geometry, points, width, height),
        outlines=_outlines(raster(geometry, width * 2, height * 4)) if outlines else {},
        tints=tints(board),
        cells=_cells(points),
    )


def _with_shallows(points: Points) -> Points:
    """The points with SHALLOW round the land, as wide as one cell."""
    land = np.pad(points != SEA, 2)
    height, width = points.shape
    near = np.zeros(points.shape, bool)
    for down in range(-1, 2):
        for right in range(-2, 3):
            near |= land[2 + down : 2 + down + height, 2 + right : 2 + right + width]
    return np.where((points == SEA) & near, SHALLOW, points).astype(np.int16)


def _land(points: Points) -> list[list[Land]]:
    shallow = _with_shallows(points)
    height, width = shallow.shape
    quarters = shallow.reshape(height // 2, 2, width // 2, 2).transpose(0, 2, 1, 3)
    return [[_cell(four.ravel().tolist()) for four in row] for row in quarters]


def _cell(four: list[int]) -> Land:
    """The two grounds that fill most of a cell; land stands in front of the sea."""
    kinds = sorted(dict.fromkeys(four), key=lambda kind: -four.count(kind))[:2]
    if len(kinds) == 1:
        return Land(" ", kinds[0], kinds[0])
    back, front = kinds
    if front < 0 <= back:
        back, front = front, back
    bits = sum(1 << k for k, kind in enumerate(four) if kind == front)
    return Land(QUADRANTS[bits], front, back)


def _cells(points: Points) -> Points:
    height, width = points.shape
    quarters = points.reshape(height // 2, 2, width // 2, 2).transpose(0, 2, 1, 3)
    found: Points = quarters.reshape(height // 2, width // 2, 4).max(axis=2).astype(np.int16)
    return found


def _routes(
    geometry: Geometry, points: Points, width: int, height: int
) -> dict[tuple[int, int], str]:
    """Sea routes as dots of braille, in cells that are sea alone."""
    extent = Extent.of(geometry)
    dots: dict[tuple[int, int], int] = {}
    lines = (line for lane in geometry["lanes"] for path in lane["d"] for line in polylines(path))
    for line in lines:
        for (ax, ay), (bx, by) in pairwise(line):
            steps = max(1, int(hypot(bx - ax, by - ay) / DOT_EVERY))
            for step in range(steps):
                x, y = ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps
                column, row = (int(n) for n in extent.scaled(x, y, width * 2, height * 4))
                bit = DOTS.index((column % 2, row % 4))
                cell = column // 2, row // 4
                dots[cell] = dots.get(cell, 0) | 1 << bit
    return {
        (column, row): chr(BRAILLE + bits)
        for (column, row), bits in dots.items()
        if 0 <= column < width
        and 0 <= row < height
        and (points[2 * row : 2 * row + 2, 2 * column : 2 * column + 2] == SEA).all()
    }


def _outlines(points: Points) -> dict[tuple[int, int], str]:
    """Coasts and borders in braille, for terminals without enough colours."""
    edge = np.zeros(points.shape, bool)
    edge[:, 1:] |= points[:, 1:] != points[:, :-1]
    edge[1:, :] |= points[1:, :] != points[:-1, :]
    found = {}
    for row in range(points.shape[0] // 4):
        for column in range(points.shape[1] // 2):
            bits = sum(
                1 << k
                for k, (right, down) in enumerate(DOTS)
                if edge[4 * row + down, 2 * column + right]
            )
            if bits:
                found[column, row] = chr(BRAILLE + bits)
    return found
