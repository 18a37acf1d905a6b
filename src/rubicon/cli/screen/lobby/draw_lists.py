"""The lists of tables: own games, and tables with free seats."""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.cli.hosted.clocks import time_left
from rubicon.cli.hosted.listing import (
    A_MOVE,
    free_seats,
    heading,
    pace_of,
    people_of,
    progress_of,
    seconds_left,
    waits_for,
)
from rubicon.cli.screen.canvas import Canvas, Look, columns
from rubicon.cli.screen.draw.parts import badge, quiet, strong
from rubicon.cli.screen.lobby.lobby_scene import LobbyScene
from rubicon.cli.terminal.display.output import LETTERS
from rubicon.client.answer_types import FoundAnswer

LEFT = 5  # columns before a badge
GAP = 2
MOST = 200  # characters of one fact that a server tells


@dataclass(frozen=True, slots=True)
class Widths:
    """The columns of a row; what has none is left out."""

    title: int
    rules: int
    state: int
    clock: int
    people: int


def widths_of(width: int) -> Widths:
    """The columns for a screen; the rest is for the people."""
    if width >= 110:
        fixed = Widths(28, 20, 24, 15, 0)
    elif width >= 80:
        fixed = Widths(15, 9, 21, 8, 0)
    else:
        fixed = Widths(14, 0, 21, 8, 0)
    used = (
        LEFT
        + 4
        + sum(size + GAP for size in (fixed.title, fixed.rules, fixed.state, fixed.clock) if size)
    )
    rest = width - used - 1
    return Widths(fixed.title, fixed.rules, fixed.state, fixed.clock, rest if rest >= 7 else 0)


def draw_lists(canvas: Canvas, scene: LobbyScene, top: int, bottom: int) -> None:
    """Both lists in the rows from `top` to before `bottom`; the selected table is always there."""
    rows = _rows(scene)
    height = bottom - top
    at = next((y for y, row in enumerate(rows) if row == scene.selected), 0)
    first = max(0, min(at - height // 2, len(rows) - height))
    widths = widths_of(canvas.width)
    for y, row in enumerate(rows[first : first + height], top):
        if isinstance(row, int):
            _table_row(canvas, scene, y, row, widths)
        elif row.startswith(" "):
            canvas.put(LEFT, y, row.strip(), quiet(scene.theme))
        else:
            canvas.put(1, y, row, Look(scene.theme["ink"], bold=True))
    if first + height < len(rows):
        canvas.put(canvas.width - 8, bottom - 1, " ↓ more", strong(scene.theme))


def _rows(scene: LobbyScene) -> list[str | int]:
    """Headings, and the numbers of tables from 0."""
    listing = scene.listing
    mine, free = len(listing.mine), len(listing.free)
    nothing = "none yet" if scene.seen else "asking the server …"
    return [
        heading("Your games", mine, listing.mine_count),
        *(range(mine) if mine else [f" {nothing}"]),
        "",
        heading("Open tables", free, listing.free_count),
        *(range(mine, mine + free) if free else [f" {nothing}"]),
    ]


def _table_row(canvas: Canvas, scene: LobbyScene, y: int, number: int, widths: Widths) -> None:
    theme, table = scene.theme, scene.listing.tables[number]
    chosen = number == scene.selected
    if chosen:
        canvas.fill(0, y, canvas.width, 1, Look(None, theme["accent-wash"]))
        canvas.put(0, y, "›", strong(theme))
    canvas.put(1, y, f"{number + 1:>3}", strong(theme) if chosen else quiet(theme))
    if table["your_seat"] in LETTERS:
        canvas.line(LEFT, y, badge(theme, str(table["your_seat"])))
    mine = table["your_seat"] is not None
    ink = Look(theme["ink"], bold=chosen)
    x = _cell(canvas, LEFT + 4, y, table["title"], widths.title, ink)
    rules = f"{table['ruleset']['name']}, {progress_of(table)}".removesuffix(", ")
    if mine and widths.rules < 20:
        rules = progress_of(table) or table["ruleset"]["name"]
    x = _cell(canvas, x, y, rules, widths.rules, quiet(theme, 2))
    x = _cell(canvas, x, y, waits_for(table), widths.state, _state_look(scene, table))
    clock = clock_shown(table, scene.now)
    clock = clock if len(clock) <= widths.clock else clock.removesuffix(A_MOVE)
    x = _cell(canvas, x, y, clock, widths.clock, quiet(theme, 2))
    people = people_of(table)
    if len(people) > widths.people:
        others = sum(not seat["free"] for seat in table["seats"]) - 1
        people = f"{people.partition(',')[0]} +{others}" if others > 0 else people
    _cell(canvas, x, y, people, widths.people, ink)


def clock_shown(table: FoundAnswer, now: float) -> str:
    """The time that is left where a clock runs, else the time for a move."""
    seconds = seconds_left(table, now)
    return pace_of(table["clock"]) if seconds is None else time_left(seconds)


def _state_look(scene: LobbyScene, table: FoundAnswer) -> Look:
    if table["needs_you"]:
        return strong(scene.theme)
    if table["state"] == "lobby" and free_seats(table):
        return Look(scene.theme["good"])
    return quiet(scene.theme, 2)


def _cell(canvas: Canvas, x: int, y: int, text: str, width: int, look: Look) -> int:
    """A text cut to a width; returns the column of the next one."""
    if not width:
        return x
    shown = columns(text[:MOST])
    canvas.put(x, y, shown if len(shown) <= width else shown[: width - 1] + "…", look)
    return x + width + GAP
