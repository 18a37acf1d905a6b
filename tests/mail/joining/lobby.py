"""A table that waits for players, on a server with play by e-mail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

from sqlalchemy import func, select

from rubicon.mail.mail_service import PlayByMail
from rubicon.server.accounts import Account
from rubicon.server.server import Server
from rubicon.table.lobby.listing import TableView, show_table
from rubicon.table.lobby.table_request import Access, TableRequest
from rubicon.table.storage import schema
from tests.mail.service.mail_table import (
    DAYS,
    MailTable,
    SentMail,
    chosen_settings,
    new_player,
    reply,
    text_of,
    use_transport,
)

ZOE = "zoe.miller@example.net"


class Lobby(MailTable):
    """A table that waits for players; `host` opened it, `invite` is the secret of its link."""

    host: Account
    invite: str = ""

    def write(self, text: str, sender: str = ZOE, name: str = "", **headers: str) -> str:
        """Write to the invite; how the message ended."""
        message = EmailMessage()
        message["From"] = f"{name} <{sender}>" if name else sender
        message["To"] = f"play+{self.invite}@risk.example.org"
        message["Subject"] = "Hello"
        message["Message-ID"] = f"<{len(self.results())}.{sender}>"
        for header, value in headers.items():
            message[header.replace("_", "-")] = value
        message.set_content(text)
        return self.came(message, sender)

    def came(self, message: EmailMessage, sender: str = ZOE) -> str:
        """Take a message and send what is due; how the message ended."""
        self.deliver(message.as_bytes(), sender)
        self.post()
        return self.results()[-1]

    def got(self, address: str = ZOE) -> list[EmailMessage]:
        """What an address got, the oldest first."""
        return [mail for mail in self.outbox.sent if mail["To"] == address]

    def say(self, text: str, sender: str = ZOE) -> str:
        """Answer the newest e-mail; the text that comes back."""
        self.came(reply(text, self.got(sender)[-1], sender), sender)
        return text_of(self.got(sender)[-1])

    def table(self) -> TableView:
        """The table now."""
        return self.server.store.read(lambda c: show_table(c, self.game))

    def names(self) -> list[str]:
        """Who sits there."""
        return [seat.name for seat in self.table().seats if seat.name]

    def people(self) -> int:
        """How many accounts there are."""
        wanted = select(func.count()).select_from(schema.account)
        return int(self.server.store.read(lambda c: c.execute(wanted).scalar_one()))


@contextmanager
def lobby_of(
    folder: Path, access: Access = Access.LINK, title: str = "Friday evening"
) -> Iterator[Lobby]:
    """A table that Mateo has opened, and its server."""
    chosen = replace(chosen_settings(folder), mail_authentication_servers="mx.example.org")
    by_mail = PlayByMail(chosen)
    server = Server(chosen, by_mail.write_emails)
    part = by_mail.beside(server)
    outbox = SentMail()
    use_transport(server, outbox)
    try:
        host = new_player(server, "Mateo")
        wish = TableRequest(
            preset="classic", board="skerries", seats=3, settings=DAYS, title=title, access=access
        )
        made = server.lobby.open_table(host.id, host.name, wish).result()
        lobby = Lobby(server, part, outbox, made.game, {})
        lobby.host = host
        lobby.invite = made.invite or next(iter(made.invites.values()))
        yield lobby
    finally:
        part.close()
        server.close()
