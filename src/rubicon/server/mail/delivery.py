"""Writes one e-mail and hands it to the mail server: what all e-mails about games share."""

from __future__ import annotations

import asyncio
import logging
from email.message import EmailMessage

from rubicon.server.mail.email_writer import EmailWriter, WrittenEmail
from rubicon.server.mail.messages import MINUTE
from rubicon.server.mail.outbox import PendingEmail
from rubicon.server.mail.transport import DeliveryError, MailTransport
from rubicon.server.mail.unreachable import mark_dead
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.snapshot import Snapshot, snapshot_of
from rubicon.table.service.table_service import TableService

CLAIM_DURATION = 10 * MINUTE  # during which no other server touches what was claimed
CONNECTIONS = 4  # of one sweep to the mail server at the same time
log = logging.getLogger(__name__)


class Delivery:
    """A writer of e-mails and a mail server."""

    def __init__(self, table: TableService, transport: MailTransport, writer: EmailWriter) -> None:
        self.table = table
        self.transport = transport
        self._writer = writer

    def write(self, pending: PendingEmail, at: int) -> WrittenEmail | None:
        """The e-mail of a notification; None, and a line in the log, where that fails."""
        try:
            return self._writer.write(pending, self.snapshot(pending), at)
        except Exception as error:  # one broken game must not keep back the others' e-mails
            log.error("e-mail could not be written", extra=fields_of(pending), exc_info=error)
            return None

    def write_with(self, snapshot: Snapshot, pending: PendingEmail, at: int) -> WrittenEmail:
        """The same for a state of the game that the caller has; exceptions pass."""
        return self._writer.write(pending, snapshot, at)

    def is_out(self, pending: PendingEmail) -> bool:
        """Whether the seat is out of its game; False, and a line in the log, where that fails."""
        try:
            return pending.seat not in self.snapshot(pending).voters
        except Exception as error:
            log.error("game could not be read", extra=fields_of(pending), exc_info=error)
            return False

    def snapshot(self, pending: PendingEmail) -> Snapshot:
        """The game's state; rebuilt in this thread if needed, so that the writer need not wait."""
        cached = self.table.cached_snapshot(pending.game)
        if cached is not None and cached.head == pending.head:
            return cached
        return self.table.store.read(lambda c: snapshot_of(rebuilt(c, pending.game)))

    async def send(
        self, slots: asyncio.Semaphore, pending: PendingEmail, message: EmailMessage
    ) -> DeliveryError | None:
        """Send an e-mail when a slot is free; its failure, which is logged.

        An address that does not exist is marked as one that takes no e-mails.
        """
        async with slots:
            try:
                await self.transport.send(message)
            except DeliveryError as failure:
                fields = fields_of(pending) | {"reason": failure.reason, "final": failure.final}
                log.warning("mail delivery failed", extra=fields)
                if failure.unknown_address:
                    own = self.table, pending.account, pending.address
                    await asyncio.to_thread(mark_dead, *own)
                return failure
        return None


def fields_of(pending: PendingEmail) -> dict[str, object]:
    """What the log may say of a notification: no name and no address."""
    return {"notification": pending.id, "game": pending.game, "kind": pending.kind}
