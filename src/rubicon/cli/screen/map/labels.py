"""Where figures and names stand on the map: no figure is left out, a name may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rubicon.cli.screen.map.world import World

NUDGES = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (2, 0), (-2, 0), (1, 1), (-1, -1), (3, 0))
Spot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Placed:
    """A text on the map, with its first cell."""

    text: str
    x: int
    y: int

    def spots(self, margin: int = 0) -> set[Spot]:
        """Its cells, and so many beside it."""
        return {(x, self.y) for x in range(self.x - margin, self.x + len(self.text) + margin)}


def place_figures(world: World, texts: Sequence[str]) -> list[Placed]:
    """The figures of all territories, each on its disc or as near as there is room."""
    taken: set[Spot] = set()
    placed = []
    for t, text in enumerate(texts):
        figure = _figure(world, t, text, taken)
        taken |= figure.spots()
        placed.append(figure)
    return placed


def _figure(world: World, t: int, text: str, taken: set[Spot]) -> Placed:
    column, row = world.disc(t)
    choices = []
    for right, down in NUDGES:
        x = max(0, min(world.width - len(text), column + right - len(text) // 2))
        choices.append(Placed(text, x, max(0, min(world.height - 1, row + down))))
    return next((choice for choice in choices if not choice.spots() & taken), choices[0])


def place_names(
    world: World, figures: Sequence[Placed], names: Mapping[int, Sequence[str]]
) -> dict[int, Placed]:
    """The names for which there is room, at the first free of eight places beside their figures.

    `names` has the forms of a name, the longest first; those of the first territories go first.
    """
    taken: set[Spot] = set()
    for figure in figures:
        taken |= figure.spots()
    found: dict[int, Placed] = {}
    for t, forms in names.items():
        free = (
            spot
            for form in forms
            for spot in _beside(figures[t], form)
            if _inside(world, spot) and not spot.spots() & taken
        )
        if (spot := next(free, None)) is not None:
            found[t] = spot
            taken |= spot.spots(margin=1)
    return found


def _beside(figure: Placed, text: str) -> list[Placed]:
    """The eight places: above, below, right, left, then the corners."""
    middle = figure.x + (len(figure.text) - len(text)) // 2
    right, left = figure.x + len(figure.text), figure.x - len(text)
    return [
        Placed(text, middle, figure.y - 1),
        Placed(text, middle, figure.y + 1),
        Placed(text, right, figure.y),
        Placed(text, left, figure.y),
        Placed(text, right, figure.y - 1),
        Placed(text, right, figure.y + 1),
        Placed(text, left, figure.y + 1),
        Placed(text, left, figure.y - 1),
    ]


def _inside(world: World, spot: Placed) -> bool:
    return 0 <= spot.x <= world.width - len(spot.text) and 0 <= spot.y < world.height
