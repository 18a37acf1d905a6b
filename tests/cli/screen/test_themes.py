"""The colours of the full screen: land of two seats is told apart by every kind of eyes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pytest

from rubicon.cli.screen.canvas import DARK, FEW, LIGHT, NONE, SIXTEEN, Theme, mix, theme_for

SEATS = ("red", "blue", "green", "yellow", "grey", "black")
Matrix = Sequence[Sequence[float]]
Lab = tuple[float, float, float]
EYES: dict[str, Matrix] = {  # Machado, Oliveira and Fernandes 2009, severity 1, on linear light
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1.0, 1.08883)
TEXT_INKS = ("ink", "ink-2", "ink-3", "accent-text", "good", "bad", "warn")
LEAST_APART = {LIGHT.name: 10.5, DARK.name: 9.7, FEW.name: 5.1}  # CIEDE2000


def linear(colour: str) -> list[float]:
    """A colour as linear light."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    """A matrix times a vector."""
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(light: Sequence[float]) -> Lab:
    """Linear light in CIELAB."""
    parts = times(XYZ, [min(1.0, max(0.0, c)) for c in light])
    scaled = (value / white for value, white in zip(parts, WHITE, strict=True))
    x, y, z = (math.cbrt(v) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def cosine(degrees: float) -> float:
    """The cosine of an angle in degrees."""
    return math.cos(math.radians(degrees))


def ciede2000(one: Lab, other: Lab) -> float:
    """How far apart two colours look (CIE 142:2001)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean7 = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    g = 1.5 - 0.5 * math.sqrt(mean7 / (mean7 + 25**7))
    c1, c2 = math.hypot(a1 * g, b1), math.hypot(a2 * g, b2)
    h1 = math.degrees(math.atan2(b1, a1 * g)) % 360
    h2 = math.degrees(math.atan2(b2, a2 * g)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue)
    t += 0.32 * cosine(3 * hue + 6) - 0.2 * cosine(4 * hue - 63)
    light = (l2 - l1) / (1 + 0.015 * (lm - 50) ** 2 / math.sqrt(20 + (lm - 50) ** 2))
    chroma = (c2 - c1) / (1 + 0.045 * cm)
    tone = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * cm * t)
    angle = 60 * math.exp(-(((hue - 275) / 25) ** 2))
    twist = -2 * math.sqrt(cm**7 / (cm**7 + 25**7)) * math.sin(math.radians(angle))
    return math.sqrt(light**2 + chroma**2 + tone**2 + twist * chroma * tone)


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", [LIGHT, DARK, FEW], ids=lambda theme: theme.name)
def test_land_of_two_seats_is_never_alike(theme: Theme, eyes: str) -> None:
    labs = {
        seat: [lab(times(EYES[eyes], linear(shade))) for shade in theme.shades[seat]]
        for seat in SEATS
    }
    apart = min(
        ciede2000(one, other)
        for first, second in itertools.combinations(SEATS, 2)
        for one, other in itertools.product(labs[first], labs[second])
    )
    assert apart >= LEAST_APART[theme.name]


def test_each_terminal_gets_the_theme_that_it_can_show() -> None:
    systems = ("truecolor", "256", "standard", None)
    assert [theme_for(system, "dark") for system in systems] == [DARK, FEW, SIXTEEN, NONE]
    assert theme_for("truecolor", "light") is LIGHT


def test_a_mixed_colour_lies_between_its_two() -> None:
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    assert mix("#102030", "#ffffff", 0.0) == "#102030"


TEXTS = [(ink, ground) for ink in TEXT_INKS for ground in ("paper", "card")]
TEXTS += [(f"{seat}-on", seat) for seat in (*SEATS, "neutral")]
TEXTS += [("on-accent", "accent"), ("ink", "accent-wash"), ("sea-ink", "sea")]
LEAST_CONTRAST = 4.5  # WCAG 2.2, 1.4.3: text of any size


def luminance(colour: str | None) -> float:
    """The relative luminance of a colour (WCAG 2.2)."""
    assert colour is not None
    return times(XYZ, linear(colour))[1]


@pytest.mark.parametrize("theme", [LIGHT, DARK, FEW], ids=lambda theme: theme.name)
def test_every_text_can_be_read_on_its_ground(theme: Theme) -> None:
    for ink, ground in TEXTS:
        light, dark = sorted((luminance(theme[ink]), luminance(theme[ground])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= LEAST_CONTRAST, (ink, ground)
