"""One running service: the database, tables and lobby, accounts, e-mail, bots and clocks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from email.message import EmailMessage
from functools import partial
from typing import Any, Protocol

from sqlalchemy import Connection, Row, select

from rubicon.errors import RubiconError
from rubicon.players.characters import FULL_NAMES, NAMES
from rubicon.server.accounts import Accounts, LookupCache, prune_guests
from rubicon.server.bot_runner import BotRunner
from rubicon.server.delivery import Delivery, sender_address, transport_for
from rubicon.server.dice_server import RemoteDiceServer, checked_url, pinned_key
from rubicon.server.email_links import MagicLinks, UnsubscribeLinks
from rubicon.server.emails import EmailIdentity, EmailWriterFactory
from rubicon.server.news import NewsQueue
from rubicon.server.notification_emails import NotificationQueue
from rubicon.server.outbox import Outbox
from rubicon.server.overview import LogCounts
from rubicon.server.passkeys import PasskeyOrigin, Passkeys, passkey_origin
from rubicon.server.push import PushQueue, ServerKey
from rubicon.server.reviews import WinningReviews
from rubicon.server.settings import ServerSettings
from rubicon.server.webhooks import WebhookQueue
from rubicon.server.work import CostlyWork
from rubicon.table.chat import ChatService
from rubicon.table.commands.dice_participants import unfinished
from rubicon.table.commands.submit import Receipt
from rubicon.table.deadlines import tick
from rubicon.table.game.log_lines import TYPED, LineKind
from rubicon.table.lobby.people import watched_from
from rubicon.table.lobby.seats import RUNNING
from rubicon.table.lobby_service import Lobby, MasterService
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store, WriteProbe, migrate
from rubicon.table.storage.notifications import Change, ChangeKind, Listener
from rubicon.table.table_service import TableService

# Cache of which account has which seat: every request about a game needs it.


class SeatCache:
    """Seats of accounts in games that have begun; everything else is queried each time.

    Until a game begins its seats change hands, so only the seats of begun games are cached.
    """

    def __init__(self, store: Store, timer: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._cache = LookupCache[tuple[str, str], str](timer)

    def cached(self, game: str, account: str) -> str | None:
        """The seat if the cache has it; no database query."""
        return self._cache.get((game, account))

    def forget(self, game: str) -> None:
        """Read the seats of a game anew: one has lost its owner."""
        self._cache.forget(lambda key: key[0] == game)

    def find(self, game: str, account: str | None, invite: str | None = None) -> str:
        """The seat whose view the account gets, "" for a spectator; raises as `watched_from`."""
        generation = self._cache.generation
        place = self._store.read(lambda connection: watched_from(connection, game, account, invite))
        if account is not None and place.is_final:
            self._cache.keep((game, account), place.seat, generation)
        return place.seat


# Changes that other servers on the same database have committed, dispatched in this one.


class PeerEvents:
    """Listens to the database from `start` on; changes of games go to the subscribers."""

    def __init__(self, store: Store, lobby: Lobby, chat: ChatService, accounts: Accounts) -> None:
        self._store = store
        self._lobby = lobby
        self._chat = chat
        self._accounts = accounts
        self._subscribers: list[Callable[[Change], None]] = []
        self._listener: Listener | None = None

    def subscribe(self, subscriber: Callable[[Change], None]) -> None:
        """Call `subscriber` for each committed change of a game, in a thread that may block."""
        self._subscribers.append(subscriber)

    def start(self) -> None:
        """Open the LISTEN connection."""
        self._listener = Listener(self._store, self.dispatch)

    @property
    def disconnected_seconds(self) -> float:
        """Total time without a LISTEN connection, during which changes arrived late."""
        return self._listener.disconnected_seconds if self._listener is not None else 0.0

    def close(self) -> None:
        """Close the LISTEN connection."""
        if self._listener is not None:
            self._listener.close()

    def dispatch(self, change: Change) -> None:
        """Pass a change to the part of this server that it concerns."""
        match change.what:
            case ChangeKind.GAME:
                for subscriber in self._subscribers:
                    subscriber(change)
            case ChangeKind.TABLE:
                self._lobby.publish(change.game)
            case ChangeKind.CHAT:
                self._chat.publish(change.number)
            case ChangeKind.ACCOUNTS:
                self._accounts.invalidate()


# Recovery: games that stopped in the middle of something are resumed, by any server.
#
# A server finishes what it has begun. If it is killed, or the database fails at the wrong moment,
# a dice request stays unanswered or a bot is never asked. The next sweep of any server finds that
# the game has not changed for some seconds although no person has to decide.

IDLE = 3_000  # milliseconds without a change, after which the last writer is taken for dead
OVERLAP = 60_000  # milliseconds that two sweeps have in common: commits may arrive out of order
BATCH = 200
log = logging.getLogger(__name__)


class Recovery:
    """Examines every game that has changed since the last sweep and is idle now."""

    def __init__(
        self, table: TableService, bots: BotRunner, announce: Callable[[Change], None], since: int
    ) -> None:
        self._table = table
        self._bots = bots
        self._announce = announce
        self._since = since - OVERLAP
        self._settled: dict[str, int] = {}  # the head at which a game had nothing to resume
        self._retry: set[str] = set()  # games with a bot at work, or whose last attempt failed

    def resume(self, game: str) -> None:
        """Finish whatever a game stopped in the middle of; idempotent."""
        self._table.wake(game).add_done_callback(partial(self._resumed, game))

    def sweep(self) -> None:
        """Examine idle games once; StoreUnavailable where the database does not answer."""
        at, rows = self._table.store.read(partial(_idle_games, since=self._since))
        for game in list(self._retry):
            self._settle(game)
        self._settled = {row.id: self._settled[row.id] for row in rows if row.id in self._settled}
        for row in rows:
            if self._settled.get(row.id) != row.head:
                self._examine(row)
        full = len(rows) >= BATCH
        self._since = rows[-1].changed if full else max(0, at - IDLE - OVERLAP)

    def _examine(self, row: Row[Any]) -> None:
        cached = self._table.cached_snapshot(row.id)
        if row.requests_dice or cached is None or cached.head != row.head:
            self.resume(row.id)
            self._announce(Change(ChangeKind.GAME, row.id, row.head, row.head))
        else:
            self._settle(row.id)

    def _resumed(self, game: str, done: Future[Any]) -> None:
        error = done.exception()
        if error is not None:
            code = error.code if isinstance(error, RubiconError) else type(error).__name__
            log.warning("game recovery failed", extra={"game": game, "code": code})
            self._retry.add(game)
        else:
            self._settle(game)

    def _settle(self, game: str) -> None:
        cached = self._table.cached_snapshot(game)
        if cached is None:
            self.resume(game)
        elif self._bots.start_decisions(cached):
            self._retry.add(game)
        else:
            self._retry.discard(game)
            self._settled[game] = cached.head


def _idle_games(connection: Connection, since: int) -> tuple[int, list[Row[Any]]]:
    """The time, and running games changed since a moment but not lately; least recent first."""
    at = now(connection)
    games, log_of = schema.game.c, schema.log.c
    requests_dice = (log_of.kind == LineKind.REQUEST) & (log_of.text != TYPED)
    wanted = (
        select(games.id, games.head, games.changed, requests_dice.label("requests_dice"))
        .join(schema.log, (log_of.game == games.id) & (log_of.log_index == games.head))
        .where(games.state == RUNNING, games.changed >= since, games.changed <= at - IDLE)
        .order_by(games.changed)
        .limit(BATCH)
    )
    return at, list(connection.execute(wanted))


TICK_SECONDS = 1.0
RECOVERY_TICKS = 3
EXPIRY_TICKS = 60
PRUNE_TICKS = 3600
SUSPENDED = 30_000  # milliseconds between two clock sweeps that mean the server was not running


class Companion(Protocol):
    """A part that runs alongside a server, such as play by e-mail."""

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

    def __init__(self, settings: ServerSettings, write_emails: EmailWriterFactory) -> None:
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
        writer = write_emails(self.store, identity, self.unsubscribe_links.path)
        self.delivery = Delivery(self.table, transport, writer)
        self.outbox = self._outbox(identity)
        # The address at which an invite is answered by e-mail; "" where no e-mails are taken.
        self.invitation_address: Callable[[str], str] = lambda invite: ""
        self.magic_links = MagicLinks(self.accounts, identity, self.send_now)
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

    def _outbox(self, identity: EmailIdentity) -> Outbox:
        """The outbox with the queues that the settings ask for."""
        outbox, delay = Outbox(self.store), self.settings.email_delay_seconds
        outbox.add(NotificationQueue(self.delivery, outbox.queues, delay=delay))
        outbox.add(NewsQueue(self.delivery, outbox.queues, delay=delay))
        if self.push_key is not None:
            outbox.add(PushQueue(self.store, self.push_key, identity))
        if self.settings.webhooks:
            outbox.add(WebhookQueue(self.store, identity))
        return outbox

    def send_now(self, message: EmailMessage) -> Future[None]:
        """Try once to send an e-mail, without a queue: one with a link that is asked for again."""
        return self.outbox.submit(self.delivery.send_once(message))

    def start(self) -> None:
        """Resume every unfinished game, and start the clock and the outbox."""
        self.log_counts.attach()
        self.peers.start()
        games = self.store.read(unfinished)
        for game in games:
            self._recovery.resume(game)
        self._clock.start()
        self.outbox.start()
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
        # First what brings new work, then what does it; the store is last, since all write to it.
        for part in reversed(self.beside):
            part.close()
        self._stopping.set()
        self.bots.close()
        self.costly.close()
        self.reviews.close()
        self.peers.close()
        if self._clock.is_alive():
            self._clock.join()
        self.outbox.close()
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
        """What a monitor sees; `ok` is whether the database answers.

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
