"""A drawing for boards that have none: each territory is an island, and each border a sea lane.

The places follow from the borders by a force layout (Fruchterman and Reingold, 1991) without
randomness, so that a board always looks the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rubicon.rules.board.geometry import Geometry, LabelPlace, LaneShape, TerritoryShape
from rubicon.rules.board.model import BoardParts, Border, Territory
from rubicon.rules.board.paths import Point, box_of, polylines

Places: TypeAlias = npt.NDArray[np.float64]

LANE = 104.0  # units: the length that borders tend to
REACH = 240.0  # how far a territory pushes others away
NEAREST = 84.0  # between two badges
RADIUS = 30.0  # of an island, on average
MARGIN = 70.0
STEPS = 400
CORNERS = 11  # of an island, before they are rounded
TURN = math.pi * (3 - math.sqrt(5))  # the golden angle: no two islands are turned alike
PLATE_WIDTH = 120.0
PLATE_HEIGHT = 34.0
LONGEST_LINE = 12  # characters of a name
BENDS = (0.0, 0.2, -0.2, 0.4, -0.4)  # shares of its length by which a lane is bent


def island_geometry(board: BoardParts) -> Geometry:
    """The drawing of any board; plates of the continents stand in a column at the left edge."""
    places = _on_page(_spread(_relaxed(board)))
    width, height = (float(most) + MARGIN for most in places.max(axis=0))
    plates = [
        {"continent": continent.id, "x": 12.0, "y": 28 + PLATE_HEIGHT * number}
        for number, continent in enumerate(board.continents)
    ]
    return {
        "credit": "",
        "width": round(width, 1),
        "height": round(max(height, 28 + PLATE_HEIGHT * len(plates)), 1),
        "territories": [_island(board, places, index) for index in range(len(places))],
        "lanes": [_lane(board, places, border) for border in borders_of(board)],
        "borders": {"inner": "", "continent": ""},
        "lakes": "",
        "graticule": "",
        "plates": plates,  # type: ignore[typeddict-item]
        "seas": [],
    }


def borders_of(board: BoardParts) -> Iterator[Border]:
    """Every pair of territories of which one can attack the other, one-way borders included."""
    yield from sorted({*board.borders, *((min(pair), max(pair)) for pair in board.one_way)})


def _relaxed(board: BoardParts) -> Places:
    """Places at which neighbours are near and others far; in units of the drawing."""
    places = _start(board)
    joined = np.zeros((len(places), len(places)))
    for low, high in borders_of(board):
        joined[low, high] = joined[high, low] = 1
    for step in range(STEPS):
        apart = places[:, None] - places[None]
        distance = np.maximum(np.hypot(apart[..., 0], apart[..., 1]), 1.0)
        # Far territories do not push each other, or large boards would be mostly water.
        force = (distance < REACH) * LANE**2 / distance**2 - joined * distance / LANE
        moves = (apart * force[..., None]).sum(axis=1)
        length = np.maximum(np.hypot(moves[:, 0], moves[:, 1]), 1e-9)
        hottest = LANE * (1 - step / STEPS)
        places = places + moves * (np.minimum(length, hottest) / length)[:, None]
    return places


def _start(board: BoardParts) -> Places:
    """The continents on a circle, and the territories of each on a spiral about its middle."""
    found = np.zeros((len(board.territories), 2))
    around = LANE * math.sqrt(len(board.territories))
    for number, continent in enumerate(board.continents):
        angle = 2 * math.pi * number / len(board.continents)
        for rank, index in enumerate(continent.territories):
            reach = LANE * math.sqrt(rank + 0.5)
            found[index, 0] = around * math.cos(angle) + reach * math.cos(rank * TURN)
            found[index, 1] = around * math.sin(angle) + reach * math.sin(rank * TURN)
    return found


def _spread(places: Places) -> Places:
    """The places with no two nearer than `NEAREST`: pushed apart, and what is left by scaling."""
    for _ in range(STEPS):
        apart = places[:, None] - places[None]
        distance = np.hypot(apart[..., 0], apart[..., 1])
        np.fill_diagonal(distance, np.inf)
        if distance.min() >= NEAREST:
            return places
        push = np.maximum(0, NEAREST * 1.02 - distance) / np.maximum(distance, 1e-6)
        places = places + (apart * push[..., None]).sum(axis=1) / 2
    return places * max(1.0, NEAREST / max(float(distance.min()), 1e-6))


def _on_page(places: Places) -> Places:
    """The places with their longest extent across the page, and within its margins."""
    middle = places - places.mean(axis=0)
    _, axes = np.linalg.eigh(middle.T @ middle)
    # An axis may point either way: its larger part is made positive, so that it always is the same.
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), (0, 1)])
    turned = (middle @ (axes * signs))[:, ::-1]
    placed: Places = turned - turned.min(axis=0) + (MARGIN + PLATE_WIDTH, MARGIN)
    return placed


def _island(board: BoardParts, places: Places, index: int) -> TerritoryShape:
    x, y = (round(float(part), 1) for part in places[index])
    path = _coast(x, y, index)
    coast = polylines(path)[0]
    return {
        "id": board.territories[index].id,
        "d": path,
        "disc": (x, y),
        "inradius": round(min(math.dist((x, y), point) for point in coast) - 0.5, 1),
        "label": _label(board.territories[index]),
        "box": box_of([path]),
    }


def _coast(x: float, y: float, index: int) -> str:
    """A closed curve about a place: a circle with three and five waves."""
    corners: list[Point] = []
    for corner in range(CORNERS):
        angle = 2 * math.pi * corner / CORNERS
        waves = 0.09 * math.sin(3 * angle + index * TURN) + 0.06 * math.sin(5 * angle + index)
        reach = RADIUS * (1.06 + waves)
        corners.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    middles = [
        ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    curves = [
        f"Q{_pair(corner)} {_pair(middle)}" for corner, middle in zip(corners, middles, strict=True)
    ]
    return f"M{_pair(middles[-1])}{''.join(curves)}z"


def _label(territory: Territory) -> LabelPlace:
    names = {language: _lines(name) for language, name in territory.names}
    lines = _lines(territory.name)
    return {"lines": lines, "names": names, "dx": 0.0, "dy": 0.0, "afloat": True}


def _lines(name: str) -> list[str]:
    """A name, in two lines where it is long."""
    words, lines = name.split(), [name]
    if len(name) > LONGEST_LINE and len(words) > 1:
        cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
        lines = list(min(cuts, key=lambda cut: max(map(len, cut))))
    return lines


def _lane(board: BoardParts, places: Places, border: Border) -> LaneShape:
    """A lane that passes the other islands at some distance, if a bend of it does."""
    start, end = (places[index] for index in border)
    others = np.delete(places, border, axis=0)
    lanes = [_bent(start, end, bend) for bend in BENDS]
    best = max(lanes, key=lambda lane: min(_clearance(lane, others), RADIUS + 6))
    first, control, last = best
    one, other = (board.territories[index].id for index in border)
    return {
        "between": (one, other),
        "d": [f"M{_pair(first)}Q{_pair(control)} {_pair(last)}"],
        "ends": [_rounded(first), _rounded(last)],
        "wrap": False,
        "edges": [],
    }


def _bent(start: Places, end: Places, bend: float) -> tuple[Point, Point, Point]:
    """The ends of a lane on both coasts, and the control point between them."""
    across = end - start
    middle = (start + end) / 2 + bend * np.array([-across[1], across[0]])
    ends = []
    for place in (start, end):
        way = middle - place
        ends.append(place + way * (RADIUS / np.hypot(way[0], way[1])))
    first, control, last = ((float(x), float(y)) for x, y in (ends[0], middle, ends[1]))
    return first, control, last


def _clearance(lane: tuple[Point, Point, Point], others: Places) -> float:
    """The distance from a lane to the nearest of other places; infinite where there is none."""
    first, control, last = (_pair(point) for point in lane)
    points = np.array(polylines(f"M{first}Q{control} {last}")[0])
    apart = points[:, None] - others[None]
    return float(np.hypot(apart[..., 0], apart[..., 1]).min(initial=np.inf))


def _pair(point: Point) -> str:
    x, y = _rounded(point)
    return f"{x:g},{y:g}"


def _rounded(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)
