"""The map as a small PNG with a fixed palette, drawn from the board's own geometry.

It is drawn at twice its size and then made smaller, which smooths its lines. The palette has every
seat's colours and their mixtures with lines and letters, so no colour of a seat is ever lost.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from rubicon.mail.writing.layout.as_html import SOLID
from rubicon.mail.writing.maps.drawings import drawing_of
from rubicon.mail.writing.maps.labels import short_names
from rubicon.rules.board.board import Board
from rubicon.rules.board.geometry import TerritoryShape
from rubicon.rules.board.paths import polylines

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
    """What stands on a territory: its owner's colour and its armies as text."""

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
    # Names stand over the badges of neighbours.
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
