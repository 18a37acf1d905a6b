"""The board at one size: land, coasts, sea routes, places of figures; computed once a size."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import hypot

import numpy as np

from rubicon.cli.screen.map.raster import SEA, Extent, Points, raster
from rubicon.cli.screen.map.tints import tints
from rubicon.rules.board.board import Board
from rubicon.rules.board.geometry import Geometry
from rubicon.rules.board.paths import polylines

QUADRANTS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # bit 0 upper left, 1 upper right, 2 lower left, 3 lower right
DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))  # bits of braille
BRAILLE = 0x2800
DOT_EVERY = 9  # units of the drawing between two dots of a sea route
SHALLOW = -2  # the sea along a coast; beside it SEA and the numbers of territories


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
