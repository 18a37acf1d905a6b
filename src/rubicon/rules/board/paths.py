"""SVG paths as points: the commands M, L, Q, C and Z, absolute or relative."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

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
    """The points of a line or a curve behind its first."""
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
