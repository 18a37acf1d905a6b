"""A table until its game starts: who sits there, how others come, what they say."""

from __future__ import annotations

import textwrap

from rubicon.cli.screen.canvas import Canvas, Look, columns
from rubicon.cli.screen.draw.parts import badge, quiet, strong
from rubicon.cli.screen.lobby.lobby_scene import LobbyScene
from rubicon.cli.terminal.display.output import LETTERS
from rubicon.client.answer_types import ChatAnswer, PlaceAnswer
from rubicon.wording import printable

LEFT = 3
MOST_INVITES = 10
MOST_NAME = 18  # characters of a ruleset or a board
MOST = 2000  # characters of one line that a server tells


def draw_room(canvas: Canvas, scene: LobbyScene, top: int, bottom: int) -> None:
    """The table in the rows from `top` to before `bottom`; the chat has what is left."""
    theme, room = scene.theme, scene.room
    if room is None:
        canvas.put(LEFT, top, "asking the server …", quiet(theme))
        return
    table = room.table
    rules, board = (table[part].partition(" ")[0][:MOST_NAME] for part in ("ruleset", "board"))
    about = printable(f"{rules} on {board}")
    title = columns(table["title"][:MOST])[: canvas.width - len(about) - 6]
    heading = Look(theme["ink"], bold=True)
    canvas.line(1, top, (title, heading), (f"   {about}", quiet(theme, 2)))
    y = top + 1
    for seat in table["seats"][: max(0, bottom - y - 3)]:
        _seat(canvas, scene, y, seat)
        y += 1
    if room.invites:
        y += 1
    for line in room.invites[:MOST_INVITES]:
        for part in textwrap.wrap(printable(line[:MOST]), canvas.width - LEFT - 2):
            if y < bottom - 1:
                canvas.put(LEFT, y, part, quiet(theme, 2))
                y += 1
    said = [part for line in room.chat for part in _chat_rows(line, canvas.width - LEFT - 2)]
    height = max(0, bottom - y - 1)
    for row, part in enumerate(said[-height:] if height else [], y + 1):
        canvas.put(LEFT, row, part, Look(theme["ink"]))


def _seat(canvas: Canvas, scene: LobbyScene, y: int, seat: PlaceAnswer) -> None:
    theme, x = scene.theme, LEFT
    if seat["colour"] in LETTERS:
        x = canvas.line(x, y, badge(theme, seat["colour"]))
    if seat["free"]:
        canvas.put(x + 1, y, "free", Look(theme["good"]))
        return
    yours = scene.room is not None and scene.room.table["your_seat"] == seat["colour"]
    who = "bot" if seat["bot"] is not None else "you" if yours else ""
    about = ", ".join(word for word in (who, "host" if seat["host"] else "") if word)
    name = columns(seat["name"][:MOST])[: canvas.width - 20]
    look = strong(theme) if yours else Look(theme["ink"], bold=True)
    canvas.line(x + 1, y, (name, look), (f"  {about}", quiet(theme)))


def _chat_rows(line: ChatAnswer, width: int) -> list[str]:
    to = f" to {line['to']}" if line["to"] else ""
    said = printable(f"{line['seat'] or 'somebody'}{to} says: {line['text']}"[:MOST])
    return textwrap.wrap(said, width, subsequent_indent="  ")
