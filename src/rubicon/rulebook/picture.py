"""A picture of a board as SVG, drawn from the board's own geometry."""

from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape

from rubicon.rules.board.board import Board

# Land colours, one for each continent in the order of the board; light enough for black names.
FILLS = ("#e8c878", "#e2a07c", "#a9c4de", "#d6b48c", "#b3cf9c", "#cdaed2", "#9fd0c5", "#d9d38f")
SEA = "#f4f7f9"
LINE = "#5b6670"
FONT = 11  # units of the drawing; the world is 1200 wide
LINE_HEIGHT = 12
DOT = 2.5


def picture(board: Board) -> str:
    """The SVG, or "" for a board without geometry; raises what `Board.geometry` raises."""
    geometry = board.geometry()
    return "" if geometry is None else "\n".join(_lines(board, geometry)) + "\n"


def _lines(board: Board, geometry: Mapping[str, Any]) -> Iterator[str]:
    width, height = geometry["width"], geometry["height"]
    fills = {each.id: FILLS[i % len(FILLS)] for i, each in enumerate(board.continents)}
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif" font-size="{FONT}" text-anchor="middle">'
    )
    yield f"<title>{escape(board.title or board.name)}</title>"
    yield f'<rect width="100%" height="100%" fill="{SEA}"/>'
    lanes = "".join(path for lane in geometry.get("lanes", ()) for path in lane["d"])
    yield f'<path d="{lanes}" fill="none" stroke="{LINE}" stroke-dasharray="4 4"/>'
    for territory in geometry["territories"]:
        fill = fills[territory["continent"]]
        yield f'<path d="{territory["d"]}" fill="{fill}" stroke="{LINE}" stroke-width="0.7"/>'
    for territory in geometry["territories"]:
        yield _label(board, territory)
    yield f'<text x="{width / 2:g}" y="{height - 8:g}">{escape(geometry.get("credit", ""))}</text>'
    yield "</svg>"


def _label(board: Board, territory: Mapping[str, Any]) -> str:
    """A dot, and below it the name of the territory in the lines that its drawing asks for."""
    label = territory.get("label") or {}
    lines = label.get("lines") or [board.territories[board.index(territory["id"])].name]
    x, y = (float(part) for part in territory["disc"])
    left = x + float(label.get("dx", 0))
    top = y + DOT + FONT + float(label.get("dy", 0))
    spans = "".join(
        f'<tspan x="{left:g}" y="{top + LINE_HEIGHT * i:g}">{escape(text)}</tspan>'
        for i, text in enumerate(lines)
    )
    return f'<circle cx="{x:g}" cy="{y:g}" r="{DOT}" fill="{LINE}"/><text>{spans}</text>'
