"""The cells of a screen as a picture for the documentation: SVG that loads nothing."""

from __future__ import annotations

from collections import defaultdict
from html import escape
from itertools import groupby

from rubicon.cli.screen.canvas import Canvas, Cell
from rubicon.cli.screen.world import QUADRANTS

WIDTH, HEIGHT = 9, 18  # of a cell, in pixels
BARS = " ▁▂▃▄▅▆▇█"
PAPER, INK = "#0e151c", "#eef2f5"
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">\n'
    "<style>text {{ font: 15px 'DejaVu Sans Mono', Menlo, Consolas, monospace; "
    "white-space: pre; }} .b {{ font-weight: bold; }}</style>\n"
)


def picture_of(canvas: Canvas) -> str:
    """The picture: grounds and blocks as one path for each colour, signs as text."""
    paths: dict[str, list[str]] = defaultdict(list)
    texts: list[str] = []
    for y, row in enumerate(canvas.rows):
        x = 0
        for ground, run in groupby(row, key=ground_of):
            cells = list(run)
            if ground != PAPER:
                paths[ground].append(_box(x * WIDTH, y * HEIGHT, len(cells) * WIDTH, HEIGHT))
            x += len(cells)
        for x, cell in enumerate(row):
            for box in blocks_of(cell, x, y):
                paths[ink_of(cell)].append(box)
        texts += _texts(row, y)
    width, height = canvas.width * WIDTH, canvas.height * HEIGHT
    page = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    areas = [f'<path fill="{colour}" d="{"".join(boxes)}"/>' for colour, boxes in paths.items()]
    head = HEAD.format(width=width, height=height)
    return head + "\n".join([page, *areas, *texts, "</svg>"]) + "\n"


def ground_of(cell: Cell) -> str:
    """The colour behind a sign."""
    return (cell.look.ink if cell.look.reverse else cell.look.ground) or PAPER


def ink_of(cell: Cell) -> str:
    """The colour of a sign."""
    return (cell.look.ground if cell.look.reverse else cell.look.ink) or INK


def blocks_of(cell: Cell, x: int, y: int) -> list[str]:
    """The boxes of a sign that is made of blocks; [] for any other."""
    left, top = x * WIDTH, y * HEIGHT
    if cell.sign != " " and cell.sign in BARS:
        high = BARS.index(cell.sign) * HEIGHT // 8
        return [_box(left, top + HEIGHT - high, WIDTH, high)]
    if cell.sign == " " or cell.sign not in QUADRANTS:
        return []
    bits, half = QUADRANTS.index(cell.sign), WIDTH // 2
    return [
        _box(left + right * half, top + down * HEIGHT // 2, WIDTH - half if right else half, 9)
        for k, (right, down) in enumerate(((0, 0), (1, 0), (0, 1), (1, 1)))
        if bits >> k & 1
    ]


def _box(x: int, y: int, width: int, height: int) -> str:
    return f"M{x} {y}h{width}v{height}h-{width}z"


def _texts(row: list[Cell], y: int) -> list[str]:
    """The words of a row; each begins where it stands in the terminal."""
    found, x = [], 0
    for look, run in groupby(row, key=lambda cell: (ink_of(cell), cell.look.bold)):
        signs = "".join(" " if blocks_of(cell, 0, 0) else cell.sign for cell in run)
        begin, ink, bold = x, *look
        x += len(signs)
        for word in words_of(signs):
            at, text = word
            kind = ' class="b"' if bold else ""
            length = len(text) * WIDTH
            found.append(
                f'<text x="{(begin + at) * WIDTH}" y="{y * HEIGHT + 14}" fill="{ink}"{kind} '
                f'textLength="{length}">{escape(text)}</text>'
            )
    return found


def words_of(signs: str) -> list[tuple[int, str]]:
    """The pieces of a text between two or more spaces, each with its column."""
    found, at = [], 0
    for piece in signs.split("  "):
        text = piece.strip()
        if text:
            found.append((at + piece.index(text), text))
        at += len(piece) + 2
    return found
