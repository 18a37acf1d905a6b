"""A table service whose operator may patch anything, with honest clients for some seats."""

from __future__ import annotations

import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, insert

from rubicon.dice.client import DiceClient
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.members import Deposit, OwnChain, Presence
from rubicon.dice.lines.request import Answer, GivenLink, SignedOrder
from rubicon.dice.lines.state import SERVER, key_of
from rubicon.dice.server import ServerSecrets
from rubicon.errors import RubiconError
from rubicon.players.player import Player
from rubicon.rules.game import Game
from rubicon.rules.record import headers_of
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.admin.audit import verify_store
from rubicon.table.admin.game_files import RECORD, exported, transcript_of
from rubicon.table.commands.dice_participants import DiceServer, deposit_in_lobby
from rubicon.table.commands.submit import Submission
from rubicon.table.game.game_cache import dice_texts, secrets_of
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.lobby.start import begin_game
from rubicon.table.settings import DiceSource, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store, migrate
from rubicon.table.table_service import TableService
from tests.attacks.forger import Forger, request_of, verify_prints
from tests.table.hosted import GAME, SOON, Hosted

Result = TypeVar("Result")
GLANCE = 0.05  # seconds between two looks, should no commit be told of
LENGTH = 1024  # links of an honest client


class AttackedTable(Hosted):
    """One hosted game; `clients` are the honest ones by seat, which follow and give links."""

    def __init__(self, folder: Path, dice: DiceServer | None = None) -> None:
        self.folder = folder
        super().__init__(self.open(dice))
        self.clients: dict[str, DiceClient] = {}
        self.programs: list[DiceClient] = []  # of the attackers: they give links like any other
        self._changed = threading.Event()
        self.table.watch(lambda _: self._changed.set())

    @property
    def store(self) -> Store:
        """The operator's database."""
        return self.table.store

    def open(self, dice: DiceServer | None) -> TableService:
        """The operator's service, with its database."""
        store = Store.open(f"sqlite:///{self.folder}/table.db")
        migrate(store)
        return TableService(store, dice=dice)

    def close(self) -> None:
        """End."""
        self.store.close()

    @staticmethod
    def honest(*seats: str) -> Sequence[DiceClient]:
        """Honest clients, which have deposited in the lobby."""
        clients = [DiceClient(GAME, seat, length=LENGTH) for seat in seats]
        for client in clients:
            client.in_lobby = True
        return clients

    @staticmethod
    def restarted(client: DiceClient) -> DiceClient:
        """A client that was ended, and begins again with what it has stored."""
        return DiceClient.restored(client.saved())

    def start(
        self,
        clients: Sequence[DiceClient],
        forged: Mapping[str, Deposit] | None,
        chains: Sequence[OwnChain] = (),
    ) -> None:
        """Begin; the operator keeps the `forged` deposits for the genesis instead of the clients'.

        The `chains` are of attackers, whose programs give their links too.
        """
        deposits = {client.own.seat: client.deposit for client in clients}
        deposits |= {own.seat: own.deposit() for own in chains}
        deposits = dict(deposits if forged is None else forged)
        self.add_programs(chains)
        ruleset = Ruleset.load("classic", {}, board="skerries")
        fresh = Game.new(ruleset, 3)
        self.insert_row()
        self.clients = {client.own.seat: client for client in clients}
        source = DiceSource.INDEPENDENT if self.table.dice else DiceSource.SEALED

        def job(connection: Connection) -> None:
            for number, colour in enumerate(fresh.colours):
                account = {"id": colour, "name": colour, "created": 0, "seen": 0, "settings": "{}"}
                connection.execute(insert(schema.account), account)
                seat = {"game": GAME, "number": number, "colour": colour, "account": colour}
                connection.execute(insert(schema.seat), seat | {"name": colour})
            for seat_name, deposit in deposits.items():
                deposit_in_lobby(connection, GAME, seat_name, seat_name, deposit)
            begin_game(connection, GAME, headers_of(fresh), Settings(dice=source))

        self.write(job)
        self.wait(self.table.wake(GAME))
        self.settle()

    def add_programs(self, chains: Sequence[OwnChain]) -> None:
        """Attackers' programs, which give the links of these chains."""
        for own in chains:
            program = DiceClient(GAME, own.seat, own.private_key, own.length)
            program.own = own
            self.programs.append(program)

    def write(self, job: Callable[[Connection], Result]) -> Result:
        """Change the operator's own database as he likes."""
        return self.store.write(job).result(SOON)

    def command(self, act: Callable[[UnitOfWork], None]) -> None:
        """Run a command of the operator's on the game, and let the clients answer."""
        self.wait(self.table.change(GAME, act))

    def serve(self) -> None:
        """Let each honest client follow the transcript, and give the link that is asked for."""
        for client in self.served:
            seat = client.own.seat
            client.follow(self.shown(client))
            n = client.wanted()
            given = given_by(client) if n is not None else None
            if n is None or given is None:
                continue
            with suppress(RubiconError):
                receipt = self.table.link(GAME, seat, n, given).result(SOON)
                if receipt.signature:  # else the connection broke
                    client.check_receipt(receipt.n, receipt.signature)

    @property
    def served(self) -> Sequence[DiceClient]:
        """The clients that this object follows the transcript for, and gives the links of."""
        return (*self.clients.values(), *self.programs)

    def shown(self, client: DiceClient) -> Sequence[str]:
        """The lines that a client does not know yet, as the API gives them."""
        after = len(client.transcript) - 1
        text = self.store.read(lambda one: transcript_of(one, GAME, client.own.seat, after))
        return text.splitlines()

    def wait(self, future: Future[Result]) -> Result:
        """Let the clients answer until something is done."""
        future.add_done_callback(lambda _: self._changed.set())
        for _ in range(int(SOON / GLANCE)):
            if future.done():
                break
            self._changed.wait(GLANCE)
            self._changed.clear()
            self.serve()
        return future.result(0)

    def settle(self) -> None:
        """Let the clients answer until no roll waits for them."""
        while self.snapshot.links_wanted and any(
            client.wanted() is not None or self.shown(client) for client in self.served
        ):
            self.serve()
            self.wait(self.table.wake(GAME))
        self.serve()

    def mover(self) -> tuple[str, int]:
        """A seat with a pending decision; it waits for a roll that is about to be answered."""
        for _ in range(100):
            if self.snapshot.decisions or self.snapshot.ending is not None:
                break
            self.wait(self.table.wake(GAME))
        return super().mover()

    def decide(self, text: str = "", *, orders: bool = False) -> None:
        """The mover's decision, by default a bot's."""
        seat, decision = self.mover()
        if not text:
            text = str(Player("greedy", seat, seed=decision).decide(self.snapshot.game()))
        self.send(seat, decision, text, orders=orders)
        self.serve()

    def send(self, seat: str, decision: int, text: str, *, orders: bool) -> None:
        """Submit a decision, signed by the seat's client."""
        client = self.clients.get(seat)
        signed = client.signed(decision, text) if client is not None else None
        made = Submission(GAME, seat, decision, text, orders, signed=signed_order(signed))
        self.wait(self.table.submit(made))

    def play_rolls(self, count: int, most: int = 5_000) -> int:
        """Play until so many more requests are answered; how many were."""
        before = self.requests
        for _ in range(most):
            if self.requests - before >= count or self.snapshot.ending is not None:
                break
            self.decide()
        return self.requests - before

    def play_to_attack(self) -> str:
        """Play until an attack with three dice against two is possible; "" where none comes."""
        for _ in range(2_000):
            if self.snapshot.ending is not None:
                return ""
            for action in map(str, self.snapshot.game().legal):
                if action.startswith("attack ") and action.endswith(" dice 3"):
                    target = action.split(" -> ")[1].split(" ")[0]
                    if self.armies(target) >= 2:
                        return action
            self.decide()
        return ""

    def armies(self, place: str) -> int:
        """The armies on a territory."""
        game = self.snapshot.game()
        return int(game.position.armies[game.ruleset.board.index(place)])

    def finish(self) -> None:
        """Resign for all seats but one: the secrets are opened."""
        while self.snapshot.ending is None:
            seat = self.mover()[0]
            self.wait(self.table.out_of_turn(GAME, seat, f"resign {seat}"))
        self.serve()

    @property
    def hosted(self) -> HostedGame:
        """The game in the server's memory."""
        found = self.table.cache.held(GAME)
        assert found is not None
        return found

    @property
    def requests(self) -> int:
        """How many requests were answered."""
        return sum(entry.kind == "answer" for entry in self.entries)

    @property
    def lines(self) -> Sequence[str]:
        """The transcript, with lines that nobody was shown."""
        return self.store.read(lambda connection: dice_texts(connection, GAME))

    @property
    def entries(self) -> Sequence[Entry]:
        """The transcript's lines."""
        return [Entry.stored(line) for line in self.lines]

    def links(self, name: str) -> dict[int, bytes]:
        """The links of a participant that everybody knows, by request."""
        found: dict[int, bytes] = {}
        for entry in self.entries:
            if entry.kind == "answer":
                given = Answer.read(Fields(entry.body, "answer")).links.get(name)
                found |= {} if given is None else {request_of(entry): given.link}
        return found

    @property
    def draws(self) -> dict[int, object]:
        """The draws of each answered request."""
        answers = [entry for entry in self.entries if entry.kind == "answer"]
        return {request_of(entry): entry.body["draws"] for entry in answers}

    @property
    def secrets(self) -> ServerSecrets:
        """The server's secrets: the operator owns them."""
        return self.store.read(lambda connection: secrets_of(connection, GAME))

    def forger(self) -> Forger:
        """A history of the operator's own, from here on."""
        forger = Forger(self.lines, self.secrets)
        forger.words, forger.cards = list(self.hosted.words), list(self.hosted.cards)
        return forger

    @property
    def record(self) -> str:
        """The record of the finished game."""
        return self.store.read(lambda connection: exported(connection, GAME)).files[RECORD]

    def verify(self, *, with_record: bool = False) -> str:
        """What `rubicon verify` prints."""
        return verify_prints(self.lines, self.record if with_record else "")

    def audit(self) -> str:
        """The code of the fault that `rubicon table verify` finds in the database; "" for none."""
        damaged = verify_store(self.store, [GAME]).damaged
        return damaged[GAME].code if damaged else ""

    def copy(self, folder: Path) -> AttackedTable:
        """A backup of the database, restored elsewhere; nobody but the operator knows of it."""
        folder.mkdir(parents=True)
        with (
            sqlite3.connect(self.folder / "table.db") as source,
            sqlite3.connect(folder / "table.db") as target,
        ):
            source.backup(target)
        other = AttackedTable(folder)
        other.wait(other.table.wake(GAME))
        return other


