"""The games of a dice server, its settings, its key and what it stores."""

from __future__ import annotations

import json
import os
import re
import secrets
import sqlite3
import stat
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rubicon.dice.crypto import SIZE, keyed, public_key
from rubicon.dice.dice_server import (
    MOST_SHOWN,
    AnsweredRequest,
    DiceServerGame,
    LinkQuestion,
    PublicLog,
)
from rubicon.dice.errors import DiceError, NoSuchDice, OthersDice, TooManyDice
from rubicon.dice.lines.members import Deposit
from rubicon.dice.lines.request import GivenLink
from rubicon.errors import RubiconError, Unavailable
from rubicon.files import file_fault, read_bounded

# What a dice server is started with.

SHORTEST_TOKEN = 16  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceServerSettings:
    """The settings of a dice server; the options of `rubicon dice serve` explain each."""

    store: Path = Path("rubicon-dice.db")
    key_file: Path = Path("rubicon-dice.key")
    address: str = "127.0.0.1"
    port: int = 8043
    tokens: Mapping[str, str] = field(default_factory=dict, repr=False)  # by the table's name
    games_per_day: int = 1000
    requests_per_minute: int = 6000
    connections_per_address: int = 200
    request_timeout: int = 20
    games_in_memory: int = 500
    trusted_proxy: str = ""


def read_tokens(text: str) -> dict[str, str]:
    """Tokens by name from `NAME=TOKEN,NAME=TOKEN`; RubiconError `dice-server/tokens`."""
    tokens: dict[str, str] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, token = part.partition("=")
        if not name or len(token) < SHORTEST_TOKEN or name in tokens or token in tokens.values():
            message = "The tokens cannot be read, or one is twice or too short."
            suggestion = (
                f"Write NAME=TOKEN,NAME=TOKEN, each of {SHORTEST_TOKEN} characters or more."
            )
            raise RubiconError("dice-server/tokens", message, suggestion)
        tokens[name] = token
    return tokens


# The private key of a dice server, in a file that its own user alone may read.

PRIVATE = 0o600
_DIGITS = 2 * SIZE


def private_key_of(path: Path) -> bytes:
    """The key, 32 bytes; made when the file does not exist. RubiconError `dice-server/key-file`."""
    try:
        if not path.exists():
            _make(path)
        _check_mode(path)
        return _read(path)
    except OSError as error:
        message = f"The key file {str(path)!r} cannot be used: {file_fault(error)}."
        raise RubiconError("dice-server/key-file", message, "Choose another: --key-file") from error


def create_private(path: Path) -> None:
    """Create an empty file that no one else may read, where it does not exist."""
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, PRIVATE))


def _make(path: Path) -> None:
    """Write the whole file before it gets its name: a crash leaves no half key."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.unlink(missing_ok=True)
    create_private(unfinished)
    with unfinished.open("w", encoding="ascii") as file:
        file.write(secrets.token_hex(SIZE) + "\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    if sys.platform != "win32":
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def _check_mode(path: Path) -> None:
    if sys.platform != "win32" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        message = f"Other users may read the key file {str(path)!r}."
        raise RubiconError("dice-server/key-file", message, f"Run: chmod 600 {path}")


def _read(path: Path) -> bytes:
    text = read_bounded(path, _DIGITS + 2).decode("ascii", "replace").strip()
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != SIZE:
        message = f"The key file {str(path)!r} holds no key."
        suggestion = f"It has {_DIGITS} hexadecimal digits: restore it from a backup."
        raise RubiconError("dice-server/key-file", message, suggestion)
    return key


# The SQLite file of a dice server: what it has promised and given, durable before it is sent.

VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS server (key BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS game (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    opened INTEGER NOT NULL,
    secret BLOB NOT NULL,
    nonce BLOB NOT NULL,
    genesis BLOB,
    server_key BLOB,
    refusals TEXT NOT NULL DEFAULT '[]'
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS game_by_owner ON game (owner, opened);
CREATE TABLE IF NOT EXISTS client (
    game TEXT NOT NULL, name TEXT NOT NULL, key BLOB NOT NULL, handed BLOB,
    PRIMARY KEY (game, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answer (
    game TEXT NOT NULL, n INTEGER NOT NULL, head BLOB NOT NULL, PRIMARY KEY (game, n)
) WITHOUT ROWID;
"""


