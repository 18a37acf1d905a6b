"""One running service: the database, tables and lobby, accounts, e-mail, bots and clocks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol

from rubicon.errors import RubiconError
from rubicon.players.registry import FULL_NAMES, NAMES
from rubicon.server.accounts.accounts import Accounts
from rubicon.server.accounts.passkey_origin import PasskeyOrigin, passkey_origin
from rubicon.server.accounts.passkeys import Passkeys
from rubicon.server.accounts.prune_guests import prune_guests
from rubicon.server.accounts.seat_cache import SeatCache
from rubicon.server.bot_runner import BotRunner
from rubicon.server.costly_work import CostlyWork
from rubicon.server.dice_server_client import RemoteDiceServer, checked_url
from rubicon.server.dice_server_key import pinned_key
from rubicon.server.log_counts import LogCounts
from rubicon.server.mail.email_address import sender_address
from rubicon.server.mail.email_writer import EmailWriterFactory
from rubicon.server.mail.magic_links import MagicLinks
from rubicon.server.mail.mailer import PUSH, WEBHOOK, Mailer, Sweep
from rubicon.server.mail.messages import EmailIdentity
from rubicon.server.mail.short_emails import short_emails
from rubicon.server.mail.transport import transport_for
from rubicon.server.mail.unsubscribe import UnsubscribeLinks
from rubicon.server.peer_events import PeerEvents
from rubicon.server.push.push_sender import PushSender
from rubicon.server.push.vapid import ServerKey
from rubicon.server.recovery import Recovery
from rubicon.server.reviews.winning_reviews import WinningReviews
from rubicon.server.settings import ServerSettings
from rubicon.server.webhooks.webhook_sender import WebhookSender
from rubicon.table.commands.dice_server import unfinished
from rubicon.table.game.submission import Receipt
from rubicon.table.service.chat import ChatService
from rubicon.table.service.deadlines import tick
from rubicon.table.service.lobby_service import Lobby
from rubicon.table.service.master_service import MasterService
from rubicon.table.service.table_service import TableService
from rubicon.table.storage.clock import now
from rubicon.table.storage.database import Store
from rubicon.table.storage.migrate import migrate
from rubicon.table.storage.write_probe import WriteProbe

log = logging.getLogger(__name__)
TICK_SECONDS = 1.0
RECOVERY_TICKS = 3
EXPIRY_TICKS = 60
PRUNE_TICKS = 3600
SUSPENDED = 30_000  # milliseconds between two clock sweeps that mean the server was not running


class Companion(Protocol):
    """A part that runs beside a server, such as play by e-mail."""

    def start(self) -> None:
        """Begin."""

    def close(self) -> None:
        """Stop cleanly; also where it was never started."""


class Server:
    """Composes everything that clients use. `start` runs it, `close` shuts it down cleanly.

    `beside` has parts of other layers that are started after it and closed before it.

    `write_emails` makes the writer of the e-mails about games from the database, the server's
    identity and the paths of its unsubscribe links.
    """

    def __init__(
        self, settings: ServerSettings, write_emails: EmailWriterFactory = short_emails
    ) -> None:
        self.settings = settings
        # First: a mistake in the settings must be reported before the database is touched.
        transport, identity = transport_for(settings.mail_server), email_identity(settings)
        self.identity = identity
        dice_url = checked_url(settings)
        self.store = Store.open(settings.store)
        try:
            version = migrate(self.store)
        except RubiconError:
            self.store.close()
            raise
        dialect = self.store.engine.dialect.name
        log.info("database opened", extra={"dialect": dialect, "schema_version": version})
        self._write_probe = WriteProbe(self.store)
        self.dice_server: RemoteDiceServer | None = None
        if dice_url:
            pin = pinned_key(self.store, settings.dice_server_key)
            self.dice_server = RemoteDiceServer(dice_url, pin, settings.dice_server_token)
        self.table = TableService(self.store, dice=self.dice_server)
        self.lobby = Lobby(self.table, FULL_NAMES, settings.tables_per_account)
        self.masters = MasterService(self.table, FULL_NAMES)
        self.chat = ChatService(self.table)
        self.accounts = Accounts(self.store, tuple(NAMES))
        self.seat_cache = SeatCache(self.store)
        self.unsubscribe_links = UnsubscribeLinks(self.accounts)
        # None where the setting `web_push` is off.
        self.push_key = ServerKey.of(self.store) if settings.web_push else None
        self.mailer = Mailer(
            self.table,
            transport,
            write_emails(self.store, identity, self.unsubscribe_links.path),
            delay=settings.email_delay_seconds,
            others=self._queues(identity),
        )
        # The address at which an invite is answered by e-mail; "" where no e-mails are taken.
        self.invitation_address: Callable[[str], str] = lambda invite: ""
        self.magic_links = MagicLinks(self.accounts, identity, self.mailer.send_now)
        self.passkeys = Passkeys(self.accounts)
        self.bots = BotRunner(self.table, settings.bot_processes)
        self.costly = CostlyWork()
        self.reviews = WinningReviews(self.store.url)
        self.log_counts = LogCounts()
        self.peers = PeerEvents(self.store, self.lobby, self.chat, self.accounts)
        self.up_since = self._last_sweep = self.store.read(now)
        self.last_tick = time.monotonic()  # of the clock thread
        self.beside: list[Companion] = []
        self._recovery = Recovery(self.table, self.bots, self.peers.dispatch, self.up_since)
        self._stopping = threading.Event()
        self._clock = threading.Thread(target=self._run_clock, name="clock", daemon=True)

    def _queues(self, identity: EmailIdentity) -> dict[str, Sweep]:
        """What the mailer's thread sends besides e-mails."""
        queues: dict[str, Sweep] = {}
        if self.push_key is not None:
            queues[PUSH] = PushSender(self.store, self.push_key, identity).sweep
        if self.settings.webhooks:
            queues[WEBHOOK] = WebhookSender(self.store, identity).sweep
        return queues

    def start(self) -> None:
        """Resume every unfinished game, and start the clock and the mailer."""
        self.log_counts.attach()
        self.peers.start()
        games = self.store.read(unfinished)
        for game in games:
            self._recovery.resume(game)
        self._clock.start()
        self.mailer.start()
        for part in self.beside:
            part.start()
        if self.settings.mail_server and not self.settings.public_url:
            log.warning("links in e-mails work on this machine only: public_url is not set")
        log.info("server started", extra={"resumed_games": len(games)})

    @property
    def url(self) -> str:
        """The URL under which people reach the server, as far as it is known."""
        return self.identity.url

    @property
    def passkey_origin(self) -> PasskeyOrigin | None:
        """The origin at which people can use passkeys; None where this server offers none."""
        return passkey_origin(self.settings.public_url, self.url)

    def listening_at(self, url: str) -> None:
        """Use this URL in links, unless the setting `public_url` names another one."""
        if not self.settings.public_url:
            self.identity.url = url

    def close(self) -> None:
        """Finish what was accepted, and stop; unfinished bot decisions start again next time."""
        for part in reversed(self.beside):
            part.close()
        self._stopping.set()
        self.bots.close()
        self.costly.close()
        self.reviews.close()
        self.peers.close()
        if self._clock.is_alive():
            self._clock.join()
        self.mailer.close()
        if self.dice_server is not None:
            self.dice_server.close()
        self.store.close()
        self.log_counts.detach()
        log.info("clean shutdown")

    def sweep_clocks(self) -> list[Future[Receipt]]:
        """Apply every deadline that has passed; RubiconError if the database is away.

        Seats whose deadline passed while this machine slept, its clock jumped forward or the
        database was away get the same extra minutes as after a restart.
        """
        at = self.store.read(now)
        if at - self._last_sweep > SUSPENDED:
            self.up_since = at
        self._last_sweep = at
        return tick(self.table, self.up_since)

    def healthy(self) -> bool:
        """Whether the database answers, and stores what is written."""
        try:
            self.store.read(now)
        except RubiconError:
            return False
        return self._write_probe.works()

    def health(self) -> dict[str, Any]:
        """What a monitor is told; `ok` is whether the database answers.

        The dice server is another service: while it is away, only the games that use it wait.
        """
        told: dict[str, Any] = {"ok": self.healthy()}
        if self.dice_server is not None:
            told |= self.dice_server.health()
        if self.table.refused:
            told["games_stopped_by_dice_server"] = len(self.table.refused)
        return told

    def _run_clock(self) -> None:
        ticks, failing = 0, False
        while not self._stopping.wait(TICK_SECONDS):
            ticks += 1
            try:
                self._tick(ticks)
            except Exception as error:  # of any kind: the clock must go on
                if not failing:  # once, not every second of an outage
                    log.warning("clock sweep failed, retrying every second", exc_info=error)
                failing = True
                continue
            if failing:
                log.info("clock sweep recovered")
            failing, self.last_tick = False, time.monotonic()

    def _tick(self, ticks: int) -> None:
        if self.dice_server is not None:
            self.dice_server.check()
        for late in self.sweep_clocks():
            late.add_done_callback(_log_failure)
        if ticks % RECOVERY_TICKS == 0:
            self._recovery.sweep()
        if ticks % EXPIRY_TICKS == 0:
            self.lobby.expire().add_done_callback(_log_failure)
        if ticks % PRUNE_TICKS == 0:
            self.store.write(prune_guests).add_done_callback(_log_failure)


def email_identity(settings: ServerSettings) -> EmailIdentity:
    """The From address and public URL of a server; RubiconError if the settings are not enough."""
    url = (settings.public_url or f"http://{settings.address}:{settings.port}").rstrip("/")
    if not (url.isascii() and url.isprintable() and url.startswith(("http://", "https://"))):
        message = f"The setting public_url cannot be {url[:80]!a}."
        raise RubiconError("serve/settings", message, "Write: https://risk.example.org")
    if settings.mail_server and not settings.mail_from:
        message = "The setting mail_from is missing: e-mails need a From address."
        raise RubiconError("serve/settings", message, "Write: risk@example.org")
    sender = sender_address(settings.mail_from or "Rubicon <rubicon@localhost>")
    return EmailIdentity(url=url, sender=sender)


def _log_failure(done: Future[Any]) -> None:
    error = done.exception()
    if error is not None:
        log.error("clock sweep failed", exc_info=error)