# How the players are reached: by calls in this process, or over HTTP (`over_http`).
TABLE: ContextVar[type[AttackedTable]] = ContextVar("table", default=AttackedTable)


def signed_order(signed: Mapping[str, str] | None) -> SignedOrder | None:
    """A client's signature of a decision, as the service takes it."""
    if signed is None:
        return None
    head, sig = bytes.fromhex(signed["head"]), bytes.fromhex(signed["signature"])
    return SignedOrder(signed["id"], head, sig)


def given_by(client: DiceClient) -> GivenLink | None:
    """The link that a client gives now."""
    message = client.give()
    if message is None:
        return None
    return GivenLink(bytes.fromhex(message["link"]), bytes.fromhex(message["signature"]))


def presence_by(client: DiceClient, kind: str) -> Presence:
    """A client's own word that it joins or leaves."""
    message = client.presence(kind)
    head, sig = bytes.fromhex(message["head"]), bytes.fromhex(message["sig"])
    return Presence(kind, message["id"], message["seen"], head, sig)


def honest(*seats: str) -> Sequence[DiceClient]:
    """Honest clients, which have deposited in the lobby."""
    return TABLE.get().honest(*seats)


def restarted(client: DiceClient) -> DiceClient:
    """A client that was ended, and begins again with what it has stored."""
    return TABLE.get().restarted(client)


