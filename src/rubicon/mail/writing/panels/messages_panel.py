"""What the players have written to each other since the recipient last decided."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from rubicon.mail.writing.layout.document import Panel, Paragraph, Strong, Tile, Words
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.seats import harmless
from rubicon.table.service.chat import ChatLine, lines_for
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import ANSWERS

MOST_MESSAGES = 20  # the newest
MOST_READ = 500


def messages_since(connection: Connection, game: str, seat: str) -> tuple[ChatLine, ...]:
    """The messages of others to the seat, or to all, since its last decision."""
    log = schema.log.c
    decided = (
        select(log.at)
        .where(log.game == game, log.seat == seat)
        .where(log.kind.in_([kind.value for kind in ANSWERS]))
        .order_by(log.log_index.desc())
        .limit(1)
    )
    since = connection.execute(decided).scalar() or 0
    columns = schema.chat.c
    older = select(columns.id).where(columns.game == game, columns.at <= since)
    last = connection.execute(older.order_by(columns.id.desc()).limit(1)).scalar() or 0
    found = lines_for(connection, game, seat, last, MOST_READ)
    return tuple(line for line in found if line.seat != seat)[-MOST_MESSAGES:]


def messages_panel(scene: Scene, lines: Sequence[ChatLine]) -> Panel:
    """Each message with its sender; nothing where there is none."""
    blocks = tuple(Paragraph(_words(scene, line), bullet=True) for line in lines)
    answer = "To answer: PRESS TO and a colour (or ALL), your words on the next lines, ENDPRESS."
    return Panel((*blocks, Paragraph(answer, quiet=True)) if blocks else (), "Messages")


def _words(scene: Scene, line: ChatLine) -> Words:
    to = " to you" if line.to else ""
    who = scene.seats.subject(line.seat) if line.seat else "A former player"
    tile = (Tile(line.seat), " ") if line.seat else ()
    return (*tile, Strong(f"{who}{to}"), f": {harmless(line.text)}")
