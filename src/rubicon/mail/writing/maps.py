"""The map of an e-mail: short names, the map in plain text, the picture."""

from __future__ import annotations

import io
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from rubicon.errors import RubiconError
from rubicon.mail.writing.layout import SOLID, WIDE
from rubicon.rules.board.board import Board
from rubicon.rules.board.geometry import Geometry, TerritoryShape, polylines

# The drawings of boards, each read from its file once.


@lru_cache(maxsize=16)
def drawing_of(board: Board) -> Geometry:
    """The drawing of a board; RubiconError (`board/bad-geometry`) where it cannot be read."""
    return board.geometry()


# Short names of territories for maps and tables: each is understood in orders.

SHORTEST, LONGEST = 3, 8  # letters of a name of one word
OF_WORD = 2  # letters of the last of several words


@lru_cache(maxsize=32)
def short_names(board: Board) -> tuple[str, ...]:
    """The short name of each territory, in the order of the board: Ala, W US, G Br."""
    return tuple(_short(board, t) for t in range(len(board.territories)))


def _short(board: Board, t: int) -> str:
    territory = board.territories[t]
    spellings = (territory.name, *territory.aliases)
    candidates = [text for spelling in spellings for text in _shortened(spelling)]
    meant = (text for text in sorted(candidates, key=_cost) if _means(board, text, t))
    return next(meant, territory.name)


def _cost(text: str) -> int:
    """Length without spaces; initials alone say least to the eye, so they count more."""
    letters = text.replace(" ", "")
    shouted = text.isupper() and " " not in text  # an alias such as NWT, which people know
    return len(letters) - shouted + (2 if len(letters) < SHORTEST else 0)


def _shortened(spelling: str) -> list[str]:
    words = spelling.split()
    if len(words) == 1:
        if spelling.isupper():
            return [spelling]
        return [spelling[:n] for n in range(SHORTEST, min(len(spelling), LONGEST) + 1)]
    *first, last = words
    initials = " ".join(word[0] for word in first)
    return [f"{initials} {last[:n]}" for n in range(OF_WORD, min(len(last), LONGEST) + 1)]


def _means(board: Board, text: str, t: int) -> bool:
    try:
        return board.index(text) == t
    except RubiconError:  # it fits several, or none
        return False


# The map in plain text: short names where the eye expects them, for any board with a drawing.

MOST_ROWS = 13
CELLS_A_ROW = 4.4  # territories in a row, about
ARMIES = 5  # columns next to a short name: a space, up to 99 armies, and brackets or an owner
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
        for c in range(WIDE - width + 2)  # the last cell needs no gap after it
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


# The map as a small PNG with a fixed palette, drawn from the board's own geometry.
#
# It is drawn at twice its size and then made smaller, which smooths its lines. The palette has
# every seat's colours and their mixtures with lines and letters, so no colour of a seat is ever
# lost.

WIDTH = 840  # pixels; an e-mail shows it smaller, for screens with fine pixels
SHOWN_WIDTH = 600
SMOOTHING = 2
SEA, SHALLOWS, COAST, LANE = "#bcd4de", "#d3e4eb", "#2b3a47", "#3a5b6b"
HALO, INK = "#ffffff", "#16212c"
SMALL = 16  # units: the name of a territory with less room runs out over the sea
# By colour: land, and letters on it.
LAND = {
    "red": ("#dc8a78", "#2a0d08"),
    "blue": ("#88a9e2", "#0b1a3b"),
    "green": ("#a3d7b4", "#0b2318"),
    "yellow": ("#f8e38a", "#2b2200"),
    "grey": ("#bcc6d0", "#18222b"),
    "black": ("#666c75", "#ffffff"),
    "neutral": ("#efeadd", "#16212c"),
    "nobody": ("#f4f1ea", "#16212c"),
}
# Outlines of the seats' badges, of radius 1, as on the board of the app.
SHAPES: dict[str, tuple[tuple[float, float], ...]] = {
    "red": ((-0.92, -0.86), (0.92, -0.86), (0.92, 0.98), (0, 0.62), (-0.92, 0.98)),
    "yellow": ((0, -1.22), (1.22, 0), (0, 1.22), (-1.22, 0)),
    "grey": (
        (-0.94, -1), (-0.46, -1), (-0.46, -0.74), (-0.24, -0.74), (-0.24, -1), (0.24, -1),
        (0.24, -0.74), (0.46, -0.74), (0.46, -1), (0.94, -1), (0.94, 0.9), (-0.94, 0.9),
    ),
    "black": ((-0.92, -0.9), (0.92, -0.9), (0.92, 0.12), (0.6, 0.72), (0, 1.16), (-0.6, 0.72),
              (-0.92, 0.12)),
    "green": ((-0.94, -0.94), (0.18, -0.94), (0.72, -0.72), (0.94, -0.18), (0.94, 0.94),
              (-0.18, 0.94), (-0.72, 0.72), (-0.94, 0.18)),
}  # fmt: skip
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stand:
    """What is on a territory: its owner's colour and its armies as text."""

    colour: str
    armies: str


