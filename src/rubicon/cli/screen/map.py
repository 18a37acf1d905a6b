"""The map as cells: land in the owners' colours, names, armies, marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rubicon.cli.screen.canvas import Canvas, Cell, Look, Theme, mix, readable
from rubicon.cli.screen.world import SEA, SHALLOW, World
from rubicon.cli.terminal.board import codes, count_text, map_name
from rubicon.cli.terminal.console import LETTERS

# Where figures and names are on the map: no figure is left out, a name may be.

NUDGES = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (2, 0), (-2, 0), (1, 1), (-1, -1), (3, 0))
Spot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Placed:
    """A text on the map, with its first cell."""

    text: str
    x: int
    y: int

    def spots(self, margin: int = 0) -> set[Spot]:
        """Its cells, and so many next to it."""
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
    # Where all places are taken two figures overlap: one that is left out would be worse.
    return next((choice for choice in choices if not choice.spots() & taken), choices[0])


def place_names(
    world: World, figures: Sequence[Placed], names: Mapping[int, Sequence[str]]
) -> dict[int, Placed]:
    """The names for which there is room, at the first free of eight places next to their figures.

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
            # A column apart: two names that touch read as one.
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


# The map is drawn.

DRAWN_BACK = 0.36  # the part of the sea in land that is not meant
LONG_NAMES_FROM = 84  # columns of a map that has names instead of codes


