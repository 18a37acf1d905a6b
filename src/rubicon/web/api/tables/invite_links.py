"""The link by which people are invited to a table, as text and as a QR code."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TypedDict
from urllib.parse import quote

import segno
from sqlalchemy import Connection, select

from rubicon.server.server import Server
from rubicon.table.errors import TableError
from rubicon.table.lobby.seats import LOBBY, check_host, is_secret, seats_of
from rubicon.table.lobby.spectators import watched_from
from rubicon.table.lobby.table_request import Access
from rubicon.table.storage import schema

QR_SCALE = 8  # pixels of a module
QR_BORDER = 4  # modules that must stay white around the code


class InviteView(TypedDict):
    """The links of a table; `url` is null for a private one, `seats` has those of its free seats.

    `qr` and the links lead to this server under its public URL. `email` and `seat_emails` are the
    addresses at which somebody without a browser asks for the same seats; null and empty where the
    server takes no e-mails.
    """

    access: str
    url: str | None
    seats: dict[str, str]
    qr: str
    email: str | None
    seat_emails: dict[str, str]


@dataclass(frozen=True, slots=True)
class TableInvites:
    """The access of a table, and the secrets that the asker may see."""

    access: str
    table: str | None
    seats: dict[str, str]


def table_url(server: Server, game: str, invite: str | None = None) -> str:
    """The page of a table, with an invite if it needs one."""
    query = "" if invite is None else f"?invite={quote(invite)}"
    return f"{server.url}/games/{game}{query}"


def invites_of(
    connection: Connection, game: str, account: str | None, invite: str | None
) -> TableInvites:
    """The secrets of a table's links, for its host and for those who have the link already.

    NoSuchGame where the table is not visible; TableError `lobby/not-host` for others at a table
    that is not open.
    """
    watched_from(connection, game, account, invite)
    row = connection.execute(select(schema.game).where(schema.game.c.id == game)).one()
    if row.access == Access.OPEN:
        return TableInvites(row.access, None, {})
    if row.access == Access.LINK and is_secret(invite, row.invite):
        return TableInvites(row.access, row.invite, {})
    check_host(row, account or "")
    seats = {s.colour: s.invite for s in seats_of(connection, game) if s.free and s.invite}
    return TableInvites(row.access, row.invite, seats if row.state == LOBBY else {})


def invite_view(server: Server, game: str, found: TableInvites) -> InviteView:
    """The links as URLs."""
    private = found.access == Access.PRIVATE
    return {
        "access": found.access,
        "url": None if private else table_url(server, game, found.table),
        "seats": {colour: table_url(server, game, s) for colour, s in found.seats.items()},
        "qr": f"{server.url}/api/v1/tables/{game}/qr.svg",
        "email": _address(server, None if private else found.table),
        "seat_emails": {
            colour: address
            for colour, secret in found.seats.items()
            if (address := _address(server, secret)) is not None
        },
    }


def _address(server: Server, invite: str | None) -> str | None:
    """Where an invite is answered by e-mail; None for an open table, which has no secret."""
    return (server.invitation_address(invite) or None) if invite is not None else None


def qr_svg(server: Server, game: str, found: TableInvites, seat: str | None) -> str:
    """The QR code of the table's link, or of the one of a free seat, as SVG."""
    view = invite_view(server, game, found)
    url = view["url"] if seat is None else view["seats"].get(seat)
    if url is None:
        message = "There is no such link at this table."
        free = ", ".join(found.seats) or "none"
        raise TableError("lobby/private", message, f"Name a free seat: ?seat=… ({free}).")
    image = io.BytesIO()
    segno.make_qr(url, error="m").save(
        image,
        kind="svg",
        scale=QR_SCALE,
        border=QR_BORDER,
        light="#fff",
        xmldecl=False,
        nl=False,
        title=url,
    )
    return image.getvalue().decode()
