"""A hosted game with people on all seats, and the e-mails that its players would get."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from email.headerregistry import Address
from pathlib import Path

from sqlalchemy import Connection, insert, update

from rubicon.mail.mail_commands import SentForm
from rubicon.mail.tokens import TokenKeys, TokenScope
from rubicon.mail.writing.answers import AnswerEmails
from rubicon.mail.writing.game_emails import GameEmails
from rubicon.mail.writing.post import ReplyWay
from rubicon.players.player import Player
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.server.delivery import sender_address
from rubicon.server.emails import EmailIdentity, WrittenEmail
from rubicon.server.notifications import News, NotificationPreferences, PendingEmail
from rubicon.table.notices import DeadlineNear, DecisionDue, Notice
from rubicon.table.settings import Clock, Settings, TimeoutPolicy
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store
from rubicon.table.table_service import TableService
from tests.table.hosted import GAME, SOON, Hosted

IDENTITY = EmailIdentity(
    url="https://risk.example.org", sender=sender_address("Rubicon <play@risk.example.org>")
)
REPLY_ADDRESS = Address("Rubicon", "play", "risk.example.org")
NAMES = {
    "red": "Mateo",
    "blue": "Ann",
    "green": "Priya",
    "yellow": "Wen",
    "grey": "Greedy",
    "black": "Otto",
}
REBELS = {"iceland": 3, "madagascar": 3, "japan": 4}
DAYS = Settings(clock=Clock.DAYS, timeout_policy=TimeoutPolicy.BOT)


class Recorder:
    """Stores tokens in memory, as the token store does in the database."""

    def __init__(self) -> None:
        self.forms: dict[str, SentForm | None] = {}

    def __call__(
        self,
        connection: Connection,
        token: str,
        scope: TokenScope,
        form: SentForm | None,
        issued_at: int,
        expires_at: int,
    ) -> None:
        assert issued_at < expires_at
        self.forms[token] = form


class PlayedGame:
    """One hosted game, its players, and a writer of e-mails."""

    def __init__(self, store: Store, settings: Settings, title: str) -> None:
        self.store = store
        self.settings = settings
        self.title = title
        self.table = TableService(store)
        self.hosted = Hosted(self.table)
        self.recorder = Recorder()
        key = TokenKeys(b"k" * 32)
        self._reply = ReplyWay(address=REPLY_ADDRESS, keys=key, record=self.recorder)
        self.writer = GameEmails(store, IDENTITY, _unsubscribe_path, reply=self._reply)
        self.bots: dict[str, Player] = {}

    def begin(self, game: Game, names: dict[str, str]) -> None:
        """Begin from a fresh game, with people of these names."""
        self.hosted.begin_from(game, self.settings)

        def people(connection: Connection) -> None:
            for number, colour in enumerate(game.colours):
                seat = {"game": GAME, "number": number, "colour": colour, "name": names[colour]}
                connection.execute(insert(schema.seat), seat)
            named = update(schema.game).where(schema.game.c.id == GAME)
            connection.execute(named.values(title=self.title))

        self.store.write(people).result(SOON)
        self.bots = {c: Player("greedy", c, seed=n) for n, c in enumerate(game.colours)}

    def add_accounts(self) -> None:
        """Give each seat an account with an address: answers go there."""

        def accounts(connection: Connection) -> None:
            for colour in self.hosted.snapshot.game().colours:
                row = {"id": colour, "name": colour, "created": 0, "seen": 0}
                row |= {"email": f"{colour}@example.net", "settings": "{}"}
                connection.execute(insert(schema.account), row)
                own = update(schema.seat).where(schema.seat.c.colour == colour)
                connection.execute(own.values(account=colour))

        self.store.write(accounts).result(SOON)

    def answer_writer(self) -> AnswerEmails:
        """Writes answers to the seats' e-mails."""
        return AnswerEmails(self.store, IDENTITY, _unsubscribe_path, reply=self._reply)

    def play_until(self, round_number: int, *, phase: str = "", most: int = 5_000) -> str:
        """Let bots play until a seat's turn of a round begins; returns the seat, "" at the end."""
        turn: tuple[int, int] = (-1, -1)
        for _ in range(most):
            snapshot = self.hosted.snapshot
            if snapshot.ending is not None:
                return ""
            seat, decision = self.hosted.mover()
            game = snapshot.game()
            here = int(game.position.round_number), int(game.position.turn)
            fresh = here != turn
            turn = here
            named = game.phase.name.lower()
            if (phase and named == phase) or (not phase and fresh and here[0] >= round_number):
                return seat
            action = self.bots[seat].decide(game)
            self.hosted.submit(str(action), seat=seat, decision=decision)
        raise AssertionError("the game does not end")

    def pending(
        self,
        seat: str,
        kind: str = "decision",
        body: Notice | News | None = None,
        *,
        preferences: NotificationPreferences | None = None,
        number: int = 7,
    ) -> PendingEmail:
        """A notification of a seat, as the outbox gives it to the writer."""
        snapshot = self.hosted.snapshot
        asked = snapshot.decisions.get(seat, -1)
        asks = {"decision": DecisionDue(asked), "deadline": DeadlineNear(asked)}
        return PendingEmail(
            id=number,
            game=GAME,
            seat=seat,
            kind=kind,
            body=asks.get(kind) if body is None else body,
            at=self.now(),
            title=self.title,
            settings=self.settings.text(),
            head=snapshot.head,
            account=f"account-{seat}",
            name=seat,
            address=f"{seat}@example.net",
            wanted=True,
            log_index=snapshot.head,
            preferences=preferences or NotificationPreferences(timezone="Europe/Paris"),
        )

    def now(self) -> int:
        """The database's time."""
        return self.store.read(now)

    def write(self, pending: PendingEmail) -> WrittenEmail:
        """The e-mail, with its token recorded."""
        written = self.writer.write(pending, self.hosted.snapshot, self.now())
        self.store.write(written.record).result(SOON)
        return written


def _unsubscribe_path(account: str, address: str) -> str:
    return f"/unsubscribe/{account}/signature"


@contextmanager
def played_game(
    folder: Path,
    preset: str = "email",
    players: int = 6,
    *,
    board: str = "world",
    settings: Settings = DAYS,
    title: str = "Letters from Lyon",
    names: dict[str, str] | None = None,
    rebels: dict[str, int] | None = None,
) -> Iterator[PlayedGame]:
    """A game that has begun; `rebels` only where the preset has them."""
    store = Store.open(f"sqlite:///{folder}/table.db")
    schema.metadata.create_all(store.engine)
    ruleset = Ruleset.load(preset, {}, board=board)
    try:
        played = PlayedGame(store, settings, title)
        played.begin(Game.new(ruleset, players, rebels=rebels), names or NAMES)
        yield played
    finally:
        store.close()
