"""The geometry of a board's picture: outlines, neighbours, islands."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from rubicon.errors import RubiconError
from rubicon.rules.board.format import BoardParts, Border, Territory
from rubicon.wording import quoted_path

# SVG paths as points: the commands M, L, Q, C and Z, absolute or relative.

Point: TypeAlias = tuple[float, float]

NUMBERS = {"M": 2, "L": 2, "Q": 4, "C": 6, "Z": 0}  # of one step of each command
PARTS = 8  # straight pieces of one curve
_COMMAND = re.compile(r"([MLQCZmlqcz])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def polylines(path: str) -> list[list[Point]]:
    """The subpaths of a path as points; each curve becomes `PARTS` straight pieces.

    Raises ValueError for another command, and for numbers that do not make whole steps.
    """
    found: list[list[Point]] = []
    here: Point = (0.0, 0.0)
    for command, step in _steps(path):
        if command in "Mm":
            here = _moved(command, here, step)
            found.append([here])
        elif not found:
            raise ValueError("the path does not begin with M")
        elif command in "Zz":
            here = found[-1][0]
            found[-1].append(here)
        else:
            points = _curve(command, here, step)
            found[-1].extend(points)
            here = points[-1]
    return found


def box_of(paths: Iterable[str]) -> tuple[float, float, float, float]:
    """The smallest x and y, and the largest, of the points of some paths, to a tenth of a unit."""
    points = [point for path in paths for line in polylines(path) for point in line]
    xs, ys = zip(*points, strict=True)
    return round(min(xs), 1), round(min(ys), 1), round(max(xs), 1), round(max(ys), 1)


def _steps(path: str) -> Iterator[tuple[str, Sequence[float]]]:
    if _COMMAND.sub("", path).strip():
        raise ValueError("the path has a command other than M, L, Q, C and Z")
    for command, text in _COMMAND.findall(path):
        size = NUMBERS[command.upper()]
        numbers = [float(number) for number in _NUMBER.findall(text)]
        if (len(numbers) % size if size else len(numbers)) or (size and not numbers):
            raise ValueError(f"the command {command} has {len(numbers)} numbers")
        for at in range(0, max(len(numbers), 1), max(size, 1)):
            # What follows the first pair of a move is lines (SVG 2, 9.3.3).
            follows = {"M": "L", "m": "l"}.get(command, command) if at else command
            yield follows, numbers[at : at + size]


def _moved(command: str, here: Point, pair: Sequence[float]) -> Point:
    x, y = here if command.islower() else (0.0, 0.0)
    return x + pair[0], y + pair[1]


def _curve(command: str, here: Point, step: Sequence[float]) -> list[Point]:
    """The points of a line or a curve after its first."""
    ends = [_moved(command, here, step[at : at + 2]) for at in range(0, len(step), 2)]
    if len(ends) == 1:
        return ends
    return [_between([here, *ends], part / PARTS) for part in range(1, PARTS + 1)]


def _between(points: list[Point], share: float) -> Point:
    """A point of a Bézier curve, by de Casteljau."""
    while len(points) > 1:
        points = [
            (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
            for a, b in pairwise(points)
        ]
    return points[0]


# How a board is drawn: the outlines of its territories, its sea lanes, and where names stand.
#
# Lengths are units of the drawing, x to the right and y down. Paths are SVG path data. A drawing
# is a JSON file next to the board; `docs/boards.md` lists its fields.


class LabelPlace(TypedDict):
    """The name of a territory: its lines, and how far it is moved from its place below the badge.

    `names` has the lines in other languages, such as `de`. `afloat`: it runs out over the sea.
    """

    lines: list[str]
    names: dict[str, list[str]]
    dx: float
    dy: float
    afloat: bool


class TerritoryShape(TypedDict):
    """A territory: its outline `d`, with islands and all; `disc` is where the badge stands.

    No border is nearer to the badge than `inradius`. `box` is the smallest x and y of the
    outline, and the largest.
    """

    id: str
    d: str
    disc: tuple[float, float]
    inradius: float
    label: LabelPlace
    box: tuple[float, float, float, float]


class LaneEdge(TypedDict):
    """Where a lane runs off the drawing, and the territory that it leads to."""

    to: str
    x: float
    y: float


class LaneShape(TypedDict):
    """A border across the sea, as one path or more; `ends` are its end points on both coasts.

    `wrap`: it leaves the drawing at one edge and comes back at the other; it has `edges` then.
    """

    between: tuple[str, str]
    d: list[str]
    ends: list[tuple[float, float]]
    wrap: bool
    edges: list[LaneEdge]


class BorderShapes(TypedDict):
    """All land borders as one path each: those within continents, and those between them."""

    inner: str
    continent: str


class PlatePlace(TypedDict):
    """The place on the sea for the name and the bonus of a continent: left end, base line."""

    continent: str
    x: float
    y: float


class SeaName(TypedDict):
    """The name of a sea in its lines: the middle of the first, and the size of its letters.

    `names` has the lines in other languages.
    """

    lines: list[str]
    names: dict[str, list[str]]
    x: float
    y: float
    size: float


class Geometry(TypedDict):
    """The drawing of a board. Territories are in the order of the board."""

    credit: str
    width: float
    height: float
    territories: list[TerritoryShape]
    lanes: list[LaneShape]
    borders: BorderShapes
    lakes: str
    graticule: str
    plates: list[PlatePlace]
    seas: list[SeaName]


def read_geometry(board: BoardParts, path: Path) -> Geometry:
    """The drawing in a file; RubiconError (`board/bad-geometry`) if it does not draw this board."""
    try:
        return _geometry(board, json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        message = f"The drawing {quoted_path(path)} cannot be used: {error!r}."
        suggestion = "docs/boards.md lists the fields of a drawing."
        raise RubiconError("board/bad-geometry", message, suggestion) from error


def _geometry(board: BoardParts, drawn: Mapping[str, Any]) -> Geometry:
    shapes = {shape["id"]: shape for shape in drawn["territories"]}
    names = {territory.id: territory for territory in board.territories}
    if shapes.keys() != names.keys():
        raise ValueError(f"it does not have the territories of {board.id}")
    lanes = [_lane(lane) for lane in drawn.get("lanes", ())]
    if not names.keys() >= {end for lane in lanes for end in lane["between"]}:
        raise ValueError("a lane leads to an unknown territory")
    plates = drawn.get("plates", [])
    if not {land.id for land in board.continents} >= {plate["continent"] for plate in plates}:
        raise ValueError("a plate names an unknown continent")
    borders = drawn.get("borders", {})
    return {
        "credit": str(drawn.get("credit", "")),
        "width": float(drawn["width"]),
        "height": float(drawn["height"]),
        "territories": [_territory(shapes[name], names[name]) for name in names],
        "lanes": lanes,
        "borders": {"inner": borders.get("inner", ""), "continent": borders.get("continent", "")},
        "lakes": str(drawn.get("lakes", "")),
        "graticule": str(drawn.get("graticule", "")),
        "plates": list(plates),
        "seas": [_sea(sea) for sea in drawn.get("seas", ())],
    }


def _territory(shape: Mapping[str, Any], territory: Territory) -> TerritoryShape:
    label = shape.get("label", {})
    x, y = shape["disc"]
    return {
        "id": shape["id"],
        "d": shape["d"],
        "disc": (float(x), float(y)),
        "inradius": float(shape["inradius"]),
        "label": {
            "lines": list(label.get("lines") or [territory.name]),
            "names": {word: [name] for word, name in territory.names} | label.get("names", {}),
            "dx": float(label.get("dx", 0)),
            "dy": float(label.get("dy", 0)),
            "afloat": bool(label.get("afloat", False)),
        },
        "box": box_of([shape["d"]]),
    }


def _sea(sea: Mapping[str, Any]) -> SeaName:
    return {
        "lines": list(sea["lines"]),
        "names": dict(sea.get("names", {})),
        "x": float(sea["x"]),
        "y": float(sea["y"]),
        "size": float(sea["size"]),
    }


def _lane(lane: Mapping[str, Any]) -> LaneShape:
    first, second = lane["between"]
    return {
        "between": (first, second),
        "d": list(lane["d"]),
        "ends": [(float(x), float(y)) for x, y in lane.get("ends", ())],
        "wrap": bool(lane.get("wrap", False)),
        "edges": list(lane.get("edges", ())),
    }


# A drawing for boards that have none: each territory is an island, and each border a sea lane.
#
# The places follow from the borders by a force layout (Fruchterman and Reingold, 1991) without
# randomness, so that a board always looks the same.

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
    """The drawing of any board; plates of the continents are in a column at the left edge."""
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
        "lanes": [_island_lane(board, places, border) for border in borders_of(board)],
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


def _island_lane(board: BoardParts, places: Places, border: Border) -> LaneShape:
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
