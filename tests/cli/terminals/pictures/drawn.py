"""The cells of a terminal as HTML, so that a browser takes a picture of them."""

from __future__ import annotations

import html
from itertools import groupby

from tests.cli.terminals.screen_terminal import Shown

# The eight names that a terminal gives its own colours; all others are written as numbers.
OWN = {
    "black": "#000000",
    "red": "#cd3131",
    "green": "#0dbc79",
    "brown": "#b5890b",
    "blue": "#2472c8",
    "magenta": "#bc3fbc",
    "cyan": "#11a8cd",
    "white": "#e5e5e5",
}
CELL = 9.03  # pixels that a sign of the font is wide
PAPER, INK = "#101418", "#d8dee4"  # of a dark terminal
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: {paper}; }}
pre {{ margin: 0; font: 15px "DejaVu Sans Mono"; color: {ink}; }}
div {{ height: 18px; line-height: 18px; overflow: hidden; }}
span {{ display: inline-block; height: 18px; vertical-align: top; overflow: hidden; }}
</style><pre>{rows}</pre>"""
Style = tuple[str, str, bool]


def page_of(cells: Shown) -> str:
    """A page that shows the cells, each where it stands in the terminal."""
    rows = "".join(f"<div>{_row(row)}</div>" for row in cells)
    return PAGE.format(paper=PAPER, ink=INK, rows=rows)


def _row(row: list[tuple[str, str, str, bool, bool]]) -> str:
    cells = [(cell[0], _style(cell), _alone(column, cell[0])) for column, cell in enumerate(row)]
    runs = groupby(cells, key=lambda cell: cell[1:])
    return "".join(_run("".join(sign for sign, _, _ in run), *key[0]) for key, run in runs)


def _alone(column: int, sign: str) -> int:
    """Its column for a sign that may come from another font, and be wider; -1 for any other."""
    return -1 if sign.isascii() else column


def _run(text: str, ink: str, ground: str, bold: bool) -> str:
    # The width is given, since a sign from another font may be wider than a cell.
    style = f"color:{ink};background:{ground};width:{len(text) * CELL}px"
    weight = ";font-weight:700" if bold else ""
    return f'<span style="{style}{weight}">{html.escape(text)}</span>'


def _style(cell: tuple[str, str, str, bool, bool]) -> Style:
    _, ink, ground, bold, reverse = cell
    front, back = _colour(ink, INK), _colour(ground, PAPER)
    return (back, front, bold) if reverse else (front, back, bold)


def _colour(name: str, usual: str) -> str:
    if name == "default":
        return usual
    return OWN.get(name.removeprefix("bright"), f"#{name}")
