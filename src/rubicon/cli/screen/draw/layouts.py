"""The three layouts: map and panel, map alone, borders without a map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rubicon.cli.screen.canvas import Canvas, Cell, Look
from rubicon.cli.screen.draw.panel import panel, rule
from rubicon.cli.screen.draw.parts import (
    badge,
    keys,
    page,
    prompt,
    quiet,
    seats_line,
    seats_strip,
    strong,
    top_line,
    under_prompt,
)
from rubicon.cli.screen.map.tints import neighbours_of
from rubicon.cli.screen.odds import STOPS, chance_at
from rubicon.cli.screen.scene import ScreenScene
from rubicon.cli.terminal.display.codes import map_name
from rubicon.cli.terminal.display.defence import percent
from rubicon.cli.terminal.display.output import LETTERS
from rubicon.cli.terminal.display.status import hand_lines, set_track

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
    panel(canvas, scene, max(box.width, left), box.y, canvas.height - 2 - box.y)
    plates(canvas, scene, 1, below)
    canvas.put(1, below + 2, cards_text(scene)[: left - 2], quiet(scene.theme, 2))
    rule(canvas, scene, 0, below + 3, left)
    prompt(canvas, scene, below + 4, left)
    under_prompt(canvas, scene, below + 5, *below_prompt(canvas.width, canvas.height))


def _small(canvas: Canvas, scene: ScreenScene, box: Box, rows: MapRows) -> None:
    seats_line(canvas, scene, 1)
    canvas.paste(box.x, box.y, rows(box.width, box.height))
    below = box.y + box.height
    targets(canvas, scene, below)
    last_event(canvas, scene, below + 1)
    prompt(canvas, scene, below + 2, canvas.width)
    under_prompt(canvas, scene, below + 3, *below_prompt(canvas.width, canvas.height))
    if scene.question:
        _question(canvas, scene, below)


def _tiny(canvas: Canvas, scene: ScreenScene) -> None:
    seats_line(canvas, scene, 1)
    bottom = canvas.height - 4
    borders(canvas, scene, 2, bottom - 4)
    if scene.question:
        _question(canvas, scene, bottom - 1)
    last_event(canvas, scene, bottom - 1)
    prompt(canvas, scene, bottom, canvas.width)
    under_prompt(canvas, scene, bottom + 1, canvas.width, 2)


def _question(canvas: Canvas, scene: ScreenScene, below: int) -> None:
    """The defender's question, on a card above the prompt."""
    lines = scene.question
    y = below - len(lines)
    canvas.fill(0, y, canvas.width, len(lines) + 1, Look(None, scene.theme["card"]))
    for row, line in enumerate(lines):
        canvas.put(1, y + row, line[: canvas.width - 2], Look(scene.theme["ink"]))


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


def cards_text(scene: ScreenScene) -> str:
    """The viewer's hand and the worth of the next set, in one line."""
    game, view = scene.game, scene.view
    parts = []
    if scene.hand and view.round_number:
        parts += hand_lines(game, view, game.seat(scene.hand))
    seat = game.seat(scene.asked) if scene.asked else int(view.turn)
    return " · ".join(filter(None, [set_track(game, view, seat), *parts]))


def targets(canvas: Canvas, scene: ScreenScene, y: int) -> None:
    """The selected territory and its targets in one row."""
    desk, theme = scene.desk, scene.theme
    if not scene.asked or desk.selected is None:
        canvas.put(1, y, cards_text(scene)[: canvas.width - 2], quiet(theme, 2))
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
    """The last line of the story."""
    if scene.events:
        canvas.put(1, y, scene.events[-1][: canvas.width - 2], quiet(scene.theme, 2))


def borders(canvas: Canvas, scene: ScreenScene, y: int, height: int) -> None:
    """Own territories with their enemies: the chance to take each, and its chance to take ours."""
    theme, seat = scene.theme, scene.asked or next((s.colour for s in scene.seats if s.you), "")
    for x, title in ((1, "yours"), (22, "enemy over the border"), (45, "take"), (52, "threat")):
        canvas.put(x, y, title, quiet(theme))
    board = scene.game.ruleset.board
    near = neighbours_of(board)
    own = [t for t, holder in enumerate(scene.holders) if holder.owner == seat]
    own.sort(key=lambda t: (t != scene.desk.selected, -scene.holders[t].armies))
    stop, end = STOPS[scene.desk.stop_number], y + height
    for t in own:
        foes = [n for n in near[t] if scene.holders[n].owner != seat]
        chances = {n: chance_at(scene.game, scene.view, t, n, stop) for n in foes[:6]}
        for number, foe in enumerate(sorted(chances, key=lambda n: -chances[n])):
            y += 1
            if y > end:
                return
            if not number:
                mark = "▸" if t == scene.desk.selected else " "
                name = f"{map_name(board.territories[t].name)[:14]:14}"
                figure = badge(theme, seat, str(scene.holders[t].armies))
                canvas.line(0, y, (mark, strong(theme)), name, figure)
            holder = scene.holders[foe]
            look = Look(theme[f"{holder.owner}-on"], theme[holder.owner], bold=True)
            figure_text = f" {LETTERS[holder.owner]}{holder.armies} "
            canvas.line(
                22, y, (figure_text, look), f" {map_name(board.territories[foe].name)[:15]}"
            )
            back = chance_at(scene.game, scene.view, foe, t, STOPS[-1])
            good = Look(theme["accent-text" if chances[foe] >= 0.5 else "ink-2"])
            canvas.put(45, y, f"{percent(chances[foe]):>4}", good)
            canvas.put(53, y, f"{percent(back):>4}", Look(theme["bad" if back >= 0.5 else "ink-2"]))
