"""A server with play by e-mail, and players who have nothing but a mail program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import make_msgid
from itertools import count
from pathlib import Path

from sqlalchemy import Connection, func, select, update

from rubicon.mail.mail_service import MailPart, PlayByMail
from rubicon.mail.reading.incoming_mail import MailEnvelope, ReceivedMail
from rubicon.server.accounts import Account
from rubicon.server.delivery import MailTransport
from rubicon.server.outbox import Channel
from rubicon.server.server import Server
from rubicon.server.settings import ServerSettings
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.people import name_master
from rubicon.table.lobby.table_request import TableRequest
from rubicon.table.settings import Chat, Clock, Settings, TimeoutPolicy
from rubicon.table.storage import schema
from tests.server.mail.mailing import swept

NAMES = ("Mateo", "Ann", "Priya", "Wen", "Olga", "Otto")
DAYS = Settings(clock=Clock.DAYS, timeout_policy=TimeoutPolicy.WAIT, chat=Chat.OPEN)
PLAY = "play@risk.example.org"
NO_REBELS: Mapping[str, object] = {}
_numbers = count(1)


class SentMail:
    """A transport that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[EmailMessage] = []

    async def send(self, message: EmailMessage) -> None:
        """Keep an e-mail."""
        self.sent.append(message)


@dataclass
class MailTable:
    """A game and its players; `post` does all that the server has to do now."""

    server: Server
    part: MailPart
    outbox: SentMail
    game: str
    accounts: dict[str, Account]  # by seat
    read: dict[str, int] = field(default_factory=dict)

    @property
    def snapshot(self) -> Snapshot:
        """The game now."""
        return self.server.table.snapshot(self.game)

    @property
    def mover(self) -> str:
        """The first seat that is asked for something."""
        return next(iter(self.snapshot.decisions))

    def address(self, seat: str) -> str:
        """Where a player reads their e-mails."""
        return f"{self.accounts[seat].name.lower()}@example.com"

    def inbox(self, seat: str) -> list[EmailMessage]:
        """What a player got, the oldest first."""
        to = self.address(seat)
        return [mail for mail in self.outbox.sent if mail["To"] == to]

    def newest(self, seat: str) -> EmailMessage:
        """The newest e-mail of a player."""
        return self.inbox(seat)[-1]

    def post(self) -> None:
        """Carry out what came, and send what is to be sent."""
        while self.part.service.work_once():
            pass
        while swept(self.server.outbox):
            pass
        while swept(self.server.outbox, Channel.ANSWERS):
            pass

    def deliver(self, raw: bytes, sender: str | None = "") -> None:
        """Hand a message to the inbox, as a receiver does."""
        envelope = MailEnvelope(sender or "someone@example.com")
        self.part.inbox.keep(ReceivedMail(raw=raw, envelope=envelope))

    def answer(self, seat: str, text: str, to: EmailMessage | None = None) -> EmailMessage:
        """Answer an e-mail, by default the newest, and let the server work; what comes back."""
        before = len(self.inbox(seat))
        self.deliver(reply(text, to or self.newest(seat), self.address(seat)).as_bytes())
        self.post()
        mine = self.inbox(seat)[before:]
        answers = [mail for mail in mine if mail["Auto-Submitted"] == "auto-replied"]
        return (answers or mine)[0]

    def waiting(self) -> int:
        """How many messages are not carried out yet."""
        columns = schema.mail_message.c
        wanted = select(func.count()).where(columns.due.is_not(None))
        return int(self.server.store.read(lambda c: c.execute(wanted).scalar_one()))

    def results(self) -> list[str]:
        """How each message ended, in the order in which they came."""
        wanted = select(schema.mail_message.c.result).order_by(schema.mail_message.c.id)
        return list(self.server.store.read(lambda c: c.execute(wanted).scalars().all()))


