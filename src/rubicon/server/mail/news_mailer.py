"""Sends news of awards and dice, at once or as a daily digest."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from rubicon.errors import RubiconError
from rubicon.server.mail.delivery import CLAIM_DURATION, CONNECTIONS, Delivery, fields_of
from rubicon.server.mail.email_writer import WrittenEmail
from rubicon.server.mail.messages import DAY, HOUR, MINUTE
from rubicon.server.mail.news import (
    NewsEmail,
    claim_news,
    due_news,
    finish_news,
    has_unspread,
    retry_news,
    spread,
    takes_part,
    wants_digest,
)
from rubicon.server.mail.outbox import PendingEmail

SEND_BATCH = 20  # e-mails in one sweep
MAX_RETRY_DELAY = 4 * HOUR
log = logging.getLogger(__name__)


class NewsMailer:
    """Spreads events to their readers, and sends what is due; `sweep` is called again and again.

    `webhooks` tells whether webhooks are sent too.
    """

    def __init__(
        self,
        delivery: Delivery,
        delay: int,
        clock: Callable[[Connection], int],
        *,
        webhooks: Callable[[], bool],
    ) -> None:
        self._webhooks = webhooks
        self._delivery = delivery
        self._delay = delay
        self._clock = clock

    async def sweep(self) -> bool:
        """Send what is due; returns whether there may be more."""
        store = self._delivery.table.store

        def read(connection: Connection) -> tuple[bool, int, list[NewsEmail]]:
            at = self._clock(connection)
            return has_unspread(connection), at, due_news(connection, at, SEND_BATCH)

        unspread, at, found = await asyncio.to_thread(store.read, read)
        if unspread:
            job = partial(spread, delay=self._delay, webhooks=self._webhooks())
            await asyncio.wrap_future(store.write(job))
        if not found:
            return unspread
        quiet = {e.rows: end for e in found if (end := e.pending.preferences.quiet_end(at))}
        loud = [email for email in found if email.rows not in quiet]
        written = await asyncio.to_thread(self._write_all, loud, at)

        def claim(connection: Connection) -> list[NewsEmail]:
            for rows, end in quiet.items():  # the preferences may be newer than the news
                retry_news(connection, rows, end)
            own = claim_news(connection, loud, at, at + CLAIM_DURATION)
            for email in own:
                if (message := written.get(email.rows[0])) is not None:
                    message.record(connection)
            needed = [email for email in own if email.rows[0] in written]
            finish_news(connection, [r for e in own if e not in needed for r in e.rows])
            return needed

        own = await asyncio.wrap_future(store.write(claim))
        slots = asyncio.Semaphore(CONNECTIONS)
        sent = (self._send(slots, email, written.get(email.rows[0])) for email in own)
        await asyncio.gather(*sent)
        return unspread or len(found) == SEND_BATCH

    def _write_all(self, found: Sequence[NewsEmail], at: int) -> dict[int, WrittenEmail | None]:
        """The e-mails that are wanted, by their first row; None for one to be tried again."""
        written: dict[int, WrittenEmail | None] = {}
        for email in found:
            pending = email.pending
            if pending.wanted and at - pending.at < 2 * DAY and self._concerns(pending):
                written[email.rows[0]] = self._delivery.write(replace(pending, sent=at), at)
        return written

    def _concerns(self, pending: PendingEmail) -> bool:
        """Whether a seat wants news: who is out of the game, only the digest that they chose."""
        if takes_part(pending) or wants_digest(pending):
            return True
        return not self._delivery.is_out(pending)

    async def _send(
        self, slots: asyncio.Semaphore, email: NewsEmail, written: WrittenEmail | None
    ) -> None:
        pending = email.pending
        error = None
        if written is not None:
            error = await self._delivery.send(slots, pending, written.message)

        def record(connection: Connection) -> None:
            at = self._clock(connection)
            if written is not None and (error is None or error.final):
                finish_news(connection, email.rows)
            else:
                delay = max(MINUTE, min(at - pending.at, MAX_RETRY_DELAY))
                retry_news(connection, email.rows, at + delay)

        try:
            await asyncio.wrap_future(self._delivery.table.store.write(record))
        except RubiconError as failure:
            log.warning("mail result not stored", extra=fields_of(pending), exc_info=failure)
