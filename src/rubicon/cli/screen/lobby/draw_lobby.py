"""The screen of a server: its name, the tables or one of them, the prompt, the keys of now."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rubicon.cli.hosted.listing import people_of, progress_of, waits_for
from rubicon.cli.screen.canvas import Canvas, Look, Part, columns
from rubicon.cli.screen.draw.parts import answer_rows, badge, foot, page, quiet, strong
from rubicon.cli.screen.lobby.draw_lists import clock_shown, draw_lists
from rubicon.cli.screen.lobby.draw_room import draw_room
from rubicon.cli.screen.lobby.lobby_scene import LobbyScene, opens
from rubicon.cli.screen.story import Reply
from rubicon.cli.terminal.display.output import LETTERS
from rubicon.wording import printable

BELOW = 2  # rows under the prompt
KEPT = "Nothing is done twice, and what you type now is kept."
MOST = 200  # characters of one fact that a server tells


def draw_lobby(scene: LobbyScene, replies: Sequence[Reply], width: int, height: int) -> Canvas:
    """The screen at a size."""
    canvas = page(width, height, scene.theme)
    _top(canvas, scene)
    bottom = height - BELOW - 2  # the row of the prompt
    trouble = _trouble(scene)
    end = bottom - len(trouble) - bool(trouble)
    draw = draw_room if scene.waiting else draw_lists
    draw(canvas, scene, 2, end)
    for y, (text, look) in enumerate(trouble, end):
        canvas.put(1, y, text, look)
    _prompt(canvas, scene, bottom)
    under = answer_rows(scene.theme, replies, width, stays=bool(scene.typed))
    for y, parts in enumerate((under or _hint(scene, width - 2))[:BELOW], bottom + 1):
        canvas.line(1, y, *parts)
    foot(canvas, scene.theme, keys_of(scene), height - 1)
    return canvas


def _top(canvas: Canvas, scene: LobbyScene) -> None:
    theme = scene.theme
    state = "○ reconnecting" if scene.away else "○ trouble" if scene.trouble else "● connected"
    state = state if scene.seen or scene.trouble else "○ connecting"
    look = Look(theme["warn"]) if scene.trouble else quiet(theme, 2)
    end = canvas.width - len(state) - 1
    server = columns(scene.server)[: max(0, end - 14)]
    at = canvas.line(
        1, 0, ("▚ Rubicon   ", strong(theme)), (server, Look(theme["ink"], bold=True)), "   "
    )
    name = columns(f"signed in as {scene.name}") if scene.name else ""
    canvas.put(at, 0, name[: max(0, end - at - 1)], quiet(theme, 2))
    canvas.put(end, 0, state, look)


def _trouble(scene: LobbyScene) -> list[tuple[str, Look]]:
    """The amber line, and what it means for the person."""
    if not scene.trouble:
        return []
    theme = scene.theme
    shown = "table" if scene.waiting else "tables"
    seen = f" You see the {shown} of {scene.time_seen}." if scene.seen else ""
    why = "Connection lost, trying again." if scene.away else scene.trouble[:MOST]
    return [(f"! {why}{seen}", Look(theme["warn"])), (f"  {KEPT}", quiet(theme, 2))]


def _prompt(canvas: Canvas, scene: LobbyScene, y: int) -> None:
    theme = scene.theme
    canvas.fill(0, y, canvas.width, 1, Look(theme["ink"], theme["card"]))
    at = canvas.line(0, y, badge(theme, colour_of(scene)), ("› ", strong(theme)))
    room = canvas.width - at - 1
    text, cursor = columns(scene.typed), len(columns(scene.typed[: scene.cursor]))
    first = max(0, cursor - room + 1)
    canvas.put(at, y, text[first : first + room], Look(theme["ink"], bold=True))
    caret = at + cursor - first
    if not text:
        canvas.put(caret, y, proposal_of(scene), quiet(theme))
    under = canvas.rows[y][min(caret, canvas.width - 1)].sign
    canvas.put(caret, y, under, Look(theme["card"], theme["ink"], reverse=not theme.colours))


def colour_of(scene: LobbyScene) -> str:
    """The colour of the own seat at the table that is meant; `nobody` without one."""
    table = scene.room.table if scene.waiting and scene.room is not None else scene.chosen
    colour = table["your_seat"] if table is not None else None
    return colour if colour in LETTERS else "nobody"


def proposal_of(scene: LobbyScene) -> str:
    """What Enter sends on an empty line, as the prompt shows it."""
    if scene.busy:
        return "…"
    if scene.waiting:
        return "start" if scene.may_start else ""
    return str(scene.selected + 1) if scene.chosen is not None else ""


def _hint(scene: LobbyScene, width: int) -> list[list[Part]]:
    """What the line does, or what can be done now, in rows of a width."""
    table, look = scene.chosen, quiet(scene.theme)
    if table is None or scene.busy or (scene.typed and not scene.typed.isdecimal()):
        return [[(part, look)] for part in textwrap.wrap(_advice(scene), width)]
    facts = (
        table["title"],
        table["ruleset"]["title"],
        progress_of(table),
        waits_for(table),
        clock_shown(table, scene.now),
        people_of(table),
    )
    text = " · ".join(printable(fact[:MOST]) for fact in facts if fact)
    does = f"= {opens(table)} "
    rows = textwrap.wrap(text, width, initial_indent=" " * len(does), subsequent_indent="  ")
    grey = quiet(scene.theme, 2)
    found: list[list[Part]] = [[(row, grey)] for row in rows]
    found[:1] = [[(does, Look(scene.theme["ink"], bold=True)), (rows[0].strip(), grey)]]
    return found


def _advice(scene: LobbyScene) -> str:
    if scene.busy:
        return "The server is asked …"
    if scene.waiting:
        return _hint_of_room(scene)
    if scene.typed:
        return "new revised 4 · new classic 3 bots · join LINK · watch LINK"
    return "N opens a table: new revised 4, or new classic 3 bots."


def _hint_of_room(scene: LobbyScene) -> str:
    if scene.may_start:
        return "All seats are taken. Enter starts the game."
    if scene.may_seat_bots:
        return "You wait for players. bot fills one seat, bots fills all and starts the game."
    return "The host starts the game when all seats are taken."


def keys_of(scene: LobbyScene) -> list[tuple[str, str]]:
    """The keys that do something now."""
    if scene.busy:
        return [("Ctrl-C", "leave")]
    if scene.typed:
        return [("Enter", "do it"), ("↑ ↓", "earlier"), ("Esc", "clear")]
    if scene.waiting:
        found = [("Enter", "start")] if scene.may_start else []
        if scene.may_seat_bots:
            found += [("B", "bot")]
        found += [("S", "say")] if scene.room is not None else []
        return [*found, ("R", "refresh"), ("?", "help"), ("Esc", "back")]
    table, several = scene.chosen, len(scene.listing.tables) > 1
    found = [("Enter", opens(table))] if table is not None else []
    found += [("↑ ↓", "choose")] if several else []
    found += [("N", "new"), ("J", "join"), ("W", "watch"), ("R", "refresh")]
    return [*found, ("?", "help"), ("Esc", "leave")]
