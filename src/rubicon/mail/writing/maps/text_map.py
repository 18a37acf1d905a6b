"""The map in plain text: short names where the eye expects them, for any board with a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rubicon.mail.writing.layout.as_text import WIDE
from rubicon.mail.writing.maps.drawings import drawing_of
from rubicon.mail.writing.maps.labels import short_names
from rubicon.rules.board.board import Board

MOST_ROWS = 13
CELLS_A_ROW = 4.4  # territories in a row, about
ARMIES = 5  # columns beside a short name: a space, up to 99 armies, and brackets or an owner
ROW_COST = 8  # a row away is as bad as so many columns


@lru_cache(maxsize=32)
def _places(board: Board) -> tuple[tuple[int, int], ...]:
    """The row and the column of each territory, so that none runs into another."""
    geometry = drawing_of(board)
    labels = short_names(board)
    rows = max(3, min(MOST_ROWS, round(len(labels) / CELLS_A_ROW) + 2))
    discs = [shape["disc"] for shape in geometry["territories"]]
    low, high = min(y for _, y in discs), max(y for _, y in discs)
    west, east = min(x for x, _ in discs), max(x for x, _ in discs)
    wanted = []
    for (x, y), label in zip(discs, labels, strict=True):
        width = len(label) + ARMIES + 1
        row = (y - low) / max(high - low, 1) * (rows - 1)
        share = (x - west) / max(east - west, 1)
        wanted.append((row, share * (WIDE - width), width))
    taken: list[list[tuple[int, int]]] = [[] for _ in range(rows)]
    places: dict[int, tuple[int, int]] = {}
    for t in sorted(range(len(wanted)), key=lambda t: (wanted[t][1], wanted[t][0])):
        row, column, width = wanted[t]
        places[t] = _free(taken, row, column, width)
        taken[places[t][0]].append((places[t][1], places[t][1] + width))
    return tuple(places[t] for t in range(len(wanted)))


def _free(
    taken: Sequence[Sequence[tuple[int, int]]], row: float, column: float, width: int
) -> tuple[int, int]:
    """The free place that is nearest to the wanted one."""
    free = [
        (abs(r - row) * ROW_COST + abs(c - column), r, c)
        for r in range(len(taken))
        for c in range(WIDE - width + 2)  # the last cell needs no gap behind it
        if all(c >= end or c + width <= start for start, end in taken[r])
    ]
    _, r, c = min(free)
    return r, c


def text_map(board: Board, cells: Sequence[str]) -> tuple[str, ...]:
    """The lines of the map; `cells` are the territories in the order of the board."""
    rows: dict[int, list[tuple[int, str]]] = {}
    for (row, column), cell in zip(_places(board), cells, strict=True):
        rows.setdefault(row, []).append((column, cell))
    lines = []
    for row in range(max(rows) + 1):
        line = ""
        for column, cell in sorted(rows.get(row, [])):
            line = (line + " " * max(column - len(line), 1 if line else 0)) + cell
        lines.append(line.rstrip())
    return tuple(lines)
