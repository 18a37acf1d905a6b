"""A picture of a board as SVG, drawn from the board's own geometry."""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from rubicon.rules.board.board import Board
from rubicon.rules.board.geometry import Geometry, TerritoryShape

# Land colours, one for each continent in the order of the board; light enough for black names.
FILLS = ("#e8c878", "#e2a07c", "#a9c4de", "#d6b48c", "#b3cf9c", "#cdaed2", "#9fd0c5", "#d9d38f")
SEA = "#f4f7f9"
LINE = "#5b6670"
FONT = 11  # units of the drawing; the world is 1200 wide
LINE_HEIGHT = 12
DOT = 2.5


def picture(board: Board) -> str:
    """The SVG; raises what `Board.geometry` raises."""
    return "\n".join(_lines(board, board.geometry())) + "\n"


def _lines(board: Board, geometry: Geometry) -> Iterator[str]:
    width, height = geometry["width"], geometry["height"]
    fills = {each.id: FILLS[each.continent % len(FILLS)] for each in board.territories}
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif" font-size="{FONT}" text-anchor="middle">'
    )
    yield f"<title>{escape(board.title or board.name)}</title>"
    yield f'<rect width="100%" height="100%" fill="{SEA}"/>'
    lanes = "".join(path for lane in geometry["lanes"] for path in lane["d"])
    yield f'<path d="{lanes}" fill="none" stroke="{LINE}" stroke-dasharray="4 4"/>'
    for territory in geometry["territories"]:
        fill = fills[territory["id"]]
        yield f'<path d="{territory["d"]}" fill="{fill}" stroke="{LINE}" stroke-width="0.7"/>'
    for territory in geometry["territories"]:
        yield _label(territory)
    yield f'<text x="{width / 2:g}" y="{height - 8:g}">{escape(geometry["credit"])}</text>'
    yield "</svg>"


def _label(territory: TerritoryShape) -> str:
    """A dot, and below it the name of the territory in the lines that its drawing asks for."""
    label = territory["label"]
    x, y = territory["disc"]
    left = x + label["dx"]
    top = y + DOT + FONT + label["dy"]
    spans = "".join(
        f'<tspan x="{left:g}" y="{top + LINE_HEIGHT * i:g}">{escape(text)}</tspan>'
        for i, text in enumerate(label["lines"])
    )
    return f'<circle cx="{x:g}" cy="{y:g}" r="{DOT}" fill="{LINE}"/><text>{spans}</text>'
