"""The borders as a table: the whole game where there is no room for a map."""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.cli.screen.canvas import Canvas, Look
from rubicon.cli.screen.draw.decisions import figure, name_of
from rubicon.cli.screen.draw.panel import log
from rubicon.cli.screen.draw.parts import badge, quiet, strong
from rubicon.cli.screen.map.tints import neighbours_in
from rubicon.cli.screen.odds import STOPS, chance_at, threat_to
from rubicon.cli.screen.scene import ScreenScene
from rubicon.cli.terminal.display.defence import percent

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
    """The own territories without an enemy beside them."""
    known = {row.own for row in rows}
    return ", ".join(
        f"{name_of(scene, t)} {holder.armies}"
        for t, holder in enumerate(scene.holders)
        if holder.owner == seat and t not in known
    )


def borders(canvas: Canvas, scene: ScreenScene, y: int, height: int) -> None:
    """Draw the table with its heads, a page of it; who only looks on sees the story instead."""
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
