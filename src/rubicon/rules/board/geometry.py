"""How a board is drawn: the outlines of its territories, its sea lanes, and where names stand.

Lengths are units of the drawing, x to the right and y down. Paths are SVG path data. A drawing
is a JSON file beside the board; `docs/boards.md` lists its fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from rubicon.errors import RubiconError
from rubicon.rules.board.model import BoardParts, Territory
from rubicon.rules.board.paths import box_of
from rubicon.wording import quoted_path


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
    """The drawing of a board. Territories stand in the order of the board."""

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
