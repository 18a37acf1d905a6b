"""What a lying operator does to the routes of his server: one seat reads what he wants it to."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from unittest.mock import patch

from sqlalchemy import Connection

from rubicon.dice.client import receipt_message
from rubicon.dice.crypto import sign
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.request import GivenLink
from rubicon.server.server import Server
from rubicon.table.admin.game_files import (
    MOST_LINES,
    TRANSCRIPT,
    Exported,
    transcript,
    transcript_of,
)
from rubicon.table.commands.dice_participants import LinkReceipt
from rubicon.table.lobby.start import signing_key
from rubicon.table.table_service import TableService
from rubicon.web.api import games
from rubicon.web.api.game_state import files_of


class LyingRoutes:
    """The routes for the transcript and for links, of seats that are told something.

    The link of such a seat is kept in `taken`, and gets a receipt that is rightly signed; it goes
    no further.
    """

    def __init__(self) -> None:
        self.told: dict[str, list[str]] = {}  # by seat: the lines that it reads
        self.taken: dict[tuple[str, int], GivenLink] = {}  # by seat and request
        self._transcript_of, self._files_of = transcript_of, files_of
        self._link = TableService.link

    @contextmanager
    def patched(self) -> Iterator[None]:
        """Lie from now on."""
        routes = self

        def link(
            table: TableService, game: str, seat: str, n: int, given: GivenLink
        ) -> Future[LinkReceipt]:
            if seat in routes.told:
                return routes.take(table, seat, n, given)
            return routes._link(table, game, seat, n, given)

        with (
            patch.object(games, "transcript_of", self.transcript_of),
            patch.object(games, "files_of", self.files_of),
            patch.object(TableService, "link", link),
        ):
            yield

    def transcript_of(self, connection: Connection, game: str, seat: str, after: int = -1) -> str:
        """The new lines of the transcript."""
        if seat in self.told:
            return transcript(self.told[seat][after + 1 :][:MOST_LINES])
        return self._transcript_of(connection, game, seat, after)

    async def files_of(self, server: Server, game: str, seat: str, asker: str) -> Exported:
        """The whole transcript."""
        if seat in self.told:
            return Exported(game, False, {TRANSCRIPT: transcript(self.told[seat])})
        return await self._files_of(server, game, seat, asker)

    def take(self, table: TableService, seat: str, n: int, given: GivenLink) -> Future[LinkReceipt]:
        """Keep a link, and sign for it."""
        self.taken[seat, n] = given
        genesis = Entry.stored(self.told[seat][0]).head
        key = table.store.read(signing_key)
        name = seat  # all honest clients have deposited in the lobby
        signature = sign(key, receipt_message(genesis, n, name, given.link)).hex()
        future: Future[LinkReceipt] = Future()
        future.set_result(LinkReceipt(n, name, signature))
        return future
