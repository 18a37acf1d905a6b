"""Makes the scene of a pending e-mail: its game, the names of all seats, the recipient's place."""

from __future__ import annotations

import json

from sqlalchemy import Connection, func, select

from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.seats import Seats, shown_name
from rubicon.server.accounts.notification_preferences import NotificationPreferences
from rubicon.server.mail.outbox import PendingEmail
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.masters import GAME_MASTER
from rubicon.table.settings import Settings
from rubicon.table.storage import schema


def scene_of(
    pending: PendingEmail, snapshot: Snapshot, at: int, site: str, connection: Connection
) -> Scene:
    """The scene; `site` is the server's URL without a slash at its end, `at` in ms since 1970."""
    preferences = pending.preferences
    return Scene(
        snapshot=snapshot,
        title=pending.title,
        settings=Settings.read(json.loads(pending.settings)),
        seats=seats_of(connection, snapshot, pending.seat),
        at=at,
        zone_name=preferences.timezone,
        site=site,
    )


def seats_of(connection: Connection, snapshot: Snapshot, you: str) -> Seats:
    """The names of a game's seats."""
    seat = schema.seat.c
    wanted = select(seat.colour, seat.name).where(seat.game == snapshot.id)
    stored = {row.colour: row.name for row in connection.execute(wanted)}
    colours = snapshot.game().colours
    names = {colour: shown_name(stored.get(colour, ""), colour) for colour in colours}
    rebels = snapshot.ruleset.options["rebels.setup"] != "none"
    return Seats(
        you=you,
        names=names,
        bots=frozenset(snapshot.bots) | frozenset(snapshot.server_bots),
        outsiders="the rebels" if rebels else "neutral armies",
    )


def pending_of(connection: Connection, game: str, seat: str, number: int, at: int) -> PendingEmail:
    """What an e-mail that answers no notification is written for: the seat, and its owner."""
    own, account, table = schema.seat.c, schema.account.c, schema.game.c
    owner = table.master if seat == GAME_MASTER else own.account
    wanted = (
        select(table.title, table.head, table.settings.label("table_settings"))
        .add_columns(func.coalesce(own.name, account.name).label("name"))
        .add_columns(account.id.label("account"), account.email, account.settings)
        .select_from(schema.game)
        .outerjoin(schema.seat, (own.game == table.id) & (own.colour == seat))
        .outerjoin(schema.account, account.id == owner)
        .where(table.id == game)
    )
    row = connection.execute(wanted).one()
    return PendingEmail(
        id=number,
        game=game,
        seat=seat,
        kind="answer",
        body={},
        at=at,
        sent=0,
        title=row.title,
        settings=row.table_settings,
        head=row.head,
        account=row.account or "",
        name=row.name or "",
        address=row.email or "",
        wanted=True,
        push=False,
        log_index=row.head,
        preferences=NotificationPreferences.read(json.loads(row.settings or "{}")),
    )
