"""The three layouts: map and panel, map alone, borders without a map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rubicon.cli.screen.canvas import Canvas, Cell, Look, Part, is_at_least, page, quiet, strong
from rubicon.cli.screen.panel import (
    defence_rows,
    dice_row,
    figure,
    log,
    log_rows,
    losses,
    moving_in,
    name_of,
    panel,
    place,
)
from rubicon.cli.screen.parts import (
    badge,
    keys,
    prompt,
    put_cards,
    rule,
    seats_line,
    seats_strip,
    under_prompt,
)
from rubicon.cli.screen.scene import ScreenScene
from rubicon.cli.screen.typed_line import STOPS, chance_at, threat_to
from rubicon.cli.screen.world import neighbours_in
from rubicon.cli.terminal.board import map_name
from rubicon.cli.terminal.choices import percent
from rubicon.cli.terminal.console import LETTERS
from rubicon.cli.terminal.narration import is_attack
from rubicon.engine.records import Phase
from rubicon.rules.situation import capital_due, phase_shown, phase_words

# The borders as a table: the whole game where there is no room for a map.

ENEMY, TAKE, THREAT = 20, 45, 52  # columns
LIKELY = 0.5  # a chance from which it stands out


@dataclass(frozen=True, slots=True)
class BorderRow:
    """One own territory with one enemy over the border; `first`: it names the own one."""

    own: int
    foe: int
    first: bool
    take: float | None  # None where one army may not attack
    threat: float | None


def viewer(scene: ScreenScene) -> str:
    """The seat whose borders are shown; "" for who only looks on."""
    return scene.asked or next((seat.colour for seat in scene.seats if seat.you), "")


def border_rows(scene: ScreenScene, seat: str) -> list[BorderRow]:
    """Every border with an enemy: the selected territory first, then by own armies and chance."""
    rows = []
    own = [t for t, holder in enumerate(scene.holders) if holder.owner == seat]
    own.sort(key=lambda t: (t != scene.desk.selected, -scene.holders[t].armies))
    stop = STOPS[scene.desk.stop_number]
    for t in own:
        near = neighbours_in(scene.game, t)
        foes = [n for n in near if scene.holders[n].owner not in (seat, "nobody")]
        chances = {n: chance_at(scene.game, scene.view, t, n, stop) for n in foes}
        for number, foe in enumerate(sorted(foes, key=lambda n: (-chances[n], n))):
            back = threat_to(scene.game, scene.view, foe, t)
            rows.append(
                BorderRow(
                    own=t,
                    foe=foe,
                    first=not number,
                    take=chances[foe] if scene.holders[t].armies != 1 else None,
                    threat=back if scene.holders[foe].armies != 1 else None,
                )
            )
    return rows


def inside(scene: ScreenScene, seat: str, rows: list[BorderRow]) -> str:
    """The own territories without an enemy next to them."""
    known = {row.own for row in rows}
    return ", ".join(
        f"{name_of(scene, t)} {holder.armies}"
        for t, holder in enumerate(scene.holders)
        if holder.owner == seat and t not in known
    )


def borders(canvas: Canvas, scene: ScreenScene, y: int, height: int) -> None:
    """Draw the table with its heads, a page of it; who only looks on sees the log instead."""
    seat = viewer(scene)
    if not seat:
        log(canvas, scene, 1, y, height)
        return
    heads = ((1, "yours"), (ENEMY, "enemy over the border"), (TAKE, "take"), (THREAT, "threat"))
    for x, title in heads:
        canvas.put(x, y, title, quiet(scene.theme))
    rows = border_rows(scene, seat)
    room = max(1, height - 2)
    first = min(scene.first_border, max(0, len(rows) - room))
    for number, row in enumerate(rows[first : first + room], 1):
        _border(canvas, scene, y + number, row, named=row.first or number == 1)
    last = f"{min(len(rows), first + room)} of {len(rows)} borders"
    last += ", PgDn: more" if len(rows) > first + room else ""
    end = canvas.width - len(last) - 1
    canvas.put(end, y + height - 1, last, quiet(scene.theme))
    hidden = inside(scene, seat, rows)
    if hidden:
        canvas.put(1, y + height - 1, f"Inside: {hidden}"[: end - 3], quiet(scene.theme, 2))


def _border(canvas: Canvas, scene: ScreenScene, y: int, row: BorderRow, *, named: bool) -> None:
    theme = scene.theme
    if named:
        mark = "▸" if row.own == scene.desk.selected else " "
        holder = scene.holders[row.own]
        canvas.line(0, y, (mark, strong(theme)), name_of(scene, row.own)[:12])
        canvas.line(13, y, badge(theme, holder.owner, str(holder.armies)))
    text, look = figure(scene, row.foe)
    canvas.line(ENEMY, y, (f" {text:3}", look), f" {name_of(scene, row.foe)[:18]}")
    for x, chance, stands in ((TAKE, row.take, "accent-text"), (THREAT + 1, row.threat, "bad")):
        likely = chance is not None and chance >= LIKELY
        text = "–" if chance is None else percent(chance)
        canvas.put(x, y, f"{text:>4}", Look(theme[stands if likely else "ink-2"], bold=likely))


# The first row: the game, the phases of a turn, the clock of whoever is to move.

TRACKED = 80  # columns from which all phases of a turn are shown, not only that of now
SETUP, TURN = ("Claim", "Place", "Play"), ("Reinforce", "Attack", "Fortify")
STEPS = {
    Phase.CLAIM: (SETUP, 0),
    Phase.PLACE: (SETUP, 1),
    Phase.SEALED: (SETUP, 1),
    Phase.REINFORCE: (TURN, 0),
    Phase.ATTACK: (TURN, 1),
    Phase.OCCUPY: (TURN, 1),
    Phase.TRADE: (TURN, 1),
    Phase.FORTIFY: (TURN, 2),
}
GAP = "  "


def steps_of(scene: ScreenScene) -> tuple[tuple[str, ...], int]:
    """The phases that follow one another, and which of them it is; a single one is on its own."""
    game, view = scene.game, scene.view
    if game.over:
        return ("Game over",), 0
    phase = phase_shown(view)
    words = phase_words(game.ruleset, view)
    single = words[:1].upper() + words[1:]
    if phase == Phase.DEFEND and not scene.asked:
        phase = Phase.ATTACK  # of the player who is looked at
    if phase == Phase.HEADQUARTERS or capital_due(game.ruleset, view):
        return (single, "Place", "Play"), 0
    return STEPS.get(phase, ((single,), 0))


def track(scene: ScreenScene, *, whole: bool) -> list[Part]:
    """The phases: a tick for those that are over; the current one stands out."""
    theme = scene.theme
    names, now = steps_of(scene)
    chosen = Look(theme["on-accent"], theme["accent"], bold=True, reverse=not theme.colours)
    seen = chosen if scene.asked else Look(theme["ink"], bold=True)
    parts: list[Part] = []
    for number, name in enumerate(names):
        if number == now:
            parts += [(f" {name} ", seen), GAP]
        elif whole:
            text = f"✓ {name}" if number < now else name
            parts += [(text, quiet(theme)), GAP]
    return parts[:-1] if parts else []


def width_of(parts: list[Part]) -> int:
    """The columns of parts."""
    return sum(len(part if isinstance(part, str) else part[0]) for part in parts)


def title_of(scene: ScreenScene) -> str:
    """The rules, the board unless it is the world, and the round."""
    game = scene.game
    board = game.ruleset.board.name
    number = int(scene.view.round_number)
    parts = [
        game.ruleset.title,
        "" if board == "World" else board,
        f"round {number}" if number else "set-up",
    ]
    return " · ".join(part for part in parts if part)


def clock_of(scene: ScreenScene) -> str:
    """The clock of the seat that is asked, else of the one whose turn it is."""
    own = (seat.clock for seat in scene.seats if seat.colour == scene.asked)
    return next(own, "") or next((seat.clock for seat in scene.seats if seat.active), "")


def top_line(canvas: Canvas, scene: ScreenScene) -> None:
    """Draw the row."""
    theme = scene.theme
    end = canvas.width - 1
    if clock := clock_of(scene):
        end -= len(clock)
        canvas.put(end, 0, clock, strong(theme))
        end -= len(GAP)
    parts = track(scene, whole=canvas.width >= TRACKED)
    start = end - width_of(parts)
    name = "Rubicon" + GAP if canvas.width >= TRACKED else ""
    title = title_of(scene)
    if start < len("▚ " + name + title) + 2:
        name = ""
    room = max(0, start - len("▚ " + name) - 2)
    canvas.line(1, 0, ("▚ " + name, strong(theme)), (title[:room], quiet(theme, 2)))
    canvas.line(start, 0, *parts)


SMALL = (80, 24)
WIDE = (120, 40)
PANEL = 33  # columns next to a large map
MapRows = Callable[[int, int], list[list[Cell]]]  # the map at a width and a height


@dataclass(frozen=True, slots=True)
class Box:
    """Where the map is on the screen."""

    x: int
    y: int
    width: int
    height: int


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
    """The place of the panel next to a large map."""
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
    """The last line of the log; if that is an attack, its last roll."""
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