def map_picture(board: Board, stands: Sequence[Stand]) -> bytes:
    """The PNG. `stands` are in the order of the board's territories."""
    drawing = _Drawing(board)
    for shape, stand in zip(drawing.geometry["territories"], stands, strict=True):
        drawing.land(shape, stand.colour)
    drawing.lines()
    labels = short_names(board)
    for shape, stand in zip(drawing.geometry["territories"], stands, strict=True):
        drawing.badge(shape, stand)
    # Names are over the badges of neighbours.
    for shape, stand, label in zip(drawing.geometry["territories"], stands, labels, strict=True):
        drawing.name(shape, stand.colour, label)
    drawing.edges(dict(zip((t.id for t in board.territories), labels, strict=True)))
    return drawing.png()


def picture_height(board: Board) -> int:
    """The height at which an e-mail shows the picture, in pixels."""
    geometry = drawing_of(board)
    return round(SHOWN_WIDTH * geometry["height"] / geometry["width"])


@lru_cache(maxsize=2048)
def _lines_of(path: str) -> tuple[tuple[Point, ...], ...]:
    return tuple(tuple(line) for line in polylines(path) if len(line) > 1)


class _Drawing:
    """One picture while it is drawn."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.geometry = drawing_of(board)
        self.scale = WIDTH * SMOOTHING / self.geometry["width"]
        size = WIDTH * SMOOTHING, round(self.geometry["height"] * self.scale)
        self.image = _sea(board, size, self.scale).copy()
        self.draw = ImageDraw.Draw(self.image)
        self.colours = {territory.id: "nobody" for territory in board.territories}

    def land(self, shape: TerritoryShape, colour: str) -> None:
        """A territory in its owner's colour."""
        self.colours[shape["id"]] = colour
        for line in _lines_of(shape["d"]):
            self.draw.polygon(_scaled(line, self.scale), fill=LAND[colour][0])

    def lines(self) -> None:
        """Coasts, borders, lakes and lanes."""
        for shape in self.geometry["territories"]:
            for line in _lines_of(shape["d"]):
                self._line((*line, line[0]), COAST, 1.1)
        for line in _lines_of(self.geometry["borders"]["continent"] or ""):
            self._line(line, COAST, 2.6)
        for line in _lines_of(self.geometry["lakes"] or ""):
            self.draw.polygon(_scaled(line, self.scale), fill=SEA)
        for lane in self.geometry["lanes"]:
            for path in lane["d"]:
                for line in _lines_of(path):
                    self._dotted(line)

    def badge(self, shape: TerritoryShape, stand: Stand) -> None:
        """The owner's badge with the armies."""
        x, y = (part * self.scale for part in shape["disc"])
        radius = 19.5 * self.scale
        # A badge may reach over a narrow territory, as on the board of the app.
        fill, on, _ = SOLID.get(stand.colour, SOLID["neutral"])
        for grown, ground in ((1.3, COAST), (1.16, HALO), (1.0, fill)):
            self._silhouette(stand.colour, (x, y), radius * grown, ground)
        size = 21.5 if len(stand.armies) < 3 else 15
        font = _font(round(size * self.scale))
        self.draw.text((x, y), stand.armies, fill=on, font=font, anchor="mm", stroke_width=1,
                       stroke_fill=on)  # fmt: skip

    def name(self, shape: TerritoryShape, colour: str, label: str) -> None:
        """The short name below the badge."""
        x, y = (part * self.scale for part in shape["disc"])
        afloat = shape["label"]["afloat"] or shape["inradius"] < SMALL
        ground = SHALLOWS if afloat else LAND[colour][0]
        ink = INK if afloat else LAND[colour][1]
        low = y + (34 if colour != "yellow" else 37) * self.scale
        self._words((x, low), label, ink, ground, "mm")

    def edges(self, labels: Mapping[str, str]) -> None:
        """Where a lane runs off the drawing: the name of the territory that it leads to."""
        for lane in self.geometry["lanes"]:
            for edge in lane["edges"]:
                west = edge["x"] < self.geometry["width"] / 2
                text = f"< {labels[edge['to']]}" if west else f"{labels[edge['to']]} >"
                at = edge["x"] * self.scale, (edge["y"] - 20) * self.scale
                at = (6 * self.scale if west else self.image.width - 6 * self.scale, at[1])
                self._words(at, text, LANE, SEA, "lm" if west else "rm")

    def _words(self, at: Point, text: str, ink: str, ground: str, anchor: str) -> None:
        """Bold letters with a halo."""
        font = _font(round(18.5 * self.scale))
        halo = round(2.6 * self.scale)
        self.draw.text(at, text, ground, font, anchor, stroke_width=halo, stroke_fill=ground)
        self.draw.text(at, text, ink, font, anchor, stroke_width=1, stroke_fill=ink)

    def png(self) -> bytes:
        """The picture made smaller, in the fixed palette."""
        small = self.image.reduce(SMOOTHING)
        flat = small.quantize(palette=_palette(), dither=Image.Dither.NONE)
        out = io.BytesIO()
        flat.save(out, "PNG", compress_level=7)
        return out.getvalue()

    def _silhouette(self, colour: str, at: Point, radius: float, fill: str) -> None:
        x, y = at
        outline = SHAPES.get(colour)
        if outline is None:  # a disc, smaller for those who play no turns
            r = radius * (1 if colour == "blue" else 0.86)
            self.draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)
        else:
            self.draw.polygon([(x + a * radius, y + b * radius) for a, b in outline], fill=fill)

    def _line(self, line: Sequence[Point], colour: str, width: float) -> None:
        wide = max(1, round(width * self.scale))
        self.draw.line(_scaled(line, self.scale), fill=colour, width=wide, joint="curve")

    def _dotted(self, line: Sequence[Point]) -> None:
        """A dotted line: a dot every few units."""
        left = 0.0
        radius = 1.3 * self.scale
        for (ax, ay), (bx, by) in itertools.pairwise(line):
            length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
            at = left
            while at < length:
                x = (ax + (bx - ax) * at / length) * self.scale
                y = (ay + (by - ay) * at / length) * self.scale
                self.draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=LANE)
                at += 5.0
            left = at - length


