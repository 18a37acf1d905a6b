"""The three layouts: map and panel, map alone, borders without a map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rubicon.cli.screen.canvas import Canvas, Cell, Look
from rubicon.cli.screen.draw.borders import borders
from rubicon.cli.screen.draw.decisions import defence_rows, moving_in
from rubicon.cli.screen.draw.dice import dice_row, losses, place
from rubicon.cli.screen.draw.hand import put_cards
from rubicon.cli.screen.draw.panel import log_rows, panel
from rubicon.cli.screen.draw.parts import (
    badge,
    keys,
    page,
    prompt,
    quiet,
    rule,
    seats_line,
    seats_strip,
    strong,
    under_prompt,
)
from rubicon.cli.screen.draw.top import top_line
from rubicon.cli.screen.scene import ScreenScene
from rubicon.cli.terminal.display.codes import map_name
from rubicon.cli.terminal.display.narration import is_attack
from rubicon.cli.terminal.display.output import LETTERS

LEAST = (60, 20)  # columns and rows of the full screen
SMALL = (80, 24)
WIDE = (120, 40)
PANEL = 33  # columns beside a large map
MapRows = Callable[[int, int], list[list[Cell]]]  # the map at a width and a height


@dataclass(frozen=True, slots=True)
class Box:
    """Where the map stands on the screen."""

    x: int
    y: int
    width: int
    height: int


def is_at_least(width: int, height: int, size: tuple[int, int]) -> bool:
    """Whether a terminal has this size."""
    return width >= size[0] and height >= size[1]


def map_box(width: int, height: int) -> Box | None:
    """The place of the map in a terminal; None where there is no room for one."""
    if is_at_least(width, height, WIDE):
        rows = height - 12
        columns = min(width - PANEL - 1, rows * 86 // 28)
        return Box(0, 3, columns, rows)
    if is_at_least(width, height, SMALL):
        rows = height - 8
        return Box(0, 2, min(width, rows * 5), rows)
    return None


def panel_box(width: int, height: int) -> Box:
    """The place of the panel beside a large map."""
    box = map_box(width, height)
    x = max(width - PANEL - 1, box.width if box is not None else 0)
    return Box(x, 3, width - x, height - 5)


def below_prompt(width: int, height: int) -> tuple[int, int]:
    """The columns and rows for answers below the prompt."""
    return (width - PANEL - 1, 3) if is_at_least(width, height, WIDE) else (width, 2)


def draw(scene: ScreenScene, width: int, height: int, rows: MapRows) -> Canvas:
    """The screen at this size."""
    canvas = page(width, height, scene.theme)
    top_line(canvas, scene)
    box = None if scene.borders else map_box(width, height)
    if box is None:
        _tiny(canvas, scene)
    elif is_at_least(width, height, WIDE):
        _wide(canvas, scene, box, rows)
    else:
        _small(canvas, scene, box, rows)
    keys(canvas, scene, height - 1)
    return canvas


def _wide(canvas: Canvas, scene: ScreenScene, box: Box, rows: MapRows) -> None:
    seats_strip(canvas, scene, 1)
    canvas.paste(box.x, box.y, rows(box.width, box.height))
    below = box.y + box.height
    left = canvas.width - PANEL - 1
    beside = panel_box(canvas.width, canvas.height)
    panel(canvas, scene, beside.x, beside.y, beside.height)
    plates(canvas, scene, 1, below)
    put_cards(canvas, scene, 1, below + 2, left - 2)
    rule(canvas, scene.theme, 0, below + 3, left)
    prompt(canvas, scene, below + 4, left)
    under_prompt(canvas, scene, below + 5, *below_prompt(canvas.width, canvas.height))


def _small(canvas: Canvas, scene: ScreenScene, box: Box, rows: MapRows) -> None:
    seats_line(canvas, scene, 1)
    canvas.paste(box.x, box.y, rows(box.width, box.height))
    below = box.y + box.height
    _two_rows(canvas, scene, below)
    prompt(canvas, scene, below + 2, canvas.width)
    under_prompt(canvas, scene, below + 3, canvas.width, 2)


def _two_rows(canvas: Canvas, scene: ScreenScene, y: int) -> None:
    """What is decided, in the two rows above the prompt; a defence is a card over them."""
    if question := defence_rows(scene):
        top = y + 2 - len(question)
        canvas.fill(0, top, canvas.width, len(question), Look(None, scene.theme["card"]))
        for row, parts in enumerate(question):
            canvas.line(1, top + row, *parts)
    elif taken := moving_in(scene):
        canvas.line(1, y, *taken[0])
        canvas.line(1, y + 1, ("Move in  ", quiet(scene.theme)), *taken[1], "   ", *taken[2])
    else:
        targets(canvas, scene, y)
        last_event(canvas, scene, y + 1)


def _tiny(canvas: Canvas, scene: ScreenScene) -> None:
    seats_line(canvas, scene, 1)
    bottom = canvas.height - 4
    borders(canvas, scene, 2, bottom - 3)
    if scene.question or moving_in(scene):
        canvas.fill(0, bottom - 2, canvas.width, 2)
        _two_rows(canvas, scene, bottom - 2)
    else:
        last_event(canvas, scene, bottom - 1)
    prompt(canvas, scene, bottom, canvas.width)
    under_prompt(canvas, scene, bottom + 1, canvas.width, 2)


def plates(canvas: Canvas, scene: ScreenScene, x: int, y: int) -> None:
    """The continents: bonus, and a letter for the owner of each territory, the largest first."""
    theme = scene.theme
    continents = scene.game.ruleset.board.continents
    columns = max(1, -(-len(continents) // 2))
    each = max(20, (canvas.width - PANEL - 2) // columns)
    for number, continent in enumerate(continents[: columns * 2]):
        owners = [scene.holders[t].owner for t in continent.territories]
        owners.sort(key=lambda owner: (-owners.count(owner), owner))
        name = map_name(continent.name)[:9]
        at = canvas.line(
            x + number % columns * each,
            y + number // columns,
            (f"{name:9}", quiet(theme, 2)),
            (f" +{continent.bonus} ", Look(theme["ink"], bold=True)),
        )
        for owner in owners:
            look = Look(theme[f"{owner}-on"], theme[owner], bold=True)
            at = canvas.line(at, y + number // columns, (LETTERS[owner], look))


def targets(canvas: Canvas, scene: ScreenScene, y: int) -> None:
    """The selected territory and its targets in one row."""
    desk, theme = scene.desk, scene.theme
    if not scene.asked or desk.selected is None:
        put_cards(canvas, scene, 1, y, canvas.width - 2)
        return
    names = [map_name(t.name) for t in scene.game.ruleset.board.territories]
    holder = scene.holders[desk.selected]
    x = canvas.line(
        1, y, badge(theme, holder.owner, str(holder.armies)), f" {names[desk.selected]}"
    )
    for number, t in enumerate(desk.targets()):
        holder, chance = scene.holders[t], scene.marks.chips.get(t, "")
        text = f"{LETTERS[holder.owner]}{holder.armies}"
        if x + len(text) + len(names[t]) + len(chance) + 5 > canvas.width:
            break
        if not number:
            x = canvas.line(x, y, (" → ", strong(theme)))
        look = Look(theme[f"{holder.owner}-on"], theme[holder.owner], bold=True)
        name = Look(theme["ink"], bold=t == desk.target)
        x = canvas.line(x, y, (text, look), (f" {names[t]} ", name), (chance, strong(theme)), "  ")


def last_event(canvas: Canvas, scene: ScreenScene, y: int) -> None:
    """The last line of the story; if that is an attack, its last roll."""
    theme = scene.theme
    line = next((line for line in reversed(scene.events) if line), "")
    dice = dice_row(scene)
    if dice and scene.roll is not None and is_attack(line):
        at = canvas.line(1, y, *dice, (f" {place(scene, scene.roll)}  ", quiet(theme, 2)))
        canvas.line(at, y, *losses(scene))
        return
    for colour, text in log_rows(line, canvas.width - 6)[:1]:
        at = canvas.line(1, y, badge(theme, colour), " ") if colour else 1
        canvas.put(at, y, text, quiet(theme, 2))