@contextmanager
def mail_table(
    folder: Path,
    *,
    seats: int = 3,
    board: str = "skerries",
    preset: str = "classic",
    settings: Settings = DAYS,
    options: Mapping[str, object] = NO_REBELS,
    master: str = "",
) -> Iterator[MailTable]:
    """A game of players with e-mail addresses that has begun, and its first e-mails.

    `master` names a game master without a seat, for the setting `Master.PERSON`.
    """
    chosen = chosen_settings(folder)
    by_mail = PlayByMail(chosen)
    server = Server(chosen, by_mail.write_emails)
    part = by_mail.beside(server)
    outbox = SentMail()
    use_transport(server, outbox)
    try:
        game, accounts = begun(
            server,
            seats,
            TableRequest(
                preset=preset,
                board=board,
                seats=seats,
                settings=settings,
                options=options,
                title="Friday evening",
            ),
            master,
        )
        table = MailTable(server, part, outbox, game, accounts)
        table.post()
        yield table
    finally:
        part.close()
        server.close()


def chosen_settings(folder: Path) -> ServerSettings:
    """A server that takes e-mails, on a database in a folder."""
    return ServerSettings(
        store=f"sqlite:///{folder}/table.db",
        mail_from=f"Rubicon <{PLAY}>",
        public_url="https://risk.example.org",
        mail_receive="lmtp://127.0.0.1:1",
        email_delay_seconds=0,
    )


def use_transport(server: Server, transport: MailTransport) -> None:
    """Let a server send its e-mails elsewhere."""
    server.delivery.transport = transport


def begun(
    server: Server, seats: int, request: TableRequest, master: str = ""
) -> tuple[str, dict[str, Account]]:
    """A game of saved accounts, and who plays which seat."""
    host, *others = (new_player(server, name) for name in NAMES[:seats])
    game = server.lobby.open_table(host.id, host.name, request).result().game
    for other in others:
        server.lobby.join(game, other.id, other.name).result()
    if master:
        server.lobby.change(game, name_master, host.id, new_player(server, master).id).result()
    server.lobby.start(game, host.id).result()
    columns = schema.seat.c
    wanted = select(columns.colour, columns.account).where(columns.game == game)
    owners = server.store.read(lambda c: c.execute(wanted).all())
    known = {account.id: account for account in (host, *others)}
    return game, {row.colour: known[row.account] for row in owners}


def new_player(server: Server, name: str) -> Account:
    """An account with an address."""
    account = server.accounts.create_guest(name).result().account
    columns = schema.account.c

    def save(connection: Connection) -> None:
        own = update(schema.account).where(columns.id == account.id)
        connection.execute(own.values(email=f"{name.lower()}@example.com"))

    server.store.write(save).result()
    return account


def reply(text: str, to: EmailMessage, sender: str) -> EmailMessage:
    """An answer as a plain mail program writes it, the e-mail quoted below."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = to["Reply-To"] or to["From"]
    message["Subject"] = f"Re: {to['Subject']}"
    message["Message-ID"] = make_msgid(f"test{next(_numbers)}", "example.com")
    message["In-Reply-To"] = to["Message-ID"]
    message["References"] = f"{to['References'] or ''} {to['Message-ID']}".strip()
    quoted = "".join(f"> {line}\n" for line in text_of(to).splitlines())
    message.set_content(f"{text}\n\nOn Mon, 23 Nov 2026 at 10:00, Rubicon wrote:\n{quoted}")
    return message


def text_of(message: EmailMessage) -> str:
    """The plain text of an e-mail."""
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def form_in(message: EmailMessage) -> str:
    """The form of an e-mail: the orders between its heading and END."""
    lines = text_of(message).splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("YOUR ORDERS"))
    last = next(n for n in range(first, len(lines)) if lines[n].strip() == "END")
    indented = (line for line in lines[first + 1 : last + 1] if line.startswith("    "))
    return "\n".join(line.strip() for line in indented)
