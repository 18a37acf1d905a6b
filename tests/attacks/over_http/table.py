"""The attacked table behind a real server: the players reach it over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import ClassVar, cast
from unittest.mock import patch

from sqlalchemy import Connection, delete, select

from rubicon.client import Client
from rubicon.dice.client import DiceClient
from rubicon.dice.lines.members import Deposit, OwnChain
from rubicon.table.commands.dice_participants import DiceServer, deposit_in_lobby
from rubicon.table.lobby import lifecycle
from rubicon.table.storage import schema
from rubicon.table.table_service import TableService
from tests.attacks.measured import Measured
from tests.attacks.over_http.operator import LyingRoutes
from tests.attacks.over_http.player import HttpPlayer, Noticed, honest_players, until
from tests.attacks.over_http.server import PortServer
from tests.attacks.table import TABLE, AttackedTable
from tests.table.hosted import GAME

COLOURS = "red", "blue", "green"
ROUTES = "/", "/legal", "/events", "/transcript", "/transcript?after=1", "/record", "/chat"
PATIENT = 600  # seconds that a roll waits for a link, however slow the machine is


class HttpTable(AttackedTable):
    """One hosted game; `clients` are players of the API, each with a thread of its own."""

    ended: ClassVar[list[list[Noticed]]] = []  # of each table: what its players noticed
    wait_for_links: ClassVar[int] = PATIENT

    def open(self, dice: DiceServer | None) -> TableService:
        """Start the server; its operator lies where he wants to."""
        assert dice is None
        self.players: list[HttpPlayer] = []
        self.people: dict[str, Client] = {}
        self.routes = LyingRoutes()
        self._patches = ExitStack()
        self._senders = self._patches.enter_context(ThreadPoolExecutor())
        self._patches.enter_context(self.routes.patched())
        self.port = PortServer(self.folder)
        return self.port.server.table

    @staticmethod
    def honest(*seats: str) -> Sequence[DiceClient]:
        """Players whose clients take part over HTTP."""
        return honest_players(*seats)

    @staticmethod
    def restarted(client: DiceClient) -> DiceClient:
        """A program that was ended, and begins again with its journal."""
        return cast(DiceClient, cast(HttpPlayer, client).restarted())

    @property
    def served(self) -> Sequence[DiceClient]:
        """The attackers' programs only: honest clients help themselves."""
        return self.programs

    def start(
        self,
        clients: Sequence[DiceClient],
        forged: Mapping[str, Deposit] | None,
        chains: Sequence[OwnChain] = (),
    ) -> None:
        """Three people sit down, the clients take part, and the host starts the game."""
        self.add_programs(chains)
        for colour in COLOURS:
            self.people[colour] = self.port.running.client(colour)
        host = self.people["red"]
        settings = {"entropy_wait": self.wait_for_links}
        with patch.object(lifecycle, "new_id", lambda: GAME):
            host.open_table(ruleset="classic", board="skerries", seats=3, settings=settings)
        for colour in COLOURS[1:]:
            self.people[colour].join(GAME, colour=colour)
        for player in cast(Sequence[HttpPlayer], clients):
            player.take_part(self, self.people[player.colour])
            self.clients[player.colour] = cast(DiceClient, player)
            self.players.append(player)
        kept = {own.seat: own.deposit() for own in chains}
        self.write(
            lambda connection: _forge(
                connection, kept if forged is None else forged, everything=forged is not None
            )
        )
        host.start(GAME)
        until(lambda: all(player.settled() for player in self.players))
        self.settle()

    def settle(self) -> None:
        """Wait until no roll waits for a client that may still give its link."""

        def waits() -> bool:
            alarmed = {player.colour for player in self.players if player.part.client.alarms}
            return bool(set(self.snapshot.links_wanted) - alarmed)

        while waits():
            self.wait(self.table.wake(GAME))

    def send(self, seat: str, decision: int, text: str, *, orders: bool) -> None:
        """Submit a decision over HTTP; a bot in the seat's name where its program has stopped."""
        player = self.clients.get(seat)

        def submit() -> None:
            signed = player is not None and cast(HttpPlayer, player).submit(
                decision, text, orders=orders
            )
            if not signed:
                body = {"decision": decision, "text": text, "orders": orders}
                self.people[seat]._session.post(f"/games/{GAME}/submit", **body)

        self.wait(self._senders.submit(submit))

    def submit_in_background(self, text: str) -> Future[object]:
        """The mover's decision, sent while the caller looks at what follows."""
        seat, decision = self.mover()
        return self._senders.submit(self.people[seat].submit, GAME, decision, text)

    def everything_told(self) -> str:
        """All that the routes of the game and its stream tell anybody now."""
        told = []
        for person in (*self.people.values(), None):
            token = {} if person is None else {"authorization": f"Bearer {person.token}"}
            with self.port.running.http(headers=token) as http:
                for route in ROUTES:
                    told.append(http.get(f"/api/v1/games/{GAME}{route}").text)
        return "".join(told)

    def close(self) -> None:
        """Ask every player what it has noticed, and shut everything down."""
        try:
            self.ended.append([player.noticed() for player in self.players])
        finally:
            for player in self.players:
                player.close()
            for client in self.people.values():
                client.close()
            self.port.stop()
            self._patches.close()


def _forge(connection: Connection, deposits: Mapping[str, Deposit], *, everything: bool) -> None:
    """Put deposits of the operator's in the place of those that came."""
    kept, seats = schema.dice_client, schema.seat.c
    if everything:
        connection.execute(delete(kept).where(kept.c.game == GAME))
    for seat, deposit in deposits.items():
        owner = select(seats.account).where(seats.game == GAME, seats.colour == seat)
        account = connection.execute(owner).scalar_one()
        deposit_in_lobby(connection, GAME, seat, account, deposit)


@dataclass(frozen=True, slots=True)
class OverHttp:
    """An attack on the wire: what it got, and what each player noticed."""

    measured: Measured
    noticed: tuple[Noticed, ...]  # of the last table of the attack

    def alarm(self, seat: str) -> str:
        """The codes of the alarms of a seat's program."""
        found = [one.alarm for one in self.noticed if one.seat == seat]
        return ", ".join(found)

    @property
    def statuses(self) -> list[int]:
        """The exit statuses of `rubicon verify --journal --key`, by player."""
        return [one.status for one in self.noticed]

    @property
    def verify(self) -> str:
        """What `rubicon verify` printed, of all players."""
        return "\n".join(one.verify for one in self.noticed)


def over_http(attack: Callable[[], Measured], *, wait_for_links: int = PATIENT) -> OverHttp:
    """Play an attack with real clients at a real server."""
    HttpTable.ended.clear()
    token = TABLE.set(HttpTable)
    try:
        with patch.object(HttpTable, "wait_for_links", wait_for_links):
            measured = attack()
    finally:
        TABLE.reset(token)
    return OverHttp(measured, tuple(HttpTable.ended[-1]))