@dataclass(frozen=True, slots=True)
class Holder:
    """The owner of a territory, by name, and its armies; -1 where they are hidden.

    `signs` stand for a city, a capital, an airfield there.
    """

    owner: str
    armies: int
    signs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What the map points out: the selected territory, chips instead of names, drafts.

    `lit` are the territories that are not drawn back; None: all of them. `own` is the viewer's
    owner name, whose figures are reversed without colours.
    """

    selected: int | None = None
    chips: Mapping[int, str] = field(default_factory=dict)
    placed: Mapping[int, int] = field(default_factory=dict)
    lit: frozenset[int] | None = None
    own: str = ""


NO_MARKS = Marks()


def draw_map(
    world: World, holders: Sequence[Holder], theme: Theme, marks: Marks = NO_MARKS
) -> list[list[Cell]]:
    """The rows of the map."""
    canvas = Canvas(world.width, world.height, Look(theme["ink"], theme["sea"]))
    if theme.outlines:
        _outlines(canvas, world, theme)
    else:
        _land(canvas, world, theme, _grounds(world, holders, theme, marks))
    for (column, row), sign in world.routes.items():
        canvas.put(column, row, sign, Look(theme["sea-ink"]))
    _labels(canvas, world, holders, theme, marks)
    return canvas.rows


def _grounds(world: World, holders: Sequence[Holder], theme: Theme, marks: Marks) -> dict[int, str]:
    sea = theme["sea"] or "#000000"
    grounds = {SEA: sea, SHALLOW: theme["shallow"] or sea}
    for t, holder in enumerate(holders):
        colour = theme.shades[holder.owner][world.tints[t]]
        back = marks.lit is not None and t not in marks.lit and theme.mixed
        grounds[t] = mix(colour, sea, DRAWN_BACK) if back else colour
    return grounds


def _land(canvas: Canvas, world: World, theme: Theme, grounds: Mapping[int, str]) -> None:
    looks: dict[tuple[int, int], Look] = {}
    for row, line in enumerate(world.land):
        for column, land in enumerate(line):
            key = land.front, land.back
            if key not in looks:
                ink = theme["ink"] if land.front == land.back else grounds[land.front]
                looks[key] = Look(ink, grounds[land.back])
            canvas.rows[row][column] = Cell(land.sign, looks[key])


def _outlines(canvas: Canvas, world: World, theme: Theme) -> None:
    for (column, row), sign in world.outlines.items():
        canvas.put(column, row, sign, Look(theme["ink-3"]))


def figure_text(holder: Holder, theme: Theme, world: World) -> str:
    """The letter of the owner and the armies: `B9`; with edges of its own on a large map."""
    if holder.owner == "nobody":
        return f"·{holder.signs}"
    text = LETTERS[holder.owner] + count_text(holder.armies) + holder.signs
    if world.width < LONG_NAMES_FROM:
        return text
    return f"▕{text}▏" if holder.owner == "black" and theme.name == "dark" else f" {text} "


def _labels(
    canvas: Canvas, world: World, holders: Sequence[Holder], theme: Theme, marks: Marks
) -> None:
    texts = [figure_text(holder, theme, world) for holder in holders]
    figures = place_figures(world, texts)
    names = _forms(world, theme, marks)
    placed = place_names(world, figures, names)
    for t, name in placed.items():
        _name(canvas, name, _name_look(t, holders[t], theme, marks), theme)
    for t, figure in enumerate(figures):
        canvas.put(figure.x, figure.y, figure.text, _figure_look(holders[t], theme, marks))
        if marks.placed.get(t):
            look = Look(theme["on-accent"], theme["accent"], bold=True)
            below = figure.y + 1 if figure.y + 1 < world.height else figure.y - 1
            canvas.put(figure.x, below, f"+{marks.placed[t]}", look)


def _forms(world: World, theme: Theme, marks: Marks) -> dict[int, list[str]]:
    """The forms of every name, what is marked first, since the first find room."""
    short = codes(world.board)
    wide = world.width >= LONG_NAMES_FROM
    forms: dict[int, list[str]] = {}
    for t, territory in enumerate(world.board.territories):
        kinds = [map_name(territory.name), short[t]] if wide else [short[t]]
        if t == marks.selected:
            kinds = [f"▸{kind}◂" for kind in kinds]
        elif t in marks.chips:
            chip = marks.chips[t]
            kinds = [f"[{chip}]" if not theme.colours else f" {chip} ", chip]
        forms[t] = kinds
    first = [t for t in forms if t == marks.selected or t in marks.chips]
    return {t: forms[t] for t in dict.fromkeys((*first, *forms))}


def _name_look(t: int, holder: Holder, theme: Theme, marks: Marks) -> Look | None:
    """The look of a name that is marked; None for one that takes the ground below it."""
    if t == marks.selected:
        return Look(theme["card"], theme["ink"], bold=True, reverse=not theme.colours)
    if t in marks.chips:
        return Look(theme["on-accent"], theme["accent"], bold=True)
    back = marks.lit is not None and t not in marks.lit and theme.mixed
    return None if back else Look(theme[f"{holder.owner}-name"])


def _name(canvas: Canvas, name: Placed, look: Look | None, theme: Theme) -> None:
    for number, sign in enumerate(name.text):
        x = name.x + number
        if look is not None and (look.ground or look.reverse):
            canvas.put(x, name.y, sign, look)
            continue
        under = canvas.rows[name.y][x]
        ground = _ground(under, theme)
        on_sea = ground in (theme["sea"], theme["shallow"])
        ink = theme["sea-ink"] if on_sea else look.ink if look else readable(ground or "#000000")
        canvas.put(x, name.y, sign, Look(ink, ground))


def _ground(under: Cell, theme: Theme) -> str | None:
    """The ground that a sign is on: that of the land in the cell, if there is any."""
    seas = (theme["sea"], theme["shallow"], theme["sea-ink"])
    if under.sign == " " or under.look.ink in seas or theme.outlines:
        return under.look.ground
    return under.look.ink


def _figure_look(holder: Holder, theme: Theme, marks: Marks) -> Look:
    if not theme.colours:
        return Look(bold=True, reverse=holder.owner == marks.own)
    if holder.owner == "nobody":
        return Look(theme["nobody-name"])
    return Look(theme[f"{holder.owner}-on"], theme[holder.owner], bold=True)