class DiceStore:
    """The games of a dice server. One process uses the file; its caller calls it in turn."""

    def __init__(self, path: Path, public_key: bytes) -> None:
        """Open or create the file; RubiconError where it cannot be used, or is of another key."""
        self.path = path
        try:
            create_private(path)
            self._database = sqlite3.connect(
                path, timeout=2, isolation_level=None, check_same_thread=False
            )
            # Held until the process ends, even by a kill: two servers would give two answers.
            self._database.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=FULL")
            self._check_version()
            self._database.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            message = f"The store {str(path)!r} cannot be used: {error}."
            suggestion = "Is another dice server running on it? Choose another file: --store"
            raise RubiconError("dice-server/store", message, suggestion) from error
        self._check_key(public_key)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def opened_since(self, owner: str, moment: int) -> int:
        """How many games of an owner were opened since a time, in seconds since 1970."""
        query = "SELECT count(*) FROM game WHERE owner = ? AND opened > ?"
        return int(self._database.execute(query, (owner, moment)).fetchone()[0])

    def begin(self, game: DiceServerGame, owner: str, at: int) -> None:
        """Store a new game."""
        row = game.game, owner, at, game.secret, game.nonce
        with self._transaction():
            self._database.execute(
                "INSERT INTO game (id, owner, opened, secret, nonce) VALUES (?, ?, ?, ?, ?)", row
            )

    def owner(self, game: str) -> str | None:
        """Who has opened a game; None where no one has."""
        row = self._database.execute("SELECT owner FROM game WHERE id = ?", (game,)).fetchone()
        return None if row is None else str(row[0])

    def load(self, game: str, private_key: bytes) -> DiceServerGame | None:
        """A game as it was stored."""
        query = "SELECT secret, nonce, genesis, server_key, refusals FROM game WHERE id = ?"
        row = self._database.execute(query, (game,)).fetchone()
        if row is None:
            return None
        secret, nonce, genesis, server_key, refusals = row
        loaded = DiceServerGame(game, private_key, secret, nonce)
        loaded.bound = None if genesis is None else (genesis, server_key)
        loaded.refusals = json.loads(refusals)
        query = "SELECT head FROM answer WHERE game = ? ORDER BY n"
        loaded.heads = [head for (head,) in self._database.execute(query, (game,))]
        query = "SELECT name, key, handed FROM client WHERE game = ?"
        for name, key, handed in self._database.execute(query, (game,)):
            loaded.keys[name] = key
            if handed is not None:
                loaded.handed[name] = handed
        return loaded

    def save(self, game: DiceServerGame, answered_before: int) -> None:
        """Store what has changed; durable when it returns. The primary keys refuse a second head
        for a request, whatever the program believes."""
        genesis, server_key = game.bound or (None, None)
        answers = [(game.game, n, game.heads[n]) for n in range(answered_before, len(game.heads))]
        clients = [(game.game, name, key, game.handed.get(name)) for name, key in game.keys.items()]
        with self._transaction():
            run, run_all = self._database.execute, self._database.executemany
            run(
                "UPDATE game SET genesis = ?, server_key = ?, refusals = ? WHERE id = ?",
                (genesis, server_key, json.dumps(game.refusals), game.game),
            )
            run_all("INSERT INTO answer (game, n, head) VALUES (?, ?, ?)", answers)
            run_all(
                "INSERT INTO client (game, name, key, handed) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (game, name) DO UPDATE SET handed = excluded.handed"
                " WHERE handed IS NOT excluded.handed",
                clients,
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def _check_version(self) -> None:
        found = self._database.execute("PRAGMA user_version").fetchone()[0]
        if found > VERSION:
            message = f"The store {str(self.path)!r} was written by a newer version."
            raise RubiconError("dice-server/newer", message, "Install that version.")
        self._database.execute(f"PRAGMA user_version = {VERSION}")

    def _check_key(self, public_key: bytes) -> None:
        row = self._database.execute("SELECT key FROM server").fetchone()
        if row is None:
            with self._transaction():
                self._database.execute("INSERT INTO server (key) VALUES (?)", (public_key,))
        elif row[0] != public_key:
            self.close()
            message = f"The games in {str(self.path)!r} belong to the key {row[0].hex()}."
            suggestion = "Put its key file back, or begin with an empty store."
            raise RubiconError("dice-server/other-key", message, suggestion)


# The games of a dice server in memory: loaded when asked for, stored before an answer goes out.

DAY = 24 * 3600  # seconds
GAME_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")


class OpenedGames:
    """The games; every method may be called from any thread, and they run one after another.

    `owner` is who asks: the name of a token, or an address where no tokens are needed.
    """

    def __init__(
        self,
        store: DiceStore,
        private_key: bytes,
        settings: DiceServerSettings,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.key = public_key(private_key)
        self._store = store
        self._private_key = private_key
        self._settings = settings
        self._clock = clock
        self._lock = threading.Lock()
        self._games: OrderedDict[str, DiceServerGame] = OrderedDict()

    def open(self, game: str, owner: str) -> Deposit:
        """The deposit of a game, the same for ever; DiceError refuses."""
        if not GAME_ID.fullmatch(game):
            message = f"A game cannot be called {game[:40]!r}."
            raise DiceError("dice/game-id", message, "Use letters, digits, - and _.")
        with self._lock:
            found = self._found(game)
            if found is not None:
                self._check_owner(game, owner)
                return found.deposit()
            hidden = self._hidden(owner)
            at, most = int(self._clock()), self._settings.games_per_day
            if most and self._store.opened_since(hidden, at - DAY) >= most:
                message = f"You have opened {most:,} games in a day."
                raise TooManyDice("dice/too-many-games", message, "Try again tomorrow.")
            begun = DiceServerGame.begin(game, self._private_key)
            deposit = begun.deposit()
            with _store_errors():
                self._store.begin(begun, hidden, at)
            self._keep(begun)
            return deposit

    def link(self, question: LinkQuestion, owner: str) -> GivenLink:
        """The link for a request, stored; DiceError refuses."""
        with self._changed(question.game) as game:
            self._check_owner(game.game, owner)
            return game.answer(question)

    def hand_in(
        self, game: str, name: str, n: int, head: bytes, given: GivenLink, receipt: bytes
    ) -> None:
        """A client's link with the table's receipt; no list may call it missing from then on."""
        with self._changed(game) as known:
            known.hand_in(name, n, head, given, receipt)

    def log(self, game: str, after: int = -1) -> PublicLog:
        """The public log after a request, at most MOST_SHOWN requests of it."""
        with self._lock:
            known = self._known(game)
            genesis = known.bound[0] if known.bound is not None else b""
            shown = range(after + 1, min(after + 1 + MOST_SHOWN, known.next_request))
            answered = tuple(
                AnsweredRequest(n, known.heads[n], known.given(genesis, n).link) for n in shown
            )
            total, refusals = known.next_request, tuple(known.refusals)
            return PublicLog(game, genesis, total, answered, refusals)

    def __len__(self) -> int:
        return len(self._games)

    @contextmanager
    def _changed(self, name: str) -> Iterator[DiceServerGame]:
        """A game that may change, and is stored after the change, a refusal too."""
        with self._lock:
            game = self._known(name)
            answered, before = game.next_request, _state(game)
            try:
                try:
                    yield game
                finally:
                    if _state(game) != before:
                        with _store_errors():
                            self._store.save(game, answered)
            except BaseException as error:
                if not isinstance(error, DiceError):
                    self._games.pop(name, None)  # what is in memory may not be stored
                raise

    def _known(self, game: str) -> DiceServerGame:
        found = self._found(game)
        if found is None:
            message = f"There is no game {game[:40]!r}."
            raise NoSuchDice("dice/unknown-game", message, "It is opened by its table first.")
        return found

    def _found(self, game: str) -> DiceServerGame | None:
        found = self._games.get(game)
        if found is None:
            with _store_errors():
                found = self._store.load(game, self._private_key)
        if found is not None:
            self._keep(found)
        return found

    def _keep(self, game: DiceServerGame) -> None:
        self._games[game.game] = game
        self._games.move_to_end(game.game)
        while len(self._games) > self._settings.games_in_memory:
            self._games.popitem(last=False)

    def _check_owner(self, game: str, owner: str) -> None:
        """With tokens, a game belongs to the table that has opened it."""
        if self._settings.tokens and self._store.owner(game) != self._hidden(owner):
            message = f"The game {game[:40]!r} belongs to another table."
            raise OthersDice("dice/not-yours", message, "Ask with the token that opened it.")

    def _hidden(self, owner: str) -> str:
        """The owner as it is stored: an address is personal data."""
        return keyed(self._private_key, b"owner " + owner.encode())[: SIZE // 2].hex()


def _state(game: DiceServerGame) -> tuple[object, ...]:
    """Everything of a game that changes."""
    handed = dict(game.handed)
    return game.bound, game.next_request, len(game.keys), handed, len(game.refusals)


@contextmanager
def _store_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        message = f"The store of the dice server is unavailable: {error}."
        raise Unavailable("dice-server/store-unavailable", message, "Try again.") from error
