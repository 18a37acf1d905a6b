"""The whole game: one opens it, all others join and play by e-mail alone, and much goes wrong."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx

from rubicon.client import Client
from rubicon.rules.board.board import Board
from tests.mail.service.mail_table import reply, text_of
from tests.mail.service.test_message_work import bounce_of
from tests.mail.whole_game.mail_player import MailPlayer
from tests.mail.whole_game.opensmtpd import opensmtpd, try_again
from tests.mail.whole_game.post_office import PostOffice, post_office
from tests.mail.whole_game.processes import Processes
from tests.ports import free_port

NAMES = ("Mateo", "Ann", "Priya", "Wen", "Olga", "Otto")
LINK = re.compile(r"https?://\S+/sign-in/\S+")
CODE = re.compile(r"^ +CONFIRM ([A-Z0-9]{4}-[A-Z0-9]{4})", re.MULTILINE)
OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlan:
    """The board and its rules; after `messages` e-mails the players agree on a draw."""

    board: str
    options: dict[str, Any]
    rebels: dict[str, int]
    messages: int
    restart_at: int
    real_mail_server: bool = False  # OpenSMTPD
    real_mailbox: bool = False  # at Dovecot


QUICK = GamePlan(
    board="skerries",
    options={"setup.armies": "2:7,3:7,4:7,5:7,6:7", "cards.forced": "until_below_5"},
    rebels={"fennick": 2},
    messages=24,
    restart_at=9,
)
REAL = replace(QUICK, messages=14, real_mail_server=True)
MAILBOX = replace(QUICK, messages=14, real_mailbox=True)
FULL = GamePlan(board="world", options={}, rebels={"iceland": 3, "japan": 4}, messages=400,
                restart_at=60)  # fmt: skip


@dataclass
class Played:
    """What was seen of a game that is over; the booleans say what it was to show."""

    messages: int = 0
    result: str = ""
    eliminated: bool = False
    forced_trade: bool = False
    repeated: bool = False
    bounced: bool = False
    away: bool = False
    restarted: bool = False
    verified: str = ""
    dice: str = ""
    sent: list[EmailMessage] = field(default_factory=list)


class MailGame:
    """Plays one game; `say` is told what happens."""

    def __init__(
        self, plan: GamePlan, office: PostOffice, servers: Processes, say: Callable[[str], None]
    ) -> None:
        self.plan = plan
        self.office = office
        self.servers = servers
        self.say = say
        board = Board.load(plan.board)
        self.players = {address: MailPlayer(address, board) for address in map(address_of, NAMES)}
        self.host: Client | None = None
        self.played = Played()
        self.game = ""

    def play(self) -> Played:
        """From the invitation to the checks at the end."""
        self._open()
        self._first_words()
        while not self._is_over():
            if self.played.messages == self.plan.restart_at:
                self._restart()
            if self.played.messages >= self.plan.messages:
                self._agree_on_a_draw()
                break
            email = self.office.wait_for("a turn or the end", self._next_email)
            if self._is_over():
                break
            self._take_turn(email)
        self._check()
        return self.played

    def _open(self) -> None:
        """The host opens the table on the web; the others take their seats by e-mail alone."""
        name = NAMES[0]
        guest = self._ask(name, "/guest", name=name)
        self._ask(name, "/me/email", guest["token"], email=address_of(name))
        host = self.host = self._signed_in(address_of(name))
        table = host.open_table(
            ruleset="email", board=self.plan.board, seats=6, title="By post", access="link",
            options=self.plan.options,
            settings={"clock": "days", "dice": "independent", "chat": "open"},
        )  # fmt: skip
        self.game = table["game"]
        host.change_table(self.game, rebels=self.plan.rebels)
        address = str(host.invite_links(self.game)["email"])
        for name in NAMES[1:]:
            self._join(name, address)
        host.start(self.game)
        self.say(f"{', '.join(NAMES)} play by e-mail, against rebels on {self.plan.board}.")

    def _join(self, name: str, invitation: str) -> None:
        """Write to the address of the invite, and say yes to the question that comes back."""
        message = EmailMessage()
        message["From"] = address_of(name)
        message["To"] = invitation
        message["Subject"] = "A seat, please"
        message["Message-ID"] = f"<seat-{name.lower()}@example.com>"
        message.set_content("I would like to play.")
        self.office.deliver(message, address_of(name))
        question = self.office.answer_to(message)
        answer = reply(f"JOIN {name}", question, address_of(name))
        self.office.deliver(answer, address_of(name))
        assert "You play" in text_of(self.office.answer_to(answer))

    def _ask(self, who: str, path: str, token: str = "", **body: str) -> dict[str, str]:
        """A request from a player's own network: each has their own limit of e-mails."""
        headers = {"X-Forwarded-For": f"203.0.113.{NAMES.index(who) + 1}"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        url = f"{self.servers.url}/api/v1{path}"
        answer = httpx.post(url, headers=headers, json=body, timeout=30)
        assert answer.is_success, answer.text
        return dict(answer.json())

    def _signed_in(self, address: str) -> Client:
        """A client that has used the newest link in a mailbox."""
        seen = len(self.office.sent)

        def found() -> EmailMessage | None:
            mine = [mail for mail in self.office.sent if mail["To"] == address]
            return next((m for m in reversed(mine) if LINK.search(text_of(m))), None)

        email = self.office.wait_for(f"a link for {address} after {seen}", found)
        links = LINK.findall(text_of(email))
        self.office.sent.remove(email)
        return Client(self.servers.url).sign_in(links[0])

    def _first_words(self) -> None:
        """A standing defence, an absence and a message to all, before the first turn."""
        newest = {
            name: self.office.wait_for("the set-up", self._set_up_of(address_of(name)))
            for name in NAMES
        }
        ann, otto = newest["Ann"], newest["Otto"]
        assert "From now on you defend" in text_of(self._send("Ann", "DEFEND 1", ann))
        today = datetime.now(UTC).date()
        away = f"ABSENCE {today} {today + timedelta(days=2)} BOT easy"
        self._send("Otto", self.players[address_of("Otto")].orders_for(otto), otto)
        assert "absence is noted" in text_of(self._send("Otto", away, otto))
        self.played.away = True
        self.say("Otto is away: a bot plays for him.")
        self._bounce(otto)

    def _set_up_of(self, address: str) -> Callable[[], EmailMessage | None]:
        player = self.players[address]

        def found() -> EmailMessage | None:
            return next((mail for mail in self.office.sent if player.wants_orders(mail)), None)

        return found

    def _bounce(self, email: EmailMessage) -> None:
        """Otto's mailbox is gone for a while; he signs in again with a new link."""
        report = bounce_of(str(email["Message-ID"]), address_of("Otto"))
        message = raw_message(report)
        self.office.deliver(message, "")

        def told() -> EmailMessage | None:
            for mail in self.office.sent:
                if mail["To"] == address_of(NAMES[0]) and "come back" in str(mail["Subject"]):
                    return mail
            return None

        self.office.wait_for("the news of the bounce", told)
        self.say("E-mails to Otto come back; the host knows.")
        self._ask("Otto", "/magic-link", email=address_of("Otto"))
        self._signed_in(address_of("Otto")).close()
        self.played.bounced = True

    def _next_email(self) -> EmailMessage | None:
        """An e-mail that asks for orders, or the one of the end."""
        ends = [mail for mail in self.office.sent if is_over_mail(mail)]
        if ends:
            return ends[-1]
        newest: dict[str, EmailMessage] = {}
        for mail in self.office.sent:
            player = self.players.get(str(mail["To"]))
            if player is not None and player.wants_orders(mail):
                newest[player.address] = mail
        return next(iter(newest.values()), None)

    def _is_over(self) -> bool:
        return any(is_over_mail(mail) for mail in self.office.sent)

    def _take_turn(self, email: EmailMessage) -> None:
        """Orders for one e-mail; the tenth is sent twice."""
        player = self.players[str(email["To"])]
        orders = player.orders_for(email)
        answer = self._send(name_of(player.address), orders, email)
        told = text_of(answer)
        self.played.forced_trade |= "TRADE" in orders
        first = told.splitlines()[0].removeprefix("=== reply above this line === ")
        self.say(f"{self.played.messages:4}  {name_of(player.address)}: {first}")
        if self.played.messages >= 10 and not self.played.repeated and "carried out" in told:
            again = text_of(self._send(name_of(player.address), orders, email))
            assert "It came twice".upper() in again, again
            self.played.repeated = True
            self.say("      The same orders came twice, and were carried out once.")

    def _send(self, name: str, text: str, email: EmailMessage) -> EmailMessage:
        """Answer an e-mail; the server's answer."""
        address = address_of(name)
        self.players[address].answered.add(str(email["Message-ID"]))
        message = reply(text, email, address)
        self.office.deliver(message, address)
        self.played.messages += 1
        return self.office.answer_to(message)

    def _restart(self) -> None:
        """Kill every process, and start it again."""
        self.servers.kill()
        self.servers.start()
        self.played.restarted = True
        self.played.messages += 1
        self.say("      All servers were killed, and have started again.")

    def _agree_on_a_draw(self) -> None:
        """All who are in the game vote by e-mail; a draw needs a code."""
        self.say("      The players agree on a draw.")
        for name in NAMES:
            if self._is_over():
                return
            self._vote_for_a_draw(name)

    def _vote_for_a_draw(self, name: str) -> None:
        """The vote, and the code that comes in an e-mail of its own."""
        address = address_of(name)
        mine = [mail for mail in self.office.sent if mail["To"] == address and mail["Reply-To"]]
        message = reply("VOTE DRAW CONFIRM", mine[-1], address)
        self.office.deliver(message, address)
        self.played.messages += 1

        def found() -> EmailMessage | None:
            for mail in self.office.sent:
                if mail["To"] == address and CODE.search(text_of(mail)):
                    return mail
            return None

        email = self.office.wait_for("a code", found)
        code = CODE.search(text_of(email))
        assert code is not None
        self._send(name, f"CONFIRM {code[1]}", email)

    def _check(self) -> None:
        """The game is over for all, and everything verifies."""
        end = self.office.wait_for(
            "the end", lambda: self._next_email() if self._is_over() else None
        )
        self.played.result = str(end["Subject"])
        assert self.host is not None
        folder = self.servers.folder
        (folder / "dice.txt").write_text(self.host.transcript(self.game))
        (folder / "game.txt").write_text(self.host.record(self.game))
        self.host.close()
        dice_log = f"http://127.0.0.1:{self.servers.dice_port}"
        self.played.dice = self.servers.run(
            "verify", "dice.txt", "--record", "game.txt", "--dice-log", dice_log
        )
        self.servers.stop()
        self.played.verified = self.servers.run(
            "table", "verify", "--store", f"sqlite:///{folder}/table.db"
        )
        self.played.sent = list(self.office.sent)
        out = (mail for mail in self.played.sent if "out of the game" in text_of(mail))
        self.played.eliminated = next(out, None) is not None
        self.say(f"{self.played.result}. {self.played.verified.strip()}")


def address_of(name: str) -> str:
    """Where a player reads their e-mails."""
    return f"{name.lower()}@example.com"


def name_of(address: str) -> str:
    """Whose address it is."""
    return address.partition("@")[0].capitalize()


def is_over_mail(message: EmailMessage) -> bool:
    """Whether an e-mail says that the game is over."""
    subject = str(message["Subject"])
    return subject.startswith(("A draw", "Closed")) or " won " in subject


def raw_message(raw: bytes) -> EmailMessage:
    """A message from its bytes."""
    message: object = message_from_bytes(raw, policy=policy.SMTP)
    assert isinstance(message, EmailMessage)
    return message


@contextmanager
def servers_of(folder: Path, plan: GamePlan) -> Iterator[tuple[PostOffice, Processes]]:
    """A post office, and the servers that it serves; perhaps with a real mail server between."""
    lmtp_port = free_port()
    with ExitStack() as open_:
        office = open_.enter_context(post_office(lmtp_port, by_mailbox=plan.real_mailbox))
        if plan.real_mail_server:
            office.relay_port, office.try_again = free_port(), try_again
            between = opensmtpd(folder, office.relay_port, lmtp_port, office.port)
            open_.enter_context(between)
        out = office.relay_port or office.port
        servers = Processes(folder, out, office.mailbox.port, lmtp_port)
        open_.callback(servers.kill)
        servers.start()
        yield office, servers


def play(plan: GamePlan, say: Callable[[str], None] = lambda _: None) -> Played:
    """Play a game by a plan, in a folder of its own."""
    with (
        tempfile.TemporaryDirectory() as name,
        servers_of(Path(name), plan) as (office, servers),
    ):
        return MailGame(plan, office, servers, say).play()