@lru_cache(maxsize=8)
def _sea(board: Board, size: tuple[int, int], scale: float) -> Image.Image:
    """The sea with its shallows, the same for every picture of a board."""
    image = Image.new("RGB", size, SEA)
    draw = ImageDraw.Draw(image)
    for shape in drawing_of(board)["territories"]:
        for line in _lines_of(shape["d"]):
            ring = _scaled((*line, line[0]), scale)
            draw.line(ring, fill=SHALLOWS, width=round(17 * scale), joint="curve")
    return image


def _scaled(line: Sequence[Point], scale: float) -> list[Point]:
    return [(x * scale, y * scale) for x, y in line]


@lru_cache(maxsize=32)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The font that comes with Pillow: the same picture on every machine."""
    return ImageFont.load_default(size)


@lru_cache(maxsize=1)
def _palette() -> Image.Image:
    """256 colours: those of the drawing, and mixtures of those that meet at edges."""
    grounds = [SEA, SHALLOWS, HALO, *(land for land, _ in LAND.values())]
    solids = [fill for fill, _, _ in SOLID.values()]
    pure = [_rgb(text) for text in (*grounds, *solids, COAST, LANE, INK)]
    mixed = []
    for share in (0.5, 0.25, 0.75):
        mixed += [_mix(_rgb(ground), _rgb(COAST), share) for ground in grounds]
        mixed += [_mix(_rgb(solid), _rgb(HALO), share) for solid in solids]
        mixed += [_mix(_rgb(SOLID[c][0]), _rgb(SOLID[c][1]), share) for c in SOLID]
        mixed += [_mix(_rgb(land), _rgb(ink), share) for land, ink in LAND.values()]
    colours = list(dict.fromkeys([*pure, *mixed]))[:256]
    colours += [colours[0]] * (256 - len(colours))
    image = Image.new("P", (1, 1))
    image.putpalette(list(itertools.chain.from_iterable(colours)))
    return image


def _rgb(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _mix(one: tuple[int, ...], other: tuple[int, ...], share: float) -> tuple[int, ...]:
    return tuple(round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