@contextmanager
def folder() -> Iterator[Path]:
    """A folder in memory, where there is one: nothing here tests the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@contextmanager
def attacked(
    *clients: DiceClient,
    forged: Mapping[str, Deposit] | None = None,
    chains: Sequence[OwnChain] = (),
    dice: DiceServer | None = None,
) -> Iterator[AttackedTable]:
    """A table that has begun with these clients; `forged` replaces what they have deposited."""
    with folder() as place:
        table = TABLE.get()(place, dice)
        try:
            table.start(clients, forged, chains)
            yield table
        finally:
            table.close()


class Foresight:
    """What the operator can say of each roll when it is ordered: with all chains that he holds."""

    def __init__(self, table: AttackedTable, chains: Mapping[str, OwnChain]) -> None:
        self.table, self.chains = table, dict(chains)

    def known(self) -> int:
        """In how many of the answered requests he knew all links before anybody gave one.

        He computes the key from his own chains alone and compares it with the true one.
        """
        forger = Forger([], self.table.secrets)
        found = 0
        for line in self.table.lines:
            entry = Entry.stored(line)
            if entry.kind == "answer":
                found += self._guess(forger) == _true_key(forger, entry)
            forger.transcript.resume([line])
        return found

    def _guess(self, forger: Forger) -> bytes:
        state = forger.state
        pending = state.pending
        assert pending is not None
        links: dict[str, bytes | None] = {SERVER: forger.secrets.own_link(state).link}
        for name in pending.participants:
            own = self.chains.get(name)
            if name != SERVER:
                links[name] = own.link(state.participants[name], pending.n) if own else bytes(32)
        return key_of(state.genesis, pending.n, links)


def _true_key(forger: Forger, entry: Entry) -> bytes:
    links = entry.body["links"]
    assert isinstance(links, dict)
    bare = {name: _link(one) for name, one in links.items()}
    return key_of(forger.state.genesis, request_of(entry), bare)


def _link(one: object) -> bytes | None:
    return bytes.fromhex(one["link"]) if isinstance(one, dict) else None
